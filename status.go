package brunt

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"github.com/brunt-go/brunt/config"
	"github.com/brunt-go/brunt/telemetry"
)

// The exit statuses of an App. One that a second signal ended at once has 128 and the
// signal's number, as a shell reports it: 130 for SIGINT, 143 for SIGTERM.
const (
	// ExitSuccess is for an App that did its work, or was stopped, in good order.
	ExitSuccess = 0
	// ExitFailure is for every failure but the next.
	ExitFailure = 1
	// ExitConfig is for a failure with a [*config.Error] in it, or with a
	// [*telemetry.VariableError]: starting the App again is of no use before somebody
	// has changed a setting.
	ExitConfig = 78
)

// Status is how an App ended.
type Status struct {
	code int
	err  error
}

// Code is the exit status of the process.
func (s Status) Code() int { return s.code }

// Err is everything that failed, joined, or nil. It wraps what the App's functions and
// Services returned.
func (s Status) Err() error { return s.err }

// String says both.
func (s Status) String() string {
	if s.err == nil {
		return fmt.Sprintf("exit status %d", s.code)
	}
	return fmt.Sprintf("exit status %d: %v", s.code, s.err)
}

// statusOf is the Status of an App in which problems occurred.
func statusOf(problems []error) Status {
	err := errors.Join(problems...)
	var setting *config.Error
	var variable *telemetry.VariableError
	switch {
	case err == nil:
		return Status{}
	case errors.As(err, &setting), errors.As(err, &variable):
		return Status{ExitConfig, err}
	default:
		return Status{ExitFailure, err}
	}
}

// killedBy is the Status of an App that a second signal ended.
func killedBy(sig os.Signal) Status {
	code := ExitFailure
	if number, ok := sig.(syscall.Signal); ok {
		code = 128 + int(number)
	}
	return Status{code, fmt.Errorf("ended at once by a second signal: %v", sig)}
}
