package retry_test

import (
	"context"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/brunt-go/brunt/retry"
)

// A call that is retried for 16 minutes, which is longer than some libraries go on, waits
// as long in the end as ever: it neither gives up by itself nor spins. D16.
func TestBackoff_long(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := retry.DefaultSettings()
		s.MaxAttempts = math.MaxInt
		s.Budget = retry.BudgetSettings{Max: 1e6, Start: 1e6}
		const long = 16 * time.Minute
		ctx, cancel := context.WithTimeout(t.Context(), long)
		defer cancel()
		start := time.Now()
		attempts, late := 0, 0
		_ = newPolicy(t, s).Do(ctx, func(context.Context) error {
			attempts++
			if time.Since(start) > long-time.Minute {
				late++
			}
			return errDown
		}, always)
		// Drawn from 0 to 5 s, a wait is 2.5 s: some 384 attempts, 24 in the last minute.
		// A minute's worth is 8 to 60 in all but one of a million runs.
		if late < 8 || late > 60 || attempts < 250 || attempts > 550 {
			t.Errorf("%d attempts, %d in the last minute, want about 384 and 24", attempts, late)
		}
		if took := time.Since(start); took < long-s.BackoffMax || took > long {
			t.Errorf("gave up after %v of %v", took, long)
		}
	})
}

// Full jitter: anything from nothing to the longest, which doubles up to BackoffMax.
func TestBackoff_jitter(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := retry.DefaultSettings()
		s.MaxAttempts = 6
		s.BackoffMax = 500 * ms
		s.Budget = retry.BudgetSettings{Max: 1e6, Start: 1e6}
		policy := newPolicy(t, s)
		const calls = 400
		longest := []time.Duration{100 * ms, 200 * ms, 400 * ms, 500 * ms, 500 * ms}
		sums := make([]time.Duration, len(longest))
		for range calls {
			n, last := 0, time.Now()
			_ = policy.Do(t.Context(), func(context.Context) error {
				if wait := time.Since(last); n > 0 {
					if wait < 0 || wait > longest[n-1]+1 {
						t.Errorf("wait %d is %v, want 0 to %v", n, wait, longest[n-1])
					}
					sums[n-1] += wait
				}
				n, last = n+1, time.Now()
				return errDown
			}, always)
		}
		for i, sum := range sums {
			// The mean of 400 is within a tenth of the middle, at nearly 7 sigmas.
			if mean, middle := sum/calls, longest[i]/2; mean < middle*4/5 || mean > middle*6/5 {
				t.Errorf("wait %d is %v in the mean, want about %v", i+1, mean, middle)
			}
		}
	})
}
