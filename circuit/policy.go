package circuit

import (
	"errors"
	"fmt"
	"time"
)

// Policy says when a Breaker opens and closes. A zero value means zero, which is not
// valid: begin with [DefaultPolicy].
type Policy struct {
	// Failures is how many in a row open the Breaker.
	//
	// Default: 5. Valid: 1 or more.
	Failures int
	// OpenFor is how long it is open before it lets probes through.
	//
	// Default: 5s. Valid: positive.
	OpenFor time.Duration
	// Probes is how many calls it lets through then, before it knows. As many successes
	// close it; one failure opens it again.
	//
	// Default: 1. Valid: 1 or more.
	Probes int
}

// DefaultPolicy returns the defaults.
func DefaultPolicy() Policy { return Policy{Failures: 5, OpenFor: 5 * time.Second, Probes: 1} }

// CheckPolicy reports every bad field of p in one error that names each.
func CheckPolicy(p Policy) error {
	const most = 1 << 30 // what the breaker underneath can count
	var problems []error
	for _, n := range []struct {
		field string
		value int
	}{{"Failures", p.Failures}, {"Probes", p.Probes}} {
		if n.value < 1 || n.value > most {
			problems = append(problems, fmt.Errorf("%s: %d, must be from 1 to %d", n.field, n.value, most))
		}
	}
	if p.OpenFor <= 0 {
		problems = append(problems, fmt.Errorf("OpenFor: %v, must be positive", p.OpenFor))
	}
	return errors.Join(problems...)
}
