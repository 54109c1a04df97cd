package fit

import (
	"testing"

	"go.opentelemetry.io/otel/trace"
)

// These numbers choose requests in scenarios people have written down: they
// must not change.
func TestUnit_isForever(t *testing.T) {
	t.Parallel()
	id, err := trace.TraceIDFromHex("4bf92f3577b34da6a3ce929d0e0e4736")
	if err != nil {
		t.Fatal(err)
	}
	rows := []struct {
		seed    uint64
		point   string
		attempt int
		want    float64
	}{
		{0, "http:payments:8443", 1, 0.9915125265251845},
		{0, "http:payments:8443", 2, 0.8938231063075364},
		{20260731, "http:payments:8443", 1, 0.883949161041528},
		{1 << 40, "kafka:orders", 1, 0.6245311265811324},
	}
	for _, row := range rows {
		if got := unit(row.seed, id, row.point, row.attempt); got != row.want {
			t.Errorf("unit(%d, %v, %q, %d) = %v, want %v", row.seed, id, row.point, row.attempt, got, row.want)
		}
	}
}
