// Package retry decides whether a call is tried again, when, and for how long that
// goes on.
//
// A [Policy] is shared by all calls of one dependency, and with it the [Budget] that
// keeps retries a small part of the traffic. A [Call] is one of them: whoever makes
// the attempts asks it after each.
//
//	err := policy.Do(ctx, charge, func(error) retry.Decision { return retry.Retry })
//
// Each decision is counted by brunt.retry.decisions and is an event of that attempt on
// the span in the call's context, brunt.retry.decision.
//
// Backoff grows from try to try and is a time drawn from all of what it has grown to
// ("full jitter"), so that callers who failed together do not come back together. The
// arithmetic is that of cenkalti/backoff.
//
// The package knows nothing of protocols and needs no runtime. Package
// httpclient/transport makes it a layer of an http.Client.
package retry
