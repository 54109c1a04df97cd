package transport_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/brunt-go/brunt/httpclient/transport"
)

// layer is one of them around a RoundTripper that does nothing.
type layer struct {
	name        string
	of          http.RoundTripper
	allocations float64
}

func layers(tb testing.TB) []layer {
	tb.Helper()
	resp := &http.Response{StatusCode: http.StatusOK}
	none := roundTripper(func(*http.Request) (*http.Response, error) {
		resp.Body = http.NoBody
		return resp, nil
	})
	return []layer{
		{"none", none, 0},
		{"retry", transport.NewRetry(none, newPolicy(tb), nil), 0},
		{"breaker", transport.NewBreaker(none, newBreaker(tb), nil), 1},
		// A context with a deadline is four; the request for it and the body that ends it
		// are one.
		{"attempt_timeout", transport.NewAttemptTimeout(none, time.Minute), 5},
	}
}

func request(tb testing.TB) *http.Request {
	tb.Helper()
	req, err := http.NewRequestWithContext(tb.Context(), http.MethodGet, "http://payments/", nil)
	if err != nil {
		tb.Fatal(err)
	}
	return req
}

// What each layer allocates for an attempt that goes well.
func TestLayers_allocations(t *testing.T) { //nolint:paralleltest // it counts the allocations of all there is
	req := request(t)
	for _, l := range layers(t) {
		if n := testing.AllocsPerRun(200, func() {
			resp, err := l.of.RoundTrip(req)
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
		}); n > l.allocations {
			t.Errorf("%s: %v allocations, want %v", l.name, n, l.allocations)
		}
	}
}

// What each layer takes for it.
func BenchmarkLayers(b *testing.B) {
	for _, l := range layers(b) {
		b.Run(l.name, func(b *testing.B) {
			req := request(b)
			b.ReportAllocs()
			for b.Loop() {
				resp, err := l.of.RoundTrip(req)
				if err != nil {
					b.Fatal(err)
				}
				resp.Body.Close()
			}
		})
	}
}
