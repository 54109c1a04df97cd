package fit_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/brunt-go/brunt/fit"
)

// hits says for attempts 1 to 5 of a call whether the rule matched.
func hits(t *testing.T, ctx context.Context, rule fit.Rule) (got [5]bool) { //nolint:revive // t first, as helpers have it
	t.Helper()
	rule.Fault.Abort = true
	e := fit.NewEvaluator(registry{"it": {Rules: []fit.Rule{rule}}}, time.Second, nil)
	ctx = with(t, ctx, key, "it")
	for i := range got {
		got[i] = e.Eval(fit.ContextWithAttempt(ctx, i+1), rule.Point).Abort
	}
	return got
}

// X1: a rule whose range leaves an attempt out doesn't match it.
func TestRule_attempts(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name string
		in   fit.Attempts
		want [5]bool
	}{
		{"every", fit.Attempts{}, [5]bool{true, true, true, true, true}},
		{"fail_two_then_succeed", fit.Attempts{First: 1, Last: 2}, [5]bool{true, true}},
		{"one", fit.Attempts{First: 3, Last: 3}, [5]bool{2: true}},
		{"no_end", fit.Attempts{First: 4}, [5]bool{3: true, 4: true}},
		{"no_start", fit.Attempts{Last: 1}, [5]bool{true}},
		{"none", fit.Attempts{First: 3, Last: 2}, [5]bool{}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			if got := hits(t, t.Context(), fit.Rule{Point: "a", Attempts: row.in}); got != row.want {
				t.Errorf("%+v matches attempts %v, want %v", row.in, got, row.want)
			}
		})
	}
}

// X1: a rule that doesn't match leaves the point to the next.
func TestRule_attemptsFallThrough(t *testing.T) {
	t.Parallel()
	first := abort("a")
	first.Attempts = fit.Attempts{First: 1, Last: 1}
	e := fit.NewEvaluator(registry{"it": {Rules: []fit.Rule{first, delay("a", time.Second)}}}, time.Minute, nil)
	ctx := with(t, t.Context(), key, "it")
	if got := e.Eval(ctx, "a"); !got.Abort {
		t.Errorf("without a count Eval = %+v, want the first attempt's abort", got)
	}
	if got := e.Eval(fit.ContextWithAttempt(ctx, 2), "a"); got != (fit.Fault{Delay: time.Second}) {
		t.Errorf("attempt 2: Eval = %+v, want the delay", got)
	}
}

func TestAttemptFromContext(t *testing.T) {
	t.Parallel()
	for in, want := range map[int]int{-1: 1, 0: 1, 1: 1, 7: 7} {
		if got := fit.AttemptFromContext(fit.ContextWithAttempt(t.Context(), in)); got != want {
			t.Errorf("attempt %d is read as %d, want %d", in, got, want)
		}
	}
	if got := fit.AttemptFromContext(t.Context()); got != 1 {
		t.Errorf("without a count the attempt is %d, want 1", got)
	}
}

// X2: the share of the requests is the share asked for, decided by identity.
func TestRule_share(t *testing.T) {
	t.Parallel()
	const requests = 20_000
	share := func(rule fit.Rule) (chosen [requests]bool, n int) {
		rule.Fault.Abort = true
		e := fit.NewEvaluator(registry{"it": {Rules: []fit.Rule{rule}}}, time.Second, nil)
		for i := range chosen {
			if e.Eval(with(t, traced(i), key, "it"), "a").Abort {
				chosen[i] = true
				n++
			}
		}
		return chosen, n
	}
	// Six standard deviations of 20,000 fair draws are at most 0.0213.
	first, n := share(fit.Rule{Point: "a", Share: 0.2})
	if got := float64(n) / requests; got < 0.18 || got > 0.22 {
		t.Errorf("share 0.2 chose %v of the requests", got)
	}
	if again, _ := share(fit.Rule{Point: "a", Share: 0.2}); again != first {
		t.Error("the same share chose other requests the second time")
	}
	if other, _ := share(fit.Rule{Point: "a", Share: 0.2, Seed: 1}); other == first {
		t.Error("another seed chose the same requests")
	}
	if _, n := share(fit.Rule{Point: "a", Share: 1}); n != requests {
		t.Errorf("share 1 chose %d of %d requests", n, requests)
	}
}

// X2: attempts of one request are decided apart, so that a retry may succeed.
func TestRule_shareOfAttempts(t *testing.T) {
	t.Parallel()
	seen := map[[5]bool]bool{}
	for i := range 200 {
		seen[hits(t, traced(i), fit.Rule{Point: "a", Share: 0.5})] = true
	}
	if len(seen) != 32 {
		t.Errorf("200 requests saw %d of the 32 ways five attempts can go", len(seen))
	}
}

// X2: order and parallelism change nothing.
func TestRule_shareIsNoDraw(t *testing.T) {
	t.Parallel()
	rule := fit.Rule{Point: "a", Share: 0.5, Fault: fit.Fault{Abort: true}}
	e := fit.NewEvaluator(registry{"it": {Rules: []fit.Rule{rule}}}, time.Second, nil)
	var alone, together [500]bool
	for i := range alone {
		alone[i] = e.Eval(with(t, traced(i), key, "it"), "a").Abort
	}
	var wg sync.WaitGroup
	for i := range together {
		wg.Go(func() { together[i] = e.Eval(with(t, traced(i), key, "it"), "a").Abort })
	}
	wg.Wait()
	if alone != together {
		t.Error("evaluating in parallel chose other requests")
	}
}

// X2: a request no trace identifies is in no share but that of all requests.
func TestRule_shareWithoutTrace(t *testing.T) {
	t.Parallel()
	for share, want := range map[float64][5]bool{0.5: {}, 0.999999: {}, 1: {true, true, true, true, true}} {
		if got := hits(t, t.Context(), fit.Rule{Point: "a", Share: share}); got != want {
			t.Errorf("share %v of a request without a trace matches %v, want %v", share, got, want)
		}
	}
}

// A larger share keeps every request of the smaller one.
func TestRule_sharesAreNested(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		small := rapid.Float64Range(1e-6, 1).Draw(r, "small")
		large := rapid.Float64Range(small, 1).Draw(r, "large")
		seed := rapid.Uint64().Draw(r, "seed")
		ctx := traced(rapid.IntRange(0, 65535).Draw(r, "trace"))
		in := hits(t, ctx, fit.Rule{Point: "a", Share: small, Seed: seed})
		out := hits(t, ctx, fit.Rule{Point: "a", Share: large, Seed: seed})
		for i := range in {
			if in[i] && !out[i] {
				r.Fatalf("attempt %d is in share %v and not in %v", i+1, small, large)
			}
		}
	})
}
