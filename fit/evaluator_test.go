package fit_test

import (
	"context"
	"math"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/baggage"

	"github.com/brunt-go/brunt/fit"
)

func abort(point string) fit.Rule { return fit.Rule{Point: point, Fault: fit.Fault{Abort: true}} }

func delay(point string, d time.Duration) fit.Rule {
	return fit.Rule{Point: point, Fault: fit.Fault{Delay: d}}
}

func TestEvaluator_rules(t *testing.T) {
	t.Parallel()
	second := fit.Fault{Delay: time.Second}
	aborted := fit.Fault{Abort: true}
	rows := []struct {
		name  string
		rules []fit.Rule
		point string
		want  fit.Fault
		rule  string // "" when none matches
	}{
		// R1: a rule names a point and a delay, an abort, or both.
		{"delay", []fit.Rule{delay("a", time.Second)}, "a", second, "a"},
		{"abort", []fit.Rule{abort("a")}, "a", aborted, "a"},
		{"both", []fit.Rule{{Point: "a", Fault: fit.Fault{Delay: time.Second, Abort: true}}}, "a", fit.Fault{Delay: time.Second, Abort: true}, "a"},
		// R2: the first that matches decides.
		{"first_wins", []fit.Rule{delay("http:*", time.Second), abort("http:payments:8443")}, "http:payments:8443", second, "http:*"},
		{"order_counts", []fit.Rule{abort("http:payments:8443"), delay("http:*", time.Second)}, "http:payments:8443", aborted, "http:payments:8443"},
		{"a_rule_without_a_fault_spares", []fit.Rule{{Point: "a"}, abort("*")}, "a", fit.Fault{}, "a"},
		// R3: no rule, no fault.
		{"no_match", []fit.Rule{abort("http:ledger:8443")}, "http:payments:8443", fit.Fault{}, ""},
		// R4, R73: exact, prefix, lone star.
		{"exact_is_no_prefix", []fit.Rule{abort("http:payments")}, "http:payments:8443", fit.Fault{}, ""},
		{"prefix", []fit.Rule{abort("http:*")}, "http:payments:8443", aborted, "http:*"},
		{"prefix_of_another_kind", []fit.Rule{abort("http:*")}, "kafka:orders", fit.Fault{}, ""},
		{"prefix_matches_itself", []fit.Rule{abort("http:*")}, "http:", aborted, "http:*"},
		{"lone_star", []fit.Rule{abort("*")}, "anything", aborted, "*"},
		{"lone_star_and_no_name", []fit.Rule{abort("*")}, "", aborted, "*"},
		{"star_at_the_start_is_a_letter", []fit.Rule{abort("*x")}, "axx", fit.Fault{}, ""},
		{"case_counts", []fit.Rule{abort("HTTP:*")}, "http:payments:8443", fit.Fault{}, ""},
		// R7: no rules inject nothing.
		{"no_rules", nil, "a", fit.Fault{}, ""},
		// R9: a delay is clamped, all else stays.
		{"clamped", []fit.Rule{{Point: "a", Fault: fit.Fault{Delay: time.Hour, Abort: true}}}, "a", fit.Fault{Delay: 10 * time.Second, Abort: true}, "a"},
		{"longest_delay", []fit.Rule{delay("a", math.MaxInt64)}, "a", fit.Fault{Delay: 10 * time.Second}, "a"},
		{"at_the_maximum", []fit.Rule{delay("a", 10*time.Second)}, "a", fit.Fault{Delay: 10 * time.Second}, "a"},
		{"negative", []fit.Rule{delay("a", -time.Second)}, "a", fit.Fault{}, "a"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			var seen []fit.Evaluation
			e := fit.NewEvaluator(registry{"it": {Rules: row.rules}}, 10*time.Second,
				func(_ context.Context, ev fit.Evaluation) { seen = append(seen, ev) })
			got := e.Eval(with(t, t.Context(), key, "it"), row.point)
			if got != row.want {
				t.Errorf("Eval(%q) = %+v, want %+v", row.point, got, row.want)
			}
			want := []fit.Evaluation{{Point: row.point, Matched: row.rule != "", Rule: row.rule, Fault: row.want}}
			if diff := cmp.Diff(want, seen); diff != "" {
				t.Errorf("observed (-want +got):\n%s", diff)
			}
		})
	}
}

// R6, R45: without a scenario nothing happens and nobody is told.
func TestEvaluator_noScenario(t *testing.T) {
	t.Parallel()
	decodes := 0
	for name, decoder := range map[string]fit.Decoder{"plain": registry{}, "keyed": keyed{registry{}, &decodes}} {
		e := fit.NewEvaluator(decoder, time.Second, func(context.Context, fit.Evaluation) {
			t.Errorf("%s: an evaluation without a scenario was observed", name)
		})
		for _, ctx := range []context.Context{t.Context(), with(t, t.Context(), "tenant", "acme")} {
			if got := e.Eval(ctx, "a"); got != (fit.Fault{}) {
				t.Errorf("%s: Eval = %+v, want the zero Fault", name, got)
			}
			if e.Carries(ctx) {
				t.Errorf("%s: Carries is true without a scenario", name)
			}
			if same, ok := e.Strip(ctx); same != ctx || ok {
				t.Errorf("%s: Strip changed a context without a scenario", name)
			}
			if same := e.Remember(ctx); same != ctx {
				t.Errorf("%s: Remember changed a context without a scenario", name)
			}
		}
	}
	if decodes != 0 {
		t.Errorf("decoded %d times, want 0: the member's absence says it all", decodes)
	}
}

// R10: a rejected scenario harms nobody and is reported.
func TestEvaluator_rejected(t *testing.T) {
	t.Parallel()
	var seen []fit.Evaluation
	e := fit.NewEvaluator(registry{}, time.Second, func(_ context.Context, ev fit.Evaluation) { seen = append(seen, ev) })
	ctx := with(t, t.Context(), key, "nobody knows")
	if got := e.Eval(ctx, "a"); got != (fit.Fault{}) {
		t.Errorf("Eval = %+v, want the zero Fault", got)
	}
	if len(seen) != 1 || seen[0] != (fit.Evaluation{Point: "a", Err: errUnknown}) {
		t.Errorf("observed %+v, want one evaluation with the decoder's error", seen)
	}
	if !e.Carries(ctx) {
		t.Error("a scenario that is rejected is carried all the same")
	}
}

// R8: each call decodes, from the baggage of its own context.
func TestEvaluator_keepsNothing(t *testing.T) {
	t.Parallel()
	decodes := 0
	scenarios := registry{"one": {Rules: []fit.Rule{abort("a")}}, "two": {}}
	e := fit.NewEvaluator(keyed{scenarios, &decodes}, time.Second, nil)
	one := with(t, t.Context(), key, "one")
	for i := range 3 {
		if got := e.Eval(one, "a"); !got.Abort {
			t.Fatalf("Eval = %+v, want an abort", got)
		}
		if got := e.Eval(with(t, one, key, "two"), "a"); got.Abort {
			t.Fatalf("Eval of another scenario = %+v, want none", got)
		}
		if want := 2 * (i + 1); decodes != want {
			t.Fatalf("decoded %d times, want %d", decodes, want)
		}
	}
}

// R11, R26, R44: Strip removes what Decode reads, and nothing else.
func TestEvaluator_Strip(t *testing.T) {
	t.Parallel()
	decodes := 0
	for name, decoder := range map[string]fit.Decoder{"plain": registry{"it": {}}, "keyed": keyed{registry{"it": {}}, &decodes}} {
		e := fit.NewEvaluator(decoder, time.Second, nil)
		ctx := with(t, t.Context(), key, "it", "tenant", "acme")
		stripped, ok := e.Strip(ctx)
		if !ok {
			t.Errorf("%s: Strip found no scenario", name)
		}
		b := baggage.FromContext(stripped)
		if b.Len() != 1 || b.Member("tenant").Value() != "acme" {
			t.Errorf("%s: after Strip the baggage is %q, want tenant=acme", name, b)
		}
		if e.Carries(stripped) {
			t.Errorf("%s: a stripped context carries a scenario", name)
		}
		if !e.Carries(ctx) || baggage.FromContext(ctx).Len() != 2 {
			t.Errorf("%s: Strip changed the context it was given", name)
		}
		left, ok := e.StripBaggage(baggage.FromContext(ctx))
		if !ok || left.Len() != 1 {
			t.Errorf("%s: StripBaggage left %q, %v", name, left, ok)
		}
		if same, ok := e.StripBaggage(left); ok || same.Len() != 1 {
			t.Errorf("%s: StripBaggage stripped %q again", name, left)
		}
	}
}

// A Decoder that is no KeyedDecoder is always asked: it may find a scenario
// where there is no baggage at all.
func TestEvaluator_asksAPlainDecoder(t *testing.T) {
	t.Parallel()
	e := fit.NewEvaluator(everyone{}, time.Second, nil)
	if got := e.Eval(t.Context(), "a"); !got.Abort {
		t.Errorf("Eval = %+v, want the abort its Decoder gives everyone", got)
	}
}

type everyone struct{}

func (everyone) Decode(baggage.Baggage) (fit.Scenario, bool, error) {
	return fit.Scenario{Rules: []fit.Rule{abort("*")}}, true, nil
}
func (everyone) Strip(b baggage.Baggage) baggage.Baggage { return b }

// R16: a panic of the Decoder is the goroutine's that evaluates.
func TestEvaluator_panic(t *testing.T) {
	t.Parallel()
	defer func() {
		if got := recover(); got != "decoder" {
			t.Errorf("recovered %v, want the Decoder's panic", got)
		}
	}()
	fit.NewEvaluator(panics{}, time.Second, nil).Eval(t.Context(), "a")
}

type panics struct{ everyone }

func (panics) Decode(baggage.Baggage) (fit.Scenario, bool, error) { panic("decoder") }

func TestEvaluator_off(t *testing.T) {
	t.Parallel()
	for name, e := range map[string]fit.Evaluator{"zero": {}, "no_decoder": fit.NewEvaluator(nil, time.Second, nil)} {
		ctx := with(t, t.Context(), key, "it")
		if got := e.Eval(ctx, "a"); got != (fit.Fault{}) {
			t.Errorf("%s: Eval = %+v, want the zero Fault", name, got)
		}
		if same, ok := e.Strip(ctx); same != ctx || ok {
			t.Errorf("%s: Strip changed its context", name)
		}
		if b, ok := e.StripBaggage(baggage.FromContext(ctx)); b.Len() != 1 || ok {
			t.Errorf("%s: StripBaggage changed its baggage", name)
		}
		if e.Carries(ctx) || e.Remember(ctx) != ctx {
			t.Errorf("%s: Carries or Remember did something", name)
		}
	}
}

func TestEvaluator_noMaximum(t *testing.T) {
	t.Parallel()
	e := fit.NewEvaluator(registry{"it": {Rules: []fit.Rule{delay("a", time.Second)}}}, -1, nil)
	if got := e.Eval(with(t, t.Context(), key, "it"), "a"); got.Delay != 0 {
		t.Errorf("Eval with a negative maximum waits %v, want 0", got.Delay)
	}
}

// R23, R47: one Evaluator, copied by value, from many goroutines. The race
// detector is the judge.
func TestEvaluator_concurrent(t *testing.T) {
	t.Parallel()
	e := fit.NewEvaluator(registry{"it": {Rules: []fit.Rule{abort("a"), delay("*", time.Second)}}}, time.Minute, nil)
	ctx := with(t, t.Context(), key, "it")
	var wg sync.WaitGroup
	for range 64 {
		wg.Go(func() {
			mine := e
			for range 100 {
				if !mine.Eval(ctx, "a").Abort || mine.Eval(ctx, "b").Delay != time.Second {
					t.Error("a goroutine saw another fault")
				}
				mine.Strip(ctx)
				mine.Remember(ctx)
			}
		})
	}
	wg.Wait()
}

func TestEvaluator_allocations(t *testing.T) { //nolint:paralleltest // AllocsPerRun counts the whole process
	decodes := 0
	rules := []fit.Rule{
		{Point: "kafka:*", Fault: fit.Fault{Abort: true}},
		{Point: "http:payments:8443", Share: 1e-9, Seed: 7, Attempts: fit.Attempts{First: 1, Last: 2}},
		delay("http:*", time.Second),
	}
	e := fit.NewEvaluator(keyed{registry{"it": {Rules: rules}}, &decodes}, time.Minute, func(context.Context, fit.Evaluation) {})
	unrelated := with(t, traced(1), "tenant", "acme", "user", "7", "region", "eu")
	remembered := e.Remember(with(t, fit.ContextWithAttempt(traced(1), 1), key, "it"))
	for name, ctx := range map[string]context.Context{"no_baggage": t.Context(), "unrelated": unrelated, "remembered": remembered} {
		if n := testing.AllocsPerRun(100, func() { e.Eval(ctx, "http:payments:8443") }); n != 0 {
			t.Errorf("%s: Eval allocates %v times, want 0", name, n)
		}
	}
	for name, ctx := range map[string]context.Context{"no_baggage": t.Context(), "unrelated": unrelated} {
		if n := testing.AllocsPerRun(100, func() { e.Carries(ctx); e.Strip(ctx); e.Remember(ctx) }); n != 0 {
			t.Errorf("%s: Carries, Strip and Remember allocate %v times, want 0", name, n)
		}
	}
}

func TestEvaluator_MayBeIn(t *testing.T) {
	t.Parallel()
	decodes := 0
	quick := fit.NewEvaluator(keyed{registry{}, &decodes}, time.Second, nil)
	plain := fit.NewEvaluator(registry{}, time.Second, nil)
	for text, want := range map[string]bool{"": false, "tenant=acme": false, key + "=it": true, "a=1, " + key + " = %zz": true, "a=" + key: true} {
		if got := quick.MayBeIn(text); got != want {
			t.Errorf("MayBeIn(%q) = %v, want %v", text, got, want)
		}
		if !plain.MayBeIn(text) {
			t.Errorf("MayBeIn(%q) is false for a Decoder of unknown members", text)
		}
	}
	if (fit.Evaluator{}).MayBeIn(key) {
		t.Error("MayBeIn is true with injection off")
	}
}
