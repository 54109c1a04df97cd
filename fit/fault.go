package fit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"
)

// ErrInjected is the failure of an abort. A delay that was cut short is not
// one: it fails with whatever cut it short.
var ErrInjected = errors.New("fit: injected failure")

// ErrLost is the failure of a call whose answer was thrown away. It matches
// [io.ErrUnexpectedEOF], which a connection lost before the answer ends with.
var ErrLost = fmt.Errorf("fit: injected loss of the answer: %w", io.ErrUnexpectedEOF)

// Fault is what happens to an attempt at an injection point. The zero Fault is
// nothing. The Delay comes first; then, of what else is set, Reply counts before
// Abort and Abort before Lost.
type Fault struct {
	// Delay is how long the attempt waits before anything else happens to it.
	// An attempt that waited goes on as usual, unless the Fault ends it too.
	Delay time.Duration
	// Abort ends the attempt before anything is sent, as a dependency that
	// can't be reached would.
	Abort bool
	// Lost sends the attempt, throws its answer away and reports a lost
	// connection: the side effect happened, and the caller doesn't know.
	Lost bool
	// Reply ends the attempt with an answer of the dependency's, before
	// anything is sent. The zero Reply is none.
	Reply Reply
}

// Reply is an answer a dependency could give. Where a protocol has no such
// answer, the attempt is aborted instead.
type Reply struct {
	// Status is the HTTP status, 200 to 599. 0 is no answer over HTTP.
	Status int
	// Body is the body of the HTTP answer, or the message of the gRPC status.
	Body string
	// GRPCCode is the code of the gRPC status, 1 to 16. 0 is no answer over
	// gRPC.
	GRPCCode int
}

// IsZero reports whether there is no reply.
func (r Reply) IsZero() bool { return r == Reply{} }

// Wait waits the Delay. It returns nil then, and the cause of ctx when ctx is
// done first; a Delay that ends at ctx's deadline is cut short by it.
func (f Fault) Wait(ctx context.Context) error {
	if f.Delay <= 0 {
		return nil
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	timer := time.NewTimer(f.Delay)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
	}
	// The deadline may have come at the same moment, when select decides by
	// chance. The deadline wins, so that the same call ends the same way twice.
	// A context that is never done may still tell the deadline of one it hides.
	if deadline, ok := ctx.Deadline(); ok && ctx.Done() != nil && !time.Now().Before(deadline) {
		<-ctx.Done()
		return context.Cause(ctx)
	}
	return nil
}

// Inject waits the Delay and then fails with [ErrInjected] if the Fault ends
// the attempt. It is for a point that has no failure more realistic to emulate:
// it can give no reply and lose no answer, so both fail there like an abort.
func (f Fault) Inject(ctx context.Context) error {
	if err := f.Wait(ctx); err != nil {
		return err
	}
	if f.Abort || f.Lost || !f.Reply.IsZero() {
		return ErrInjected
	}
	return nil
}
