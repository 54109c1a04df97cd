package fit

import (
	"context"
	"strings"
	"time"

	"go.opentelemetry.io/otel/baggage"
)

// Evaluator decides what happens to a request at a point. Build one at start
// and copy it freely: it is fixed, keeps nothing between calls and is safe for
// concurrent use. The zero Evaluator is off: it finds no scenario anywhere.
type Evaluator struct{ *evaluator }

type evaluator struct {
	decoder  Decoder
	keys     []string // of a KeyedDecoder, or none
	maxDelay time.Duration
	observe  ObserveFunc
}

// ObserveFunc is told of each evaluation on a request that carries a scenario,
// on the goroutine that evaluates. It must be safe for concurrent use.
type ObserveFunc func(ctx context.Context, e Evaluation)

// Evaluation is what an Evaluator decided.
type Evaluation struct {
	// Point is the point that was evaluated.
	Point string
	// Matched is whether a rule decided. If not, the point was spared.
	Matched bool
	// Rule is the Point of the rule that decided.
	Rule string
	// Fault is what the point emulates, its Delay clamped.
	Fault Fault
	// Err is why the Decoder rejected the scenario, or nil.
	Err error
}

// NewEvaluator returns the Evaluator of the scenarios decoder reads. A Delay
// longer than maxDelay is clamped to it, so that services with different
// maximums still agree on the rest of a scenario; no point waits at all when
// maxDelay is not positive. observe may be nil. A nil decoder makes the zero
// Evaluator.
func NewEvaluator(decoder Decoder, maxDelay time.Duration, observe ObserveFunc) Evaluator {
	if decoder == nil {
		return Evaluator{}
	}
	e := &evaluator{decoder: decoder, maxDelay: max(maxDelay, 0), observe: observe}
	if keyed, ok := decoder.(KeyedDecoder); ok {
		e.keys = append(e.keys, keyed.Keys()...)
	}
	return Evaluator{e}
}

// Eval returns the Fault that point emulates for the request ctx belongs to:
// the zero Fault when the request carries no scenario, when no rule matches, and
// when the Decoder rejects the scenario.
func (e Evaluator) Eval(ctx context.Context, point string) Fault {
	if e.evaluator == nil {
		return Fault{}
	}
	s, ok, err := e.scenario(ctx)
	if err != nil {
		e.report(ctx, Evaluation{Point: point, Err: err})
		return Fault{}
	}
	if !ok {
		return Fault{}
	}
	at := s.Decide(ctx, point)
	if at < 0 {
		e.report(ctx, Evaluation{Point: point})
		return Fault{}
	}
	rule := &s.Rules[at]
	fault := rule.Fault
	fault.Delay = min(max(fault.Delay, 0), e.maxDelay)
	e.report(ctx, Evaluation{Point: point, Matched: true, Rule: rule.Point, Fault: fault})
	return fault
}

// Carries reports whether the request ctx belongs to carries a scenario, one
// the Decoder would reject included: whether Strip would remove something.
func (e Evaluator) Carries(ctx context.Context) bool {
	return e.evaluator != nil && e.carries(baggage.FromContext(ctx))
}

// Strip returns ctx without the scenario in its baggage, and whether there was
// one. Every other member stays.
func (e Evaluator) Strip(ctx context.Context) (context.Context, bool) {
	if e.evaluator == nil {
		return ctx, false
	}
	b := baggage.FromContext(ctx)
	if len(e.keys) > 0 && !e.present(b) || b.Len() == 0 {
		return ctx, false
	}
	stripped := e.decoder.Strip(b)
	if stripped.Len() == b.Len() {
		return ctx, false
	}
	return baggage.ContextWithBaggage(ctx, stripped), true
}

// StripBaggage returns b without a scenario, and whether there was one. It is
// for what carries baggage outside a context, such as a header.
func (e Evaluator) StripBaggage(b baggage.Baggage) (baggage.Baggage, bool) {
	if e.evaluator == nil || !e.carries(b) {
		return b, false
	}
	return e.decoder.Strip(b), true
}

// MayBeIn reports whether text, of a baggage header, may carry a scenario. It is
// a quick look, for those who read headers themselves: false is certain.
func (e Evaluator) MayBeIn(text string) bool {
	if e.evaluator == nil {
		return false
	}
	for _, key := range e.keys {
		if strings.Contains(text, key) {
			return true
		}
	}
	return len(e.keys) == 0
}

func (e *evaluator) carries(b baggage.Baggage) bool {
	if len(e.keys) > 0 {
		return e.present(b)
	}
	return b.Len() > 0 && e.decoder.Strip(b).Len() < b.Len()
}

// present reports whether b has a member a KeyedDecoder reads.
func (e *evaluator) present(b baggage.Baggage) bool {
	at, _ := e.first(b)
	return at >= 0
}

// first returns the first member in b a KeyedDecoder reads and the place of its
// key, or -1.
func (e *evaluator) first(b baggage.Baggage) (int, member) {
	if b.Len() == 0 {
		return -1, member{}
	}
	for i, key := range e.keys {
		if m := read(b, key); m.key != "" {
			return i, m
		}
	}
	return -1, member{}
}

// scenario returns the scenario of the request ctx belongs to.
func (e *evaluator) scenario(ctx context.Context) (Scenario, bool, error) {
	b := baggage.FromContext(ctx)
	if len(e.keys) > 0 {
		at, found := e.first(b)
		if at < 0 {
			return Scenario{}, false, nil
		}
		if m, ok := ctx.Value(memoKey{}).(*memo); ok && m.of(e, b, at, found) {
			return m.scenario, m.ok, m.err
		}
	}
	return e.decoder.Decode(b)
}

func (e *evaluator) report(ctx context.Context, ev Evaluation) {
	if e.observe != nil {
		e.observe(ctx, ev)
	}
}
