package telemetry

import (
	"errors"
	"strings"
	"testing"
)

// Whatever a variable says, it is used or named in the error, and no header's value is
// ever shown.
func FuzzRead(f *testing.F) {
	names := []string{
		"OTEL_SDK_DISABLED", "OTEL_PROPAGATORS", "OTEL_SERVICE_NAME", "OTEL_RESOURCE_ATTRIBUTES", "OTEL_TRACES_EXPORTER",
		"OTEL_TRACES_SAMPLER", "OTEL_TRACES_SAMPLER_ARG", "OTEL_METRIC_EXPORT_INTERVAL", "OTEL_EXPORTER_OTLP_ENDPOINT",
		"OTEL_EXPORTER_OTLP_PROTOCOL", "OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_LOGS_TIMEOUT", "OTEL_EXPORTER_OTLP_COMPRESSION",
	}
	for i, value := range []string{
		"true", "baggage,tracecontext", "orders", "team=a%20b,zone=eu", "otlp,console", "traceidratio", "0.5", "1000",
		"https://collector:4318/in", "grpc", "token=s3cret,", "2500", "gzip", "%zz=%zz", "http://[::1", "NaN", "-1", "=,=", "service.name=", "a=%0Ab",
	} {
		f.Add(uint8(i), value)
		f.Add(uint8(3), value)
		f.Add(uint8(10), value)
	}
	f.Fuzz(func(t *testing.T, which uint8, value string) {
		name := names[int(which)%len(names)]
		p, err := read(DefaultSettings(), Surroundings{Environment: map[string]string{name: value, "OTEL_TRACES_SAMPLER": "traceidratio"}})
		if err == nil {
			if err := CheckSettings(p.Settings); err != nil {
				t.Errorf("%s=%q was taken: %v", name, value, err)
			}
			return
		}
		var variable *VariableError
		if !errors.As(err, &variable) || variable.Name != name {
			t.Errorf("%s=%q: %v", name, value, err)
		}
		if name == "OTEL_EXPORTER_OTLP_HEADERS" && variable.Value != "" {
			t.Errorf("the error shows %q", variable.Value)
		}
		if strings.Contains(err.Error(), "\n") {
			t.Errorf("one variable, and several lines: %v", err)
		}
	})
}
