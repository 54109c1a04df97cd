package fault

import (
	"context"

	"github.com/brunt-go/brunt/fit"
)

// Do makes call an injection point of yours, named <system>:<name>, such as
// redis:sessions. It waits the delay, and fails with an [*InjectedError] when
// the fault ends the call: an abort, and a reply, which a plain function has no
// answer for, instead of calling; a lost answer after a call that succeeded.
// Without a fault it is the call alone.
func (in Injector) Do(ctx context.Context, point string, call func(context.Context) error) error {
	_, err := Do(ctx, in, point, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, call(ctx)
	})
	return err
}

// Do is [Injector.Do] for a call that returns a value. When the fault ends the
// call, the value is the zero T.
func Do[T any](ctx context.Context, in Injector, point string, call func(context.Context) (T, error)) (T, error) {
	var none T
	f := in.Eval(ctx, point)
	if err := Before(ctx, point, f); err != nil {
		return none, err
	}
	value, err := call(ctx)
	if err == nil && f.Lost {
		return none, &InjectedError{Point: point, Err: fit.ErrLost}
	}
	return value, err
}

// Before carries out the part of f that comes before anything is sent, for a
// client that evaluates its own point. It returns nil when the attempt goes on,
// and the [*InjectedError] it ends with otherwise. A reply is an abort here: a
// client whose protocol can give one gives it first.
func Before(ctx context.Context, point string, f fit.Fault) error {
	if err := f.Wait(ctx); err != nil {
		return &InjectedError{Point: point, Err: err}
	}
	if f.Abort || !f.Reply.IsZero() {
		return &InjectedError{Point: point}
	}
	return nil
}
