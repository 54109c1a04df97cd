package httpclient

import (
	"net/http"
	"strconv"
	"sync/atomic"
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
	last   atomic.Pointer[milliseconds]
}

// milliseconds is a header's value. Nearly all attempts of a client have as long as the
// one before, and share it.
type milliseconds struct {
	n     int64
	value []string
}

// RoundTrip implements http.RoundTripper.
func (r *remaining) RoundTrip(req *http.Request) (*http.Response, error) {
	if deadline, ok := req.Context().Deadline(); ok && r.header != "" {
		req.Header[r.header] = r.value(max(1, time.Until(deadline).Milliseconds())) // 0 is for ever, to some
	}
	return r.base.RoundTrip(req)
}

func (r *remaining) value(ms int64) []string {
	last := r.last.Load()
	if last == nil || last.n != ms {
		last = &milliseconds{ms, []string{strconv.FormatInt(ms, 10)}}
		r.last.Store(last)
	}
	return last.value
}
