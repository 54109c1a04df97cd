package telemetry

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Settings say what New builds. The variables OpenTelemetry defines are laid over
// them, so what an operator sets wins over what the code sets. A zero value means
// zero: begin with DefaultSettings.
type Settings struct {
	// ServiceName is the resource's service.name. Default: "unknown_service".
	ServiceName string
	// ServiceVersion is its service.version. Default: empty, which leaves it out.
	ServiceVersion string
	// Attributes are more attributes of the resource. Default: none.
	Attributes map[string]string

	// Traces, Metrics and Logs say where each signal goes. Default: logs to
	// Console, traces and metrics nowhere. A signal for which an OTLP endpoint
	// is set goes there too, unless its variable says where it goes.
	Traces, Metrics, Logs []Exporter
	// OTLP is where the collector is.
	OTLP OTLP

	// Sampler says which traces are recorded. Default:
	// SamplerParentBasedAlwaysOn.
	Sampler Sampler
	// SampleRatio is the share of traces that the samplers by ratio take, from 0
	// to 1. Default: 1.
	SampleRatio float64

	// Level is the least level that is logged. Nil means slog.LevelInfo. Default:
	// nil.
	Level slog.Leveler

	// BatchDelay is the longest a span or a log record waits for others to go to
	// the collector with. Must be > 0. Default: 1s.
	BatchDelay time.Duration
	// MetricInterval is the time between two exports of metrics. Must be > 0.
	// Default: 60s.
	MetricInterval time.Duration
	// ShutdownTimeout is the longest SDK.Shutdown takes, whether or not the
	// collector answers. Must be > 0. Default: 5s.
	ShutdownTimeout time.Duration
}

// OTLP is where a collector is and how it is spoken to.
type OTLP struct {
	// Endpoint is the collector's URL, such as https://collector:4318. With
	// http:// nothing is encrypted. Default: empty: nothing is sent unless an
	// exporter is OTLP, and then to port 4318, or 4317 for gRPC, of localhost.
	Endpoint string
	// Protocol is the protocol. Default: ProtocolHTTP.
	Protocol Protocol
	// Headers go with each request; they are where tokens are. Default: none.
	Headers map[string]string
	// Timeout bounds one export, retries included. Must be > 0. Default: 10s.
	Timeout time.Duration
	// Gzip compresses what is sent. Default: false.
	Gzip bool
	// TLS is for https:// endpoints. Nil means the system's roots and no client
	// certificate. Default: nil.
	TLS *tls.Config
}

// Exporter is where a signal goes, in the words of OTEL_TRACES_EXPORTER.
type Exporter string

// The exporters.
const (
	// ExporterOTLP sends to a collector.
	ExporterOTLP Exporter = "otlp"
	// ExporterConsole writes lines for people to stdout.
	ExporterConsole Exporter = "console"
	// ExporterJSON writes lines of JSON to stdout. OpenTelemetry has no name for
	// it.
	ExporterJSON Exporter = "json"
)

// Protocol is how a collector is spoken to, in the words of
// OTEL_EXPORTER_OTLP_PROTOCOL.
type Protocol string

// The protocols.
const (
	ProtocolHTTP Protocol = "http/protobuf"
	ProtocolGRPC Protocol = "grpc"
)

// Sampler decides which traces are recorded, in the words of OTEL_TRACES_SAMPLER.
type Sampler string

// The samplers. A parent-based one does as the caller did; a trace that begins here
// is decided by the rest of its name.
const (
	SamplerAlwaysOn                Sampler = "always_on"
	SamplerAlwaysOff               Sampler = "always_off"
	SamplerTraceIDRatio            Sampler = "traceidratio"
	SamplerParentBasedAlwaysOn     Sampler = "parentbased_always_on"
	SamplerParentBasedAlwaysOff    Sampler = "parentbased_always_off"
	SamplerParentBasedTraceIDRatio Sampler = "parentbased_traceidratio"
)

var (
	exporters = []Exporter{ExporterOTLP, ExporterConsole, ExporterJSON}
	protocols = []Protocol{ProtocolHTTP, ProtocolGRPC}
	samplers  = []Sampler{
		SamplerAlwaysOn, SamplerAlwaysOff, SamplerTraceIDRatio,
		SamplerParentBasedAlwaysOn, SamplerParentBasedAlwaysOff, SamplerParentBasedTraceIDRatio,
	}
)

// DefaultSettings returns the defaults: an App that prints its logs and sends
// nothing until it is told where to.
func DefaultSettings() Settings {
	return Settings{
		ServiceName:     "unknown_service",
		Logs:            []Exporter{ExporterConsole},
		OTLP:            OTLP{Protocol: ProtocolHTTP, Timeout: 10 * time.Second},
		Sampler:         SamplerParentBasedAlwaysOn,
		SampleRatio:     1,
		BatchDelay:      time.Second,
		MetricInterval:  time.Minute,
		ShutdownTimeout: 5 * time.Second,
	}
}

// CheckSettings reports everything that is wrong with s, one problem a line.
func CheckSettings(s Settings) error {
	var problems []error
	report := func(bad bool, format string, args ...any) {
		if bad {
			problems = append(problems, fmt.Errorf("telemetry."+format, args...))
		}
	}
	report(s.ServiceName == "", "service_name: must not be empty")
	for _, signal := range []struct {
		name string
		to   []Exporter
	}{{"traces", s.Traces}, {"metrics", s.Metrics}, {"logs", s.Logs}} {
		for _, e := range signal.to {
			report(!slices.Contains(exporters, e), "%s: %q, must be one of %v", signal.name, e, exporters)
		}
	}
	if s.OTLP.Endpoint != "" {
		shown, err := checkEndpoint(s.OTLP.Endpoint)
		report(err != nil, "%v", &VariableError{"otlp.endpoint", shown, fmt.Sprint(err)})
	}
	report(!slices.Contains(protocols, s.OTLP.Protocol), "otlp.protocol: %q, must be one of %v", s.OTLP.Protocol, protocols)
	report(!slices.Contains(samplers, s.Sampler), "sampler: %q, must be one of %v", s.Sampler, samplers)
	report(!(s.SampleRatio >= 0 && s.SampleRatio <= 1), "sample_ratio: %v, must be from 0 to 1", s.SampleRatio)
	for _, d := range []struct {
		name string
		is   time.Duration
	}{
		{"otlp.timeout", s.OTLP.Timeout}, {"batch_delay", s.BatchDelay},
		{"metric_interval", s.MetricInterval}, {"shutdown_timeout", s.ShutdownTimeout},
	} {
		report(d.is <= 0, "%s: %v, must be > 0", d.name, d.is)
	}
	return errors.Join(problems...)
}

// checkEndpoint says what endpoint must be, and what of it may be shown: nothing of one
// with a password in it. The exporters send none, so one that is there is a mistake.
func checkEndpoint(endpoint string) (shown string, err error) {
	if !strings.Contains(endpoint, "@") {
		shown = endpoint
	}
	u, err := url.Parse(endpoint)
	switch {
	case err != nil, u.Scheme != "http" && u.Scheme != "https", u.Hostname() == "":
		return shown, errors.New("a URL such as http://collector:4318")
	case u.User != nil:
		return shown, errors.New("a URL without user and password; they belong into the headers")
	}
	return shown, nil
}
