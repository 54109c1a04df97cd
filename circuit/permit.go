package circuit

import (
	"context"
	"errors"
)

// What is reported to the machine. It knows errors alone.
var (
	errIgnored  = errors.New("ignored")
	errFailure  = errors.New("failure")
	errTimedOut = errors.New("failure by a timeout")
)

// Permit is a call that was let through.
type Permit struct {
	breaker *Breaker
	done    func(error)
}

// Done reports the call's outcome, once. err is what the call failed with, if it did; a
// timeout is counted as one. What is reported after the Breaker has changed its state
// does not move it.
func (p Permit) Done(ctx context.Context, outcome Outcome, err error) {
	switch {
	case outcome == Success:
		p.done(nil)
	case outcome != Failure:
		outcome = Ignored
		p.done(errIgnored)
	case timedOut(err):
		p.done(errTimedOut)
	default:
		p.done(errFailure)
	}
	p.breaker.counted.count(ctx, outcome)
	p.breaker.tell(ctx)
}

func timedOut(err error) bool {
	if errors.Is(err, context.DeadlineExceeded) {
		return true
	}
	var t interface{ Timeout() bool }
	return errors.As(err, &t) && t.Timeout()
}

// tally is what was reported in one state. The machine forgets its own counts before
// it says that it changed.
type tally struct {
	successes, failures                       int
	consecutiveSuccesses, consecutiveFailures int
	timedOut                                  int // of the failures
}

func (t *tally) add(err error) {
	if err == nil {
		t.successes++
		t.consecutiveSuccesses++
		t.consecutiveFailures = 0
		return
	}
	t.failures++
	t.consecutiveFailures++
	t.consecutiveSuccesses = 0
	if errors.Is(err, errTimedOut) {
		t.timedOut++
	}
}
