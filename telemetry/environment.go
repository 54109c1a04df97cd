package telemetry

import (
	"maps"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"go.opentelemetry.io/otel/propagation"
)

// plan is what New builds: settings with the environment laid over them.
type plan struct {
	Settings
	disabled   bool
	propagator propagation.TextMapPropagator
	// For each signal where its OTLP exporter sends to.
	traces, metrics, logs OTLP
	// BatchDelay of spans and of log records.
	spanDelay, logDelay time.Duration
}

// read lays an environment over settings.
func read(s Settings, around Surroundings) (plan, error) {
	v := &variables{lookup: func(name string) string { return around.Environment[name] }, readFile: around.ReadFile}
	if v.readFile == nil {
		v.readFile = os.ReadFile
	}
	return v.plan(s)
}

// plan is s with the variables laid over it.
func (v *variables) plan(s Settings) (plan, error) {
	p := plan{Settings: s}
	v.bool("OTEL_SDK_DISABLED", &p.disabled)
	p.propagator = v.propagators()
	v.resource(&p.Settings)
	v.sampler(&p.Settings)
	v.milliseconds("OTEL_METRIC_EXPORT_INTERVAL", &p.MetricInterval)
	p.spanDelay, p.logDelay = s.BatchDelay, s.BatchDelay
	v.milliseconds("OTEL_BSP_SCHEDULE_DELAY", &p.spanDelay)
	v.milliseconds("OTEL_BLRP_SCHEDULE_DELAY", &p.logDelay)

	common := s.OTLP
	v.otlp("", &common)
	for _, signal := range []struct {
		name, path string
		to         *[]Exporter
		otlp       *OTLP
	}{
		{"TRACES", "/v1/traces", &p.Traces, &p.traces},
		{"METRICS", "/v1/metrics", &p.Metrics, &p.metrics},
		{"LOGS", "/v1/logs", &p.Logs, &p.logs},
	} {
		*signal.otlp = common
		signal.otlp.Headers = maps.Clone(common.Headers)
		signal.otlp.Endpoint = "" // a signal's own URL is whole, the common one a base
		v.otlp(signal.name+"_", signal.otlp)
		known := common.Endpoint != "" || signal.otlp.Endpoint != ""
		signal.otlp.Endpoint = endpoint(common.Endpoint, signal.path, *signal.otlp)
		v.exporters("OTEL_"+signal.name+"_EXPORTER", known, signal.to)
	}
	return p, v.err()
}

// endpoint is the URL of one signal: its own, or one below the base.
func endpoint(base, path string, o OTLP) string {
	switch {
	case o.Endpoint != "":
		return o.Endpoint
	case base == "" && o.Protocol == ProtocolGRPC:
		return "http://localhost:4317"
	case base == "":
		base = "http://localhost:4318"
	case o.Protocol == ProtocolGRPC:
		return base
	}
	return strings.TrimSuffix(base, "/") + path
}

// exporters reads where a signal goes. known says that an endpoint is set for it.
func (v *variables) exporters(name string, known bool, to *[]Exporter) {
	value, ok := v.get(name)
	switch {
	case !ok && known && !slices.Contains(*to, ExporterOTLP):
		*to = append([]Exporter{ExporterOTLP}, *to...)
		return
	case !ok:
		return
	case strings.EqualFold(value, "none"):
		*to = nil
		return
	}
	*to = nil
	for word := range strings.SplitSeq(value, ",") {
		e := Exporter(strings.ToLower(strings.TrimSpace(word)))
		switch {
		case !slices.Contains(exporters, e):
			v.bad(name, value, "none, or one or more of "+oneOf(exporters)+" with commas between")
			return
		case !slices.Contains(*to, e):
			*to = append(*to, e)
		}
	}
}

// otlp reads the variables of the collector: those of all signals, or of one.
func (v *variables) otlp(signal string, into *OTLP) {
	prefix := "OTEL_EXPORTER_OTLP_" + signal
	if value, ok := v.get(prefix + "ENDPOINT"); ok {
		if shown, err := checkEndpoint(value); err != nil {
			v.bad(prefix+"ENDPOINT", shown, err.Error())
		}
		into.Endpoint = value
	}
	choose(v, prefix+"PROTOCOL", protocols, &into.Protocol)
	v.milliseconds(prefix+"TIMEOUT", &into.Timeout)
	compression := "none"
	if into.Gzip {
		compression = "gzip"
	}
	choose(v, prefix+"COMPRESSION", []string{"gzip", "none"}, &compression)
	into.Gzip = compression == "gzip"
	v.pairs(prefix+"HEADERS", true, func(key, value string) {
		if into.Headers == nil {
			into.Headers = map[string]string{}
		}
		into.Headers[key] = value
	})
	v.certificates(prefix, into)
}

// pairs reads key1=value1,key2=value2 with percent-encoded values. Those of headers are
// not shown, and must fit into a header.
func (v *variables) pairs(name string, headers bool, set func(key, value string)) {
	all, ok := v.get(name)
	if !ok {
		return
	}
	for pair := range strings.SplitSeq(all, ",") {
		if strings.TrimSpace(pair) == "" {
			continue
		}
		key, value, found := strings.Cut(pair, "=")
		value, err := url.PathUnescape(strings.TrimSpace(value))
		key = strings.TrimSpace(key)
		broken := headers && (strings.ContainsFunc(key, notOfHeaders) || strings.ContainsFunc(value, unicode.IsControl))
		if !found || key == "" || err != nil || broken {
			if headers {
				all = ""
			}
			v.bad(name, all, "key1=value1,key2=value2 with percent-encoded values")
			return
		}
		set(key, value)
	}
}

// notOfHeaders reports whether r can't be in a header's name, over one of the protocols.
func notOfHeaders(r rune) bool {
	return r >= utf8.RuneSelf || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_.", r)
}

func (v *variables) resource(s *Settings) {
	attributes := maps.Clone(s.Attributes)
	if attributes == nil {
		attributes = map[string]string{}
	}
	v.pairs("OTEL_RESOURCE_ATTRIBUTES", false, func(key, value string) {
		switch key {
		case "service.name":
			if value == "" {
				return // as if it were not there
			}
			s.ServiceName = value
		case "service.version":
			s.ServiceVersion = value
		default:
			attributes[key] = value
		}
	})
	s.Attributes = attributes
	v.text("OTEL_SERVICE_NAME", &s.ServiceName)
}

func (v *variables) sampler(s *Settings) {
	choose(v, "OTEL_TRACES_SAMPLER", samplers, &s.Sampler)
	const name = "OTEL_TRACES_SAMPLER_ARG"
	value, ok := v.get(name)
	if !ok || s.Sampler != SamplerTraceIDRatio && s.Sampler != SamplerParentBasedTraceIDRatio {
		return // the others take no argument, and OpenTelemetry has it ignored
	}
	ratio, err := strconv.ParseFloat(value, 64)
	if err != nil || !(ratio >= 0 && ratio <= 1) {
		v.bad(name, value, "a number from 0 to 1")
		return
	}
	s.SampleRatio = ratio
}

func (v *variables) propagators() propagation.TextMapPropagator {
	const name = "OTEL_PROPAGATORS"
	value, ok := v.get(name)
	if !ok {
		return w3c()
	}
	if strings.EqualFold(value, "none") {
		return propagation.NewCompositeTextMapPropagator()
	}
	var all []propagation.TextMapPropagator
	for word := range strings.SplitSeq(value, ",") {
		switch strings.ToLower(strings.TrimSpace(word)) {
		case "tracecontext":
			all = append(all, propagation.TraceContext{})
		case "baggage":
			all = append(all, propagation.Baggage{})
		default:
			v.bad(name, value, "none, or tracecontext and baggage with a comma between")
			return w3c()
		}
	}
	return propagation.NewCompositeTextMapPropagator(all...)
}
