package httpserver

import (
	"context"
	"errors"
	"net/http"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/fault/faulthttp"
	"github.com/brunt-go/brunt/telemetry"
)

const scopeName = "github.com/brunt-go/brunt/httpserver"

// NewHandler returns next behind the layers that a Service puts before its handler, for
// an http.Server there is already. Of settings it takes TrustScenario, RemainingHeader
// and MaxBodyBytes; everything else is the server's to have.
func NewHandler(s *brunt.Setup, settings Settings, next http.Handler) (http.Handler, error) {
	err := settingsError(
		named("RemainingHeader", CheckRemainingHeader(settings.RemainingHeader)),
		named("MaxBodyBytes", CheckMax(settings.MaxBodyBytes)))
	if next == nil {
		err = errors.Join(err, errors.New("httpserver: the handler is nil"))
	}
	if err != nil {
		return nil, err
	}
	return newHandler(s, settings, next, newComplaints(s.Telemetry.Logger(scopeName))), nil
}

// newHandler builds the layers. They are few and flat on purpose: each HTTP/2 request has
// a stack of its own, and its growing is dearer than all that the layers do.
func newHandler(s *brunt.Setup, settings Settings, next http.Handler, c *complaints) *limit {
	h := http.Handler(faulthttp.NewHandler(next, s.Faults, faulthttp.TrustScenario(settings.TrustScenario)))
	h = &rescue{
		next: h, bytes: settings.MaxBodyBytes, remaining: http.CanonicalHeaderKey(settings.RemainingHeader),
		complaints: c, stopping: s.Stopping(), epoch: time.Now(),
	}
	h = otelhttp.NewHandler(h, "http server", instrumented(s.Telemetry)...)
	return &limit{next: h, bytes: settings.MaxBodyBytes}
}

// instrumented has otelhttp use t and, where that has nothing, nothing: never what is
// global.
func instrumented(t telemetry.Telemetry) []otelhttp.Option {
	off := telemetry.Noop()
	if t.TracerProvider == nil {
		t.TracerProvider = off.TracerProvider
	}
	if t.MeterProvider == nil {
		t.MeterProvider = off.MeterProvider
	}
	if t.Propagator == nil {
		t.Propagator = off.Propagator
	}
	return []otelhttp.Option{
		otelhttp.WithTracerProvider(t.TracerProvider),
		otelhttp.WithMeterProvider(t.MeterProvider),
		otelhttp.WithPropagators(t.Propagator),
	}
}

// limit is the layer that cuts bodies off: those of requests that are too large, and
// those of answers that went wrong half-way. It is outermost, because net/http ends the
// connection of a body that is too large only if it finds its own ResponseWriter.
type limit struct {
	next    http.Handler
	bytes   int64
	running atomic.Int64 // requests
}

// ServeHTTP implements http.Handler.
func (l *limit) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	reached(r.Context())
	l.running.Add(1)
	defer l.running.Add(-1)
	wrapped, out := newAnswer(w)
	if r.Body == nil || r.Body == http.NoBody {
		l.next.ServeHTTP(wrapped, r)
	} else {
		// A copy: net/http looks into r.Body for whether the client waits to be told to
		// send it, before it reads the rest of it.
		limited := new(*r)
		limited.Body = http.MaxBytesReader(w, r.Body, l.bytes)
		defer func() { r.MultipartForm = limited.MultipartForm }() // for net/http to remove its files
		l.next.ServeHTTP(wrapped, limited)
	}
	if out.cut {
		panic(http.ErrAbortHandler) // out here, where it is not in the way of the span
	}
}

// settle waits for the requests that the server doesn't: those whose handlers took their
// connections over.
func (l *limit) settle(ctx context.Context) error {
	ticker := time.NewTicker(10 * time.Millisecond)
	defer ticker.Stop()
	for l.running.Load() > 0 {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticker.C:
		}
	}
	return nil
}
