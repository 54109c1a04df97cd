package retry_test

import (
	"context"
	"sync"
	"testing"

	"github.com/brunt-go/brunt/retry"
)

// quick is a policy that waits never and would go on for ever.
func quick(t *testing.T, opts ...retry.Option) *retry.Policy {
	t.Helper()
	return newPolicy(t, exact(func(s *retry.Settings) { s.MaxAttempts, s.BackoffBase = 1000, 0 }), opts...)
}

// D3: it starts at 10 and a retry draws 1; each call adds 0.2, so five calls pay for a
// retry; at most 100. R82: the calls of a client share it.
func TestBudget(t *testing.T) {
	t.Parallel()
	policy := quick(t)
	attempts := func() (n int) {
		_ = policy.Do(t.Context(), func(context.Context) error { n++; return errDown }, always)
		return n
	}
	// 10 and the first call's 0.2 make 10 retries; then five calls make one.
	for i, want := range []int{11, 1, 1, 1, 2, 1, 1, 1, 1, 2} {
		if got := attempts(); got != want {
			t.Errorf("call %d makes %d attempts, want %d", i, got, want)
		}
	}
	for range 1000 {
		_ = policy.Do(t.Context(), func(context.Context) error { return nil }, always)
	}
	if got := policy.Budget().Tokens(); got != 100 {
		t.Errorf("%v tokens after 1000 good calls, want 100", got)
	}
}

// A Stop draws nothing, and neither does a retry that will not be made.
func TestBudget_untouched(t *testing.T) {
	t.Parallel()
	policy := newPolicy(t, exact(func(s *retry.Settings) { s.MaxAttempts, s.Budget.Deposit = 1, 0 }))
	_ = policy.Do(t.Context(), func(context.Context) error { return errDown }, always)
	_ = policy.Do(t.Context(), func(context.Context) error { return errDown }, func(error) retry.Decision { return retry.Stop })
	if got := policy.Budget().Tokens(); got != 10 {
		t.Errorf("%v tokens, want 10", got)
	}
}

// Two Policies, many goroutines, one Budget: not a token more than there are.
func TestBudget_shared(t *testing.T) {
	t.Parallel()
	budget, err := retry.NewBudget(retry.BudgetSettings{Max: 50, Start: 50})
	if err != nil {
		t.Fatal(err)
	}
	policies := []*retry.Policy{quick(t, retry.WithBudget(budget)), quick(t, retry.WithBudget(budget), retry.WithBudget(nil))}
	var mu sync.Mutex
	var attempts int
	var wg sync.WaitGroup
	for i := range 40 {
		wg.Go(func() {
			_ = policies[i%2].Do(t.Context(), func(context.Context) error {
				mu.Lock()
				defer mu.Unlock()
				attempts++
				return errDown
			}, always)
		})
	}
	wg.Wait()
	if attempts != 90 || budget.Tokens() != 0 {
		t.Errorf("%d attempts and %v tokens, want 40 and the 50 of the budget, and none", attempts, budget.Tokens())
	}
}
