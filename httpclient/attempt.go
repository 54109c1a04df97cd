package httpclient

import (
	"net/http"
	"strconv"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/brunt-go/brunt/fit"
)

// resent tells the attempt's span which attempt it is, in OpenTelemetry's word for it.
type resent struct{ base http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (r resent) RoundTrip(req *http.Request) (*http.Response, error) {
	if n := fit.AttemptFromContext(req.Context()); n > 1 {
		trace.SpanFromContext(req.Context()).SetAttributes(attribute.Int("http.request.resend_count", n-1))
	}
	return r.base.RoundTrip(req)
}

// remaining tells the service how long the attempt still has. It is the last layer, so
// that a delay at the point has been waited, and the request is otelhttp's copy of the
// caller's: its header may be written to.
type remaining struct {
	base   http.RoundTripper
	header string
}

// RoundTrip implements http.RoundTripper.
func (r remaining) RoundTrip(req *http.Request) (*http.Response, error) {
	if deadline, ok := req.Context().Deadline(); ok && r.header != "" {
		ms := max(1, time.Until(deadline).Milliseconds()) // 0 is for ever, to some
		req.Header[r.header] = []string{strconv.FormatInt(ms, 10)}
	}
	return r.base.RoundTrip(req)
}
