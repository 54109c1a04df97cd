package fault

import (
	"context"
	"errors"
	"fmt"

	"github.com/brunt-go/brunt/fit"
)

// InjectedError is the error of an attempt that a fault ended at Point. With
// Err nil it is an abort and matches [fit.ErrInjected]. With Err [fit.ErrLost]
// the attempt was sent and its answer thrown away. Any other Err is what cut a
// delay short, the cause of the attempt's context. It matches its Err. Its
// error.type is one and the same for all.
type InjectedError struct {
	// Point is the injection point.
	Point string
	// Err is nil for an abort.
	Err error
}

// Error implements error.
func (e *InjectedError) Error() string {
	switch {
	case e.Err == nil:
		return "fit: injected failure at " + e.Point
	case errors.Is(e.Err, fit.ErrLost):
		return "fit: injected loss of the answer at " + e.Point
	default:
		return fmt.Sprintf("fit: injected delay at %s cut short: %v", e.Point, e.Err)
	}
}

// Unwrap returns Err, or [fit.ErrInjected] for an abort.
func (e *InjectedError) Unwrap() error {
	if e.Err == nil {
		return fit.ErrInjected
	}
	return e.Err
}

// Timeout reports whether a deadline cut a delay short, so that it is handled as
// any other timeout is.
func (e *InjectedError) Timeout() bool { return errors.Is(e.Err, context.DeadlineExceeded) }

// ErrorType is the error.type of every injected failure, which lets a query find
// them all, across protocols, and tell them from real ones.
func (*InjectedError) ErrorType() string {
	return "github.com/brunt-go/brunt/fault.InjectedError"
}
