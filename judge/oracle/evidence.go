package oracle

import (
	"time"

	"github.com/brunt-go/brunt/judge/ledger"
)

// The names of outcomes the judge knows.
const (
	Full     = "full"     // all that was asked for
	Degraded = "degraded" // answered, with less than was asked for
	Dropped  = "dropped"  // not answered in any way that was foreseen
)

// Evidence is what an oracle judges: one arm under a fault, beside the arm
// without faults.
type Evidence struct {
	// Arm names the arm.
	Arm string
	// Baseline are the entries of the arm without faults.
	Baseline []ledger.Entry
	// Entries are the entries of the arm under the fault.
	Entries []ledger.Entry
	// Noise is the share of calls that may be less than full without a fault.
	Noise float64
}

// Oracle judges one property.
type Oracle interface {
	// Name is what a plan calls the oracle by.
	Name() string
	// Check returns what violates the property, or nothing.
	Check(Evidence) []Finding
}

// Finding is one violation, with what somebody needs to look it up.
type Finding struct {
	// Oracle is the rule that was violated.
	Oracle string `json:"oracle"`
	// Arm is the arm it was violated in.
	Arm string `json:"arm"`
	// Point is where, or "" when it is about the answers of the load.
	Point string `json:"point,omitempty"`
	// Guard is the guard that did not engage, such as "timeout" or
	// "fallback", or "" when the finding is about none.
	Guard string `json:"guard,omitempty"`
	// Message says what is wrong in one sentence.
	Message string `json:"message"`
	// Got and Want are the figure that violates the rule and its bound.
	Got  string `json:"got"`
	Want string `json:"want"`
	// Example is one request that shows it.
	Example *Example `json:"example,omitempty"`
}

// Example is one call of the load, and what became of it on its way.
type Example struct {
	Index   int           `json:"index"`
	Key     string        `json:"key,omitempty"`
	Trace   string        `json:"trace,omitempty"`
	Outcome string        `json:"outcome"`
	Status  int           `json:"status"`
	Took    time.Duration `json:"took_ns"`
	// Fault is what was injected into it, or "".
	Fault string `json:"fault,omitempty"`
	// Wire says what passed at the injection point, one line an attempt.
	Wire []string `json:"wire,omitempty"`
}
