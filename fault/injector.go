package fault

import (
	"context"

	"go.opentelemetry.io/otel/baggage"

	"github.com/brunt-go/brunt/fit"
)

// Injector is a program's failure injection: servers strip scenarios with it,
// and clients evaluate their points. The zero Injector is off: Eval returns the
// zero Fault, and Strip returns its context unchanged. It is fixed once built,
// may be copied and is safe for concurrent use.
type Injector struct{ evaluator fit.Evaluator }

// New checks settings, reporting every bad field in one error that names each
// one, and returns the Injector.
func New(settings Settings) (Injector, error) {
	if err := settings.check(); err != nil {
		return Injector{}, err
	}
	return Injector{fit.NewEvaluator(settings.Decoder, settings.MaxDelay, evaluated)}, nil
}

// Eval returns the Fault that the point named point emulates for the request
// ctx belongs to. A request with no scenario gets the zero Fault. On a request
// with one, every evaluation, matched or not, is a brunt.fit.evaluation event on
// the span in ctx.
func (in Injector) Eval(ctx context.Context, point string) fit.Fault {
	return in.evaluator.Eval(ctx, point)
}

// Strip returns ctx with the Decoder's members removed from its baggage, and
// whether there were any. Every other member stays. A strip is a brunt.fit.strip
// event on the span in ctx.
func (in Injector) Strip(ctx context.Context) (context.Context, bool) {
	stripped, ok := in.evaluator.Strip(ctx)
	if ok {
		reportStrip(ctx)
	}
	return stripped, ok
}

// StripBaggage is Strip for baggage outside a context, such as a header's. It
// adds no event.
func (in Injector) StripBaggage(b baggage.Baggage) (baggage.Baggage, bool) {
	return in.evaluator.StripBaggage(b)
}

// MayBeIn reports whether text, of a baggage header, may carry a scenario. It is
// a quick look, for those who read headers themselves: false is certain.
func (in Injector) MayBeIn(text string) bool { return in.evaluator.MayBeIn(text) }

// Carries reports whether the request ctx belongs to carries a scenario: whether
// Strip would remove something. A scenario the Decoder rejects is one too.
func (in Injector) Carries(ctx context.Context) bool { return in.evaluator.Carries(ctx) }

// Remember returns ctx with the request's scenario decoded, so that the points
// it passes don't decode it again. The result of each evaluation is the same.
func (in Injector) Remember(ctx context.Context) context.Context {
	return in.evaluator.Remember(ctx)
}

// Admit is what a server does with a request that just arrived, after it
// extracted the baggage and before any other code sees it. The scenario of a
// caller that trusted vouches for stays; any other is stripped. trusted is asked
// only about a request that carries a scenario; nil trusts no caller.
func (in Injector) Admit(ctx context.Context, trusted func() bool) context.Context {
	if !in.Carries(ctx) {
		return ctx
	}
	if trusted != nil && trusted() {
		return in.Remember(ctx)
	}
	ctx, _ = in.Strip(ctx)
	return ctx
}
