package faulthttp

import (
	"context"
	"net"
	"net/http"
	"strings"

	"go.opentelemetry.io/otel/propagation"

	"github.com/brunt-go/brunt/fault"
	"github.com/brunt-go/brunt/fit"
)

// Transport is an injection point around a RoundTripper. Each request it is
// given is an attempt: it evaluates its point http:<host>:<port>, always with
// the port, waits, and then sends the request, fails it like a connection that
// can't be made, answers it, or loses its answer. It is safe for concurrent use.
type Transport struct {
	base       http.RoundTripper
	faults     fault.Injector
	forward    bool
	propagator propagation.TextMapPropagator // nil is W3C's
}

var _ http.RoundTripper = (*Transport)(nil)

// NewTransport returns base with an injection point around it. A nil base is
// [http.DefaultTransport]. With the zero Injector it is base alone.
func NewTransport(base http.RoundTripper, faults fault.Injector, options ...TransportOption) *Transport {
	if base == nil {
		base = http.DefaultTransport
	}
	t := &Transport{base: base, faults: faults}
	for _, option := range options {
		option(t)
	}
	return t
}

// RoundTrip implements [http.RoundTripper]. An attempt that a fault ends fails
// with a [*fault.InjectedError], which an [http.Client] wraps in a *url.Error,
// unless its own Timeout ends the call: net/http then reports that instead.
func (t *Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx, carries := carried(req.Context(), req.Header, t.faults)
	if !carries {
		return t.base.RoundTrip(req)
	}
	point := Point(req)
	f := t.faults.Eval(ctx, point)
	if resp, err := before(ctx, req, point, f); resp != nil || err != nil {
		if req.Body != nil {
			req.Body.Close() // a RoundTripper closes it, whatever happens
		}
		return resp, err
	}
	out := t.outgoing(ctx, req)
	if f.Lost {
		return nil, t.lose(out, point)
	}
	resp, err := t.base.RoundTrip(out)
	if err != nil {
		return resp, err
	}
	resp.Request = req
	return resp, nil
}

// CloseIdleConnections closes those of the RoundTripper inside, as an
// [http.Client] asks.
func (t *Transport) CloseIdleConnections() {
	if c, ok := t.base.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

// Point is the injection point of req: http:<host>:<port>, in lower case, with
// the scheme's port when the URL has none.
func Point(req *http.Request) string {
	port := req.URL.Port()
	if port == "" {
		port = "80"
		if strings.EqualFold(req.URL.Scheme, "https") {
			port = "443"
		}
	}
	return "http:" + net.JoinHostPort(strings.ToLower(req.URL.Hostname()), port)
}

// before carries out the part of f before req is sent. It returns nothing when
// req is to be sent.
func before(ctx context.Context, req *http.Request, point string, f fit.Fault) (*http.Response, error) {
	if f.Reply.Status == 0 {
		return nil, fault.Before(ctx, point, f)
	}
	if err := f.Wait(ctx); err != nil {
		return nil, &fault.InjectedError{Point: point, Err: err}
	}
	return reply(req, f.Reply), nil
}
