package transport

import (
	"context"
	"fmt"
	"net/http"

	"github.com/brunt-go/brunt/retry"
)

// Retry sends a request again as a [retry.Policy] says. It is safe for concurrent use.
//
// A request is sent again only if that does no harm and can be done: its method is
// idempotent (GET, HEAD, OPTIONS, TRACE, PUT, DELETE) or it has an Idempotency-Key
// header, and it has no body or one that GetBody gives again. A Retry-After header of
// the answer is waited for, up to the Policy's BackoffMax.
//
// The response or error the call ends with is that of its last attempt. The responses
// before that are closed, and read first if they are short, so that their connections
// are used again.
type Retry struct {
	base   attempter
	policy *retry.Policy
}

var _ http.RoundTripper = (*Retry)(nil)

// NewRetry returns base with retries around it. A nil base is [http.DefaultTransport], a
// nil classify [DefaultClassify]. Around a [Breaker] classify is not used: the Breaker's
// is.
func NewRetry(base http.RoundTripper, policy *retry.Policy, classify Classify) *Retry {
	if a, ok := base.(attempter); ok {
		return &Retry{a, policy}
	}
	return &Retry{classified{or(base), classify.or()}, policy}
}

// RoundTrip implements [http.RoundTripper].
func (t *Retry) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx := req.Context()
	call := t.policy.Begin()
	for out := sameContext(req, call.Context(ctx)); ; {
		resp, c, err := t.base.attempt(out)
		result := retry.Result{Wish: c.Retry, Err: err}
		if result.Wish == retry.Retry && !replayable(req) {
			result.Wish = retry.Stop
		}
		if result.Wish == retry.Retry {
			result.After = retryAfter(resp)
		}
		wait, decision := call.Decide(ctx, result)
		if decision != retry.Retry {
			return resp, err
		}
		discard(resp)
		if call.Wait(ctx, wait) != retry.Retry {
			if err == nil { // the answer is gone
				return nil, context.Cause(ctx)
			}
			return nil, fmt.Errorf("%w while waiting to try again after: %w", context.Cause(ctx), err)
		}
		if out, err = again(req, call.Context(ctx)); err != nil {
			return nil, err
		}
	}
}

// CloseIdleConnections closes those of the RoundTripper inside.
func (t *Retry) CloseIdleConnections() { closeIdle(t.base) }
