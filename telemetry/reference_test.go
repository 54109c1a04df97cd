package telemetry

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The page has a row for each variable that is read, and for no other.
func TestReference_variables(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../docs/reference/telemetry.md")
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for _, m := range regexp.MustCompile("(?m)^\\| `(OTEL_\\w+)` \\|").FindAllStringSubmatch(string(page), -1) {
		listed = append(listed, m[1])
	}
	var asked []string
	v := &variables{lookup: func(name string) string {
		// The page says once that those of the collector are there for each signal.
		for _, signal := range []string{"TRACES_", "METRICS_", "LOGS_"} {
			name = strings.Replace(name, "OTEL_EXPORTER_OTLP_"+signal, "OTEL_EXPORTER_OTLP_", 1)
		}
		asked = append(asked, name)
		if name == "OTEL_TRACES_SAMPLER" {
			return string(SamplerTraceIDRatio) // or its argument is of no interest
		}
		return ""
	}}
	if _, err := v.plan(DefaultSettings()); err != nil {
		t.Fatal(err)
	}
	slices.Sort(listed)
	slices.Sort(asked)
	if asked = slices.Compact(asked); !slices.Equal(listed, asked) {
		t.Errorf("docs/reference/telemetry.md lists\n%q\nread are\n%q", listed, asked)
	}
}
