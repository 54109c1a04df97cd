// Package clienttimeout lets an http.Client notice that its Timeout is over before it
// gets the error of what its Timeout ended.
package clienttimeout

import (
	"context"
	"errors"
	"time"
)

// Near is by how much a deadline may be off and still be the http.Client's: what it does
// between setting it and calling a RoundTripper.
const Near = 10 * time.Millisecond

// Await waits, if ctx's deadline has passed, until cancel, a request's Cancel, is closed,
// and not longer than Near. An http.Client with a Timeout has a timer beside the
// context's deadline, which closes Cancel, and by that one knows that its own Timeout
// ended the call and not something else. Both are due at once; without this, chance
// decided which error its user gets.
func Await(ctx context.Context, cancel <-chan struct{}) {
	deadline, ok := ctx.Deadline()
	if cancel == nil || errors.Is(ctx.Err(), context.Canceled) || !ok || time.Now().Before(deadline) {
		return
	}
	timer := time.NewTimer(Near)
	defer timer.Stop()
	select {
	case <-cancel:
	case <-timer.C:
	}
}
