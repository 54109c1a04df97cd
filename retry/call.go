package retry

import (
	"context"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/brunt-go/brunt/fit"
)

// Call is one call under a [Policy]. It is not safe for concurrent use: its attempts
// come one after the other.
type Call struct {
	policy  *Policy
	attempt int
	backoff *backoff.ExponentialBackOff // made when there is something to wait for
}

// Begin begins a call, and its first attempt.
func (p *Policy) Begin() Call {
	p.budget.add()
	return Call{policy: p, attempt: 1}
}

// Attempt is the ordinal of the attempt under way, from 1.
func (c *Call) Attempt() int { return c.attempt }

// Context returns ctx for the attempt under way: fit.AttemptFromContext tells which.
func (c *Call) Context(ctx context.Context) context.Context {
	if fit.AttemptFromContext(ctx) == c.attempt {
		return ctx
	}
	return fit.ContextWithAttempt(ctx, c.attempt)
}

// Result is how an attempt ended.
type Result struct {
	// Wish is Retry if the call should be tried again, and Stop if not.
	Wish Decision
	// After is the shortest wait the dependency asks for; BackoffMax bounds it.
	After time.Duration
	// Err is the attempt's error, if it had one.
	Err error
}

// Next is Decide and, if the decision is Retry, Wait.
func (c *Call) Next(ctx context.Context, r Result) Decision {
	wait, decision := c.Decide(ctx, r)
	if decision != Retry {
		return decision
	}
	return c.Wait(ctx, wait)
}

// Decide decides about the attempt under way, and how long to wait if it is Retry. ctx
// is the call's: not that of an attempt that has a deadline of its own.
func (c *Call) Decide(ctx context.Context, r Result) (time.Duration, Decision) {
	wait, decision := c.decide(ctx, r)
	c.policy.decisions.record(ctx, c.attempt, decision, wait, r.Err)
	return wait, decision
}

// Wait waits that long. It returns Retry, with the next attempt under way, or Expired
// when ctx is done first.
func (c *Call) Wait(ctx context.Context, d time.Duration) Decision {
	if !sleep(ctx, d) {
		c.policy.decisions.record(ctx, c.attempt, Expired, 0, context.Cause(ctx))
		return Expired
	}
	c.attempt++
	return Retry
}

// decide takes a token last: a retry that will not be made costs none.
func (c *Call) decide(ctx context.Context, r Result) (time.Duration, Decision) {
	switch {
	case r.Wish != Retry:
		return 0, Stop
	case over(ctx, 0):
		return 0, Expired
	case c.attempt >= c.policy.settings.MaxAttempts:
		return 0, Exhausted
	}
	wait := c.wait(r.After)
	if over(ctx, wait) {
		return 0, Expired
	}
	if !c.policy.budget.take() {
		return 0, OverBudget
	}
	return wait, Retry
}

// over reports whether ctx is done, or will be in that time. Its deadline counts from the
// moment on at which it is due: an attempt's own may be due at the same, and which of the
// two timers fires first must not decide.
func over(ctx context.Context, in time.Duration) bool {
	deadline, ok := ctx.Deadline()
	return ctx.Err() != nil || ok && time.Until(deadline) <= in
}

// wait is how long to wait before the next attempt.
func (c *Call) wait(after time.Duration) time.Duration {
	if c.backoff == nil {
		c.backoff = newBackoff(c.policy.settings)
	}
	return min(max(c.backoff.NextBackOff(), after), c.policy.settings.BackoffMax)
}

// sleep waits and reports whether it did to the end.
func sleep(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return ctx.Err() == nil
	}
}
