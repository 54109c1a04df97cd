package circuit

import "github.com/sony/gobreaker/v2"

// State is what a Breaker does with calls.
type State string

// The states, as brunt.circuit.state has them.
const (
	// Closed lets every call through.
	Closed State = "closed"
	// Open rejects every call.
	Open State = "open"
	// HalfOpen lets probes through and rejects all other calls.
	HalfOpen State = "half_open"
)

var states = []State{Closed, Open, HalfOpen}

func stateOf(s gobreaker.State) State {
	switch s {
	case gobreaker.StateOpen:
		return Open
	case gobreaker.StateHalfOpen:
		return HalfOpen
	default:
		return Closed
	}
}

// Outcome is what a call means to a Breaker.
type Outcome string

// The outcomes, as brunt.circuit.outcome has them.
const (
	// Success is a dependency that did its part, also when it said no.
	Success Outcome = "success"
	// Failure is one that did not. Some of them in a row open the Breaker.
	Failure Outcome = "failure"
	// Ignored says nothing of the dependency, such as a caller that went away.
	Ignored Outcome = "ignored"
	// Rejected is a call that the Breaker did not let through. It is the Breaker's own:
	// nobody reports it.
	Rejected Outcome = "rejected"
)

var outcomes = []Outcome{Success, Failure, Ignored, Rejected}
