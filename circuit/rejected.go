package circuit

import (
	"errors"
	"fmt"
	"time"
)

// ErrRejected is what the error of every rejected call matches.
var ErrRejected = errors.New("circuit: call rejected")

// RejectedError is the error of a call that a Breaker did not let through.
type RejectedError struct {
	// Name is the Breaker's.
	Name string
	// State is Open, or HalfOpen when all its probes are under way.
	State State
	// OpenFor is how long it stays open, from when it opened.
	OpenFor time.Duration
}

// Error implements error.
func (e *RejectedError) Error() string {
	if e.State == HalfOpen {
		return fmt.Sprintf("circuit: call of %s rejected: its breaker is half open, and probes are under way", e.Name)
	}
	return fmt.Sprintf("circuit: call of %s rejected: its breaker is open, for %v", e.Name, e.OpenFor)
}

// Is reports whether target is ErrRejected.
func (*RejectedError) Is(target error) bool { return target == ErrRejected }

// ErrorType is the error.type of every rejected call.
func (*RejectedError) ErrorType() string { return "github.com/brunt-go/brunt/circuit.RejectedError" }
