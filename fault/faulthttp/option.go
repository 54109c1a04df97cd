package faulthttp

import (
	"net/http"

	"go.opentelemetry.io/otel/propagation"
)

// TransportOption changes a Transport's defaults.
type TransportOption func(*Transport)

// ForwardScenario sends the scenario a call carries on to the dependency, for a
// dependency that takes part with the same codec. It still decides for itself
// whether to trust it.
//
// Default: the scenario is stripped from what is sent; all other baggage goes.
func ForwardScenario() TransportOption {
	return func(t *Transport) { t.forward = true }
}

// WithPropagator names the propagator that writes the headers of the requests,
// for a program whose baggage is not in the baggage header. To strip a scenario
// its fields are deleted and written anew from the context.
//
// Default: W3C baggage and trace context. The scenario's members are then taken
// out of the baggage header, and everything else stays as it was written.
func WithPropagator(p propagation.TextMapPropagator) TransportOption {
	return func(t *Transport) { t.propagator = p }
}

// HandlerOption changes a Handler's defaults.
type HandlerOption func(*Handler)

// TrustScenario sets who is trusted: trust reports whether the scenario that r
// carries reaches the handler. It is asked only about a request that carries
// one, before any of the handler's code, so authentication has not run yet. A
// verified client certificate, a listener only internal callers reach, or a
// header that a gateway sets and strips is what it can go by. A panic in it is
// the handler's.
//
// Default: nil, which trusts no caller.
func TrustScenario(trust func(r *http.Request) bool) HandlerOption {
	return func(h *Handler) { h.trust = trust }
}
