package telemetry

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestRead(t *testing.T) {
	t.Parallel()
	both := []Exporter{ExporterOTLP, ExporterConsole}
	rows := []struct {
		name string
		env  map[string]string
		get  func(plan) any
		want any
	}{
		{"nothing_traces", nil, func(p plan) any { return p.Traces }, []Exporter(nil)},
		{"nothing_logs", nil, func(p plan) any { return p.Logs }, []Exporter{ExporterConsole}},
		{"empty_is_unset", map[string]string{"OTEL_TRACES_SAMPLER": " "}, func(p plan) any { return p.Sampler }, SamplerParentBasedAlwaysOn},
		{"endpoint_adds_otlp", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318"}, func(p plan) any { return p.Logs }, both},
		{"endpoint_of_one_signal", map[string]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://c:4318"}, func(p plan) any { return p.Metrics }, []Exporter(nil)},
		{"exporter_wins_over_endpoint", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318", "OTEL_LOGS_EXPORTER": "json"}, func(p plan) any { return p.Logs }, []Exporter{ExporterJSON}},
		{"none", map[string]string{"OTEL_LOGS_EXPORTER": "none"}, func(p plan) any { return p.Logs }, []Exporter(nil)},
		{"several", map[string]string{"OTEL_TRACES_EXPORTER": "otlp, console,OTLP"}, func(p plan) any { return p.Traces }, both},
		{"base_url", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "https://c:4318/in/"}, func(p plan) any { return p.metrics.Endpoint }, "https://c:4318/in/v1/metrics"},
		{"own_url_is_whole", map[string]string{"OTEL_EXPORTER_OTLP_LOGS_ENDPOINT": "http://c:4318/in"}, func(p plan) any { return p.logs.Endpoint }, "http://c:4318/in"},
		{"default_url", map[string]string{"OTEL_TRACES_EXPORTER": "otlp"}, func(p plan) any { return p.traces.Endpoint }, "http://localhost:4318/v1/traces"},
		{"default_url_grpc", map[string]string{"OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}, func(p plan) any { return p.traces.Endpoint }, "http://localhost:4317"},
		{"grpc_has_no_path", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4317", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}, func(p plan) any { return p.traces.Endpoint }, "http://c:4317"},
		{"protocol_of_one_signal", map[string]string{"OTEL_EXPORTER_OTLP_LOGS_PROTOCOL": "grpc"}, func(p plan) any { return []Protocol{p.traces.Protocol, p.logs.Protocol} }, []Protocol{ProtocolHTTP, ProtocolGRPC}},
		{"timeout", map[string]string{"OTEL_EXPORTER_OTLP_TIMEOUT": "2500"}, func(p plan) any { return p.traces.Timeout }, 2500 * time.Millisecond},
		{"gzip", map[string]string{"OTEL_EXPORTER_OTLP_COMPRESSION": "GZIP"}, func(p plan) any { return p.logs.Gzip }, true},
		{"headers", map[string]string{"OTEL_EXPORTER_OTLP_HEADERS": "a=1, b=2%2C3 ,", "OTEL_EXPORTER_OTLP_TRACES_HEADERS": "a=4"}, func(p plan) any { return p.traces.Headers }, map[string]string{"a": "4", "b": "2,3"}},
		{"headers_of_the_others", map[string]string{"OTEL_EXPORTER_OTLP_HEADERS": "a=1", "OTEL_EXPORTER_OTLP_TRACES_HEADERS": "a=4"}, func(p plan) any { return p.logs.Headers }, map[string]string{"a": "1"}},
		{"sampler", map[string]string{"OTEL_TRACES_SAMPLER": "traceidratio", "OTEL_TRACES_SAMPLER_ARG": "0.25"}, func(p plan) any { return p.sampler().Description() }, "TraceIDRatioBased{0.25}"},
		{"sampler_without_argument", map[string]string{"OTEL_TRACES_SAMPLER": "always_off", "OTEL_TRACES_SAMPLER_ARG": "endpoint=x"}, func(p plan) any { return p.sampler().Description() }, "AlwaysOffSampler"},
		{"name", map[string]string{"OTEL_SERVICE_NAME": "orders", "OTEL_RESOURCE_ATTRIBUTES": "service.name=other,service.version=1.2"}, func(p plan) any { return p.ServiceName + " " + p.ServiceVersion }, "orders 1.2"},
		{"name_empty", map[string]string{"OTEL_RESOURCE_ATTRIBUTES": "service.name="}, func(p plan) any { return p.ServiceName }, "unknown_service"},
		{"name_by_attribute", map[string]string{"OTEL_RESOURCE_ATTRIBUTES": "service.name=other"}, func(p plan) any { return p.ServiceName }, "other"},
		{"attributes", map[string]string{"OTEL_RESOURCE_ATTRIBUTES": "team=a%20b,zone=eu"}, func(p plan) any { return p.Attributes }, map[string]string{"team": "a b", "zone": "eu"}},
		{"interval", map[string]string{"OTEL_METRIC_EXPORT_INTERVAL": "1000"}, func(p plan) any { return p.MetricInterval }, time.Second},
		{"delays", map[string]string{"OTEL_BSP_SCHEDULE_DELAY": "200"}, func(p plan) any { return []time.Duration{p.spanDelay, p.logDelay} }, []time.Duration{200 * time.Millisecond, time.Second}},
		{"disabled", map[string]string{"OTEL_SDK_DISABLED": "True"}, func(p plan) any { return p.disabled }, true},
		{"propagators", nil, fields, []string{"baggage", "traceparent", "tracestate"}},
		{"propagators_baggage", map[string]string{"OTEL_PROPAGATORS": "baggage"}, fields, []string{"baggage"}},
		{"propagators_none", map[string]string{"OTEL_PROPAGATORS": "none"}, fields, []string{}},
		{"another_program's", map[string]string{"PATH": "/bin", "OTEL_JAVA": "?"}, func(p plan) any { return p.disabled }, false},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			p, err := read(DefaultSettings(), Surroundings{Environment: row.env})
			if err != nil {
				t.Fatal(err)
			}
			if got := row.get(p); !reflect.DeepEqual(got, row.want) {
				t.Errorf("with %v: %v, want %v", row.env, got, row.want)
			}
		})
	}
}

func fields(p plan) any {
	all := p.propagator.Fields()
	slices.Sort(all)
	return all
}

// The six samplers are those of the SDK.
func TestSettings_sampler(t *testing.T) {
	t.Parallel()
	want := []string{
		"AlwaysOnSampler", "AlwaysOffSampler", "TraceIDRatioBased{0.5}",
		"ParentBased{root:AlwaysOnSampler,", "ParentBased{root:AlwaysOffSampler,", "ParentBased{root:TraceIDRatioBased{0.5},",
	}
	for i, sampler := range samplers {
		if got := (Settings{Sampler: sampler, SampleRatio: 0.5}).sampler().Description(); !strings.HasPrefix(got, want[i]) {
			t.Errorf("%s is %s, want %s", sampler, got, want[i])
		}
	}
}

// Each variable that is wrong is named, with its value and what it may be; all of
// them at once.
func TestNew_badVariables(t *testing.T) {
	t.Parallel()
	rows := []struct{ name, value, want string }{
		{"OTEL_SDK_DISABLED", "yes", `OTEL_SDK_DISABLED: "yes", must be true or false`},
		{"OTEL_PROPAGATORS", "b3", `OTEL_PROPAGATORS: "b3", must be none, or tracecontext and baggage with a comma between`},
		{"OTEL_TRACES_EXPORTER", "zipkin", `OTEL_TRACES_EXPORTER: "zipkin", must be none, or one or more of otlp, console or json with commas between`},
		{"OTEL_METRICS_EXPORTER", "none,otlp", `OTEL_METRICS_EXPORTER: "none,otlp", must be`},
		{"OTEL_LOGS_EXPORTER", "syslog", `OTEL_LOGS_EXPORTER: "syslog", must be`},
		{"OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4317", `OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4317", must be a URL such as http://collector:4318`},
		{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://", `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://", must be a URL`},
		{"OTEL_EXPORTER_OTLP_METRICS_ENDPOINT", "http://me:s3cret@collector:4318", `OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: must be a URL without user and password; they belong into the headers`},
		{"OTEL_EXPORTER_OTLP_LOGS_ENDPOINT", "me:s3cret@collector:4318", `OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: must be a URL such as`},
		{"OTEL_EXPORTER_OTLP_PROTOCOL", "http/json", `OTEL_EXPORTER_OTLP_PROTOCOL: "http/json", must be http/protobuf or grpc`},
		{"OTEL_EXPORTER_OTLP_TIMEOUT", "10s", `OTEL_EXPORTER_OTLP_TIMEOUT: "10s", must be a whole number of milliseconds above 0`},
		{"OTEL_EXPORTER_OTLP_COMPRESSION", "zstd", `OTEL_EXPORTER_OTLP_COMPRESSION: "zstd", must be gzip or none`},
		{"OTEL_EXPORTER_OTLP_HEADERS", "Bearer s3cret", `OTEL_EXPORTER_OTLP_HEADERS: must be key1=value1,key2=value2 with percent-encoded values`},
		{"OTEL_EXPORTER_OTLP_TRACES_HEADERS", "a=s3cret%0Ab", `OTEL_EXPORTER_OTLP_TRACES_HEADERS: must be key1=value1`},
		{"OTEL_EXPORTER_OTLP_METRICS_HEADERS", "a key=s3cret", `OTEL_EXPORTER_OTLP_METRICS_HEADERS: must be key1=value1`},
		{"OTEL_EXPORTER_OTLP_LOGS_HEADERS", "schlüssel=s3cret", `OTEL_EXPORTER_OTLP_LOGS_HEADERS: must be key1=value1`},
		{"OTEL_EXPORTER_OTLP_CLIENT_KEY", "-----BEGIN PRIVATE KEY-----\ns3cret", `OTEL_EXPORTER_OTLP_CLIENT_KEY: must be the name of a file with PEM, and not the PEM itself`},
		{"OTEL_EXPORTER_OTLP_CERTIFICATE", "/nowhere/ca.pem", `OTEL_EXPORTER_OTLP_CERTIFICATE: "/nowhere/ca.pem", must be a file that can be read: open /nowhere/ca.pem: no such file or directory`},
		{"OTEL_RESOURCE_ATTRIBUTES", "team", `OTEL_RESOURCE_ATTRIBUTES: "team", must be key1=value1,key2=value2 with percent-encoded values`},
		{"OTEL_TRACES_SAMPLER", "sometimes", `OTEL_TRACES_SAMPLER: "sometimes", must be always_on, always_off, traceidratio, parentbased_always_on, parentbased_always_off or parentbased_traceidratio`},
		{"OTEL_METRIC_EXPORT_INTERVAL", "0", `OTEL_METRIC_EXPORT_INTERVAL: "0", must be a whole number`},
	}
	all := map[string]string{}
	for _, row := range rows {
		all[row.name] = row.value
	}
	_, err := New(t.Context(), DefaultSettings(), Surroundings{Environment: all})
	if err == nil {
		t.Fatal("every variable is wrong, and New says nothing")
	}
	lines := strings.Split(err.Error(), "\n")
	for _, row := range rows {
		n := 0
		for _, line := range lines {
			if strings.HasPrefix(line, row.want) {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%s=%s: %d lines %s in\n%v", row.name, row.value, n, row.want, err)
		}
	}
	if strings.Contains(err.Error(), "s3cret") {
		t.Errorf("the error shows a secret: %v", err)
	}
	var variable *VariableError
	if !errors.As(err, &variable) {
		t.Errorf("no *VariableError in %v", err)
	}
}

func TestNew_badSamplerArgument(t *testing.T) {
	t.Parallel()
	env := map[string]string{"OTEL_TRACES_SAMPLER": "traceidratio", "OTEL_TRACES_SAMPLER_ARG": "25%"}
	_, err := New(t.Context(), DefaultSettings(), Surroundings{Environment: env})
	if want := `OTEL_TRACES_SAMPLER_ARG: "25%", must be a number from 0 to 1`; err == nil || err.Error() != want {
		t.Errorf("New() = %v, want %s", err, want)
	}
}

func TestCheckSettings(t *testing.T) {
	t.Parallel()
	if err := CheckSettings(DefaultSettings()); err != nil {
		t.Errorf("the defaults: %v", err)
	}
	rows := []struct {
		name   string
		change func(*Settings)
		want   string
	}{
		{"service_name", func(s *Settings) { s.ServiceName = "" }, "telemetry.service_name: must not be empty"},
		{"exporter", func(s *Settings) { s.Logs = []Exporter{"none"} }, `telemetry.logs: "none", must be one of [otlp console json]`},
		{"password", func(s *Settings) { s.OTLP.Endpoint = "http://me:s3cret@c:4318" }, `telemetry.otlp.endpoint: must be a URL without user and password; they belong into the headers`},
		{"endpoint", func(s *Settings) { s.OTLP.Endpoint = "c:4318" }, `telemetry.otlp.endpoint: "c:4318", must be a URL such as http://collector:4318`},
		{"protocol", func(s *Settings) { s.OTLP.Protocol = "" }, `telemetry.otlp.protocol: "", must be one of [http/protobuf grpc]`},
		{"sampler", func(s *Settings) { s.Sampler = "" }, `telemetry.sampler: "", must be one of`},
		{"ratio", func(s *Settings) { s.SampleRatio = 1.5 }, "telemetry.sample_ratio: 1.5, must be from 0 to 1"},
		{"timeout", func(s *Settings) { s.OTLP.Timeout = 0 }, "telemetry.otlp.timeout: 0s, must be > 0"},
		{"delay", func(s *Settings) { s.BatchDelay = -1 }, "telemetry.batch_delay: -1ns, must be > 0"},
		{"interval", func(s *Settings) { s.MetricInterval = 0 }, "telemetry.metric_interval: 0s, must be > 0"},
		{"shutdown", func(s *Settings) { s.ShutdownTimeout = 0 }, "telemetry.shutdown_timeout: 0s, must be > 0"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s := DefaultSettings()
			row.change(&s)
			_, err := New(t.Context(), s, Surroundings{})
			if err == nil || !strings.HasPrefix(err.Error(), row.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("New() = %v, want %s", err, row.want)
			}
		})
	}
}

func TestNew_disabled(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	sdk, err := New(t.Context(), DefaultSettings(), Surroundings{Stdout: &out, Environment: map[string]string{
		"OTEL_SDK_DISABLED": "true", "OTEL_PROPAGATORS": "baggage",
	}})
	if err != nil {
		t.Fatal(err)
	}
	emit(t, sdk.Telemetry)
	if err := sdk.Shutdown(t.Context()); err != nil || out.Len() > 0 {
		t.Errorf("Shutdown() = %v, wrote %q", err, out.String())
	}
	if got := sdk.Propagator.Fields(); !slices.Equal(got, []string{"baggage"}) {
		t.Errorf("the propagator carries %v", got)
	}
}

// What counts is the environment New is given, not the test process's own.
func TestNew_ignoresTheProcess(t *testing.T) { //nolint:paralleltest // it sets the environment
	for name, value := range map[string]string{
		"OTEL_SDK_DISABLED": "true", "OTEL_TRACES_SAMPLER": "always_off", "OTEL_PROPAGATORS": "none",
		"OTEL_SERVICE_NAME": "process", "OTEL_LOGS_EXPORTER": "none",
		"OTEL_EXPORTER_OTLP_ENDPOINT": "https://process:1", "OTEL_EXPORTER_OTLP_HEADERS": "process=1",
		"OTEL_EXPORTER_OTLP_COMPRESSION": "gzip", "OTEL_EXPORTER_OTLP_INSECURE": "false",
	} {
		t.Setenv(name, value)
	}
	sendsToCollector(t, httpCollector, nil, "http://collector:4000")
}
