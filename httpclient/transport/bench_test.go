package transport_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/brunt-go/brunt/httpclient/transport"
)

// What each layer costs an attempt that goes well.
func BenchmarkLayers(b *testing.B) {
	resp := &http.Response{StatusCode: http.StatusOK}
	none := roundTripper(func(*http.Request) (*http.Response, error) {
		resp.Body = http.NoBody
		return resp, nil
	})
	for _, row := range []struct {
		name  string
		layer http.RoundTripper
	}{
		{"none", none},
		{"retry", transport.NewRetry(none, newPolicy(b), nil)},
		{"breaker", transport.NewBreaker(none, newBreaker(b), nil)},
		{"attempt_timeout", transport.NewAttemptTimeout(none, time.Minute)},
	} {
		b.Run(row.name, func(b *testing.B) {
			req, err := http.NewRequestWithContext(b.Context(), http.MethodGet, "http://payments/", nil)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				resp, err := row.layer.RoundTrip(req)
				if err != nil {
					b.Fatal(err)
				}
				resp.Body.Close()
			}
		})
	}
}
