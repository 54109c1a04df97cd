package faulthttp

import (
	"net/http"

	"github.com/brunt-go/brunt/fault"
	"github.com/brunt-go/brunt/internal/baggageheader"
)

// Handler decides whose scenarios reach the handler inside. The scenario of a
// caller it doesn't trust is taken out of the request's context and of its
// baggage header; all other baggage stays, and the request is served. It is no
// injection point. It is safe for concurrent use.
type Handler struct {
	next   http.Handler
	faults fault.Injector
	trust  func(*http.Request) bool
}

var _ http.Handler = (*Handler)(nil)

// NewHandler returns next behind the decision. With the zero Injector it is
// next alone.
func NewHandler(next http.Handler, faults fault.Injector, options ...HandlerOption) *Handler {
	h := &Handler{next: next, faults: faults}
	for _, option := range options {
		option(h)
	}
	return h
}

// ServeHTTP implements [http.Handler].
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ctx, carries := carried(r.Context(), r.Header, h.faults)
	if !carries {
		h.next.ServeHTTP(w, r)
		return
	}
	ctx = h.faults.Admit(ctx, func() bool { return h.trust != nil && h.trust(r) })
	inner := r.WithContext(ctx)
	if !h.faults.Carries(ctx) {
		inner.Header = r.Header.Clone()
		baggageheader.Strip(inner.Header, h.faults)
	}
	// A mux inside says which of its routes it took, which otelhttp outside wants to
	// know, and the server wants to remove the files of a form.
	defer func() { r.Pattern, r.MultipartForm = inner.Pattern, inner.MultipartForm }()
	h.next.ServeHTTP(w, inner)
}
