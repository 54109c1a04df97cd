package cli

import "github.com/brunt-go/brunt/judge/experiment"

// Exit statuses. They are part of the contract: pipelines branch on them.
const (
	exitPass         = 0
	exitFail         = 1
	exitInvalid      = 2
	exitInconclusive = 3
	exitUsage        = 64 // the plan file or the command line is wrong
	exitOutput       = 74 // a report could not be written
)

const exitHelp = `Exit status:
  0   PASS: the faults were delivered, every guard engaged
  1   FAIL: the faults were delivered, and a guard did not engage
  2   INVALID: a fault was not delivered, or the system is broken without one
  3   INCONCLUSIVE: too little was seen, or the run was ended early
  64  the plan file or the command line is wrong
  74  a report could not be written`

// statusError ends the command with a status, and a message unless err is nil.
type statusError struct {
	status int
	err    error
}

func (e *statusError) Error() string {
	if e.err == nil {
		return "exit"
	}
	return e.err.Error()
}

func (e *statusError) Unwrap() error { return e.err }

// usage is an error of whoever typed the command or wrote the plan.
func usage(err error) error { return &statusError{exitUsage, err} }

// exit ends the command with a status, or returns nil for a pass.
func exit(status int) error {
	if status == exitPass {
		return nil
	}
	return &statusError{status: status}
}

func verdictStatus(v experiment.Verdict) int {
	switch v {
	case experiment.Pass:
		return exitPass
	case experiment.Fail:
		return exitFail
	case experiment.Inconclusive:
		return exitInconclusive
	default:
		return exitInvalid
	}
}
