package fit_test

import (
	"context"
	"testing"
	"time"

	"go.opentelemetry.io/otel/baggage"

	"github.com/brunt-go/brunt/fit"
)

// X5: the same result as decoding each time, without decoding again.
func TestEvaluator_Remember(t *testing.T) {
	t.Parallel()
	decodes, seen := 0, 0
	scenarios := registry{"one": {Rules: []fit.Rule{abort("a")}}, "two": {Rules: []fit.Rule{delay("a", time.Second)}}}
	e := fit.NewEvaluator(keyed{scenarios, &decodes}, time.Minute, func(context.Context, fit.Evaluation) { seen++ })
	ctx := e.Remember(with(t, t.Context(), key, "one", "tenant", "acme"))

	for range 5 {
		if got := e.Eval(ctx, "a"); !got.Abort {
			t.Fatalf("Eval = %+v, want an abort", got)
		}
	}
	if got := e.Eval(with(t, ctx, "tenant", "other"), "a"); !got.Abort {
		t.Errorf("with another tenant Eval = %+v, want an abort", got)
	}
	if decodes != 1 || seen != 6 {
		t.Errorf("decoded %d times and observed %d, want 1 and 6", decodes, seen)
	}

	if got := e.Eval(with(t, ctx, key, "two"), "a"); got != (fit.Fault{Delay: time.Second}) {
		t.Errorf("with another scenario Eval = %+v, want its delay", got)
	}
	if stripped, _ := e.Strip(ctx); e.Eval(stripped, "a") != (fit.Fault{}) {
		t.Error("a scenario was remembered past Strip")
	}
	other := fit.NewEvaluator(keyed{registry{"one": {}}, &decodes}, time.Minute, nil)
	if got := other.Eval(ctx, "a"); got.Abort {
		t.Error("another Evaluator used what this one remembered")
	}
	rejected := e.Remember(with(t, t.Context(), key, "nobody knows"))
	before := decodes
	if got := e.Eval(rejected, "a"); got != (fit.Fault{}) || decodes != before {
		t.Errorf("a rejected scenario gave %+v and was decoded again", got)
	}
	plain := fit.NewEvaluator(scenarios, time.Minute, nil)
	if ctx := with(t, t.Context(), key, "one"); plain.Remember(ctx) != ctx {
		t.Error("Remember remembered for a Decoder that may change its mind")
	}
}

// A Decoder of two members: each of them counts.
type pair struct{ decodes *int }

func (pair) Keys() []string { return []string{"fail", "slow"} }

func (p pair) Decode(b baggage.Baggage) (fit.Scenario, bool, error) {
	*p.decodes++
	var s fit.Scenario
	if m := b.Member("fail"); m.Key() != "" {
		s.Rules = append(s.Rules, abort(m.Value()))
	}
	if m := b.Member("slow"); m.Key() != "" {
		s.Rules = append(s.Rules, delay(m.Value(), time.Second))
	}
	return s, s.Rules != nil, nil
}

func (pair) Strip(b baggage.Baggage) baggage.Baggage {
	return b.DeleteMember("fail").DeleteMember("slow")
}

// X5: whichever member changes, appears or goes, what was remembered is not
// used for it.
func TestEvaluator_Remember_severalMembers(t *testing.T) {
	t.Parallel()
	none := baggage.ContextWithoutBaggage(t.Context())
	baggages := []context.Context{
		none,
		with(t, none, "fail", "a"), with(t, none, "fail", "b"), with(t, none, "fail", ""),
		with(t, none, "slow", "a"), with(t, none, "slow", "b"), with(t, none, "slow", ""),
		with(t, none, "fail", "a", "slow", "a"), with(t, none, "fail", "a", "slow", "b"), with(t, none, "fail", "b", "slow", "a"),
		with(t, none, "fail", "", "slow", "a"), with(t, none, "fail", "a", "slow", ""),
	}
	decodes := 0
	e := fit.NewEvaluator(pair{&decodes}, time.Minute, nil)
	for i, first := range baggages {
		remembered := e.Remember(first)
		for j, then := range baggages {
			ctx := baggage.ContextWithBaggage(remembered, baggage.FromContext(then))
			before := decodes
			got, want := e.Eval(ctx, "a"), e.Eval(then, "a")
			if got != want {
				t.Errorf("%q remembered, then %q: Eval = %+v, want %+v", baggage.FromContext(first), baggage.FromContext(then), got, want)
			}
			if i == j && i > 0 && decodes != before+1 { // the one of then
				t.Errorf("%q was decoded again", baggage.FromContext(first))
			}
		}
	}
}
