package experiment

import (
	"time"

	"github.com/brunt-go/brunt/judge/ledger"
	"github.com/brunt-go/brunt/judge/oracle"
)

// Verdict is what a run comes to.
type Verdict string

// The four verdicts.
const (
	Pass         Verdict = "PASS"         // the faults were delivered, every oracle holds
	Fail         Verdict = "FAIL"         // the faults were delivered, an oracle found a violation
	Invalid      Verdict = "INVALID"      // the run proves nothing: a fault was not delivered, or the baseline is broken
	Inconclusive Verdict = "INCONCLUSIVE" // too little was seen to tell
)

// Baseline is the name of the arm without faults.
const Baseline = "none"

// Result is what a run showed.
type Result struct {
	// Name is the experiment's, Variant the variant's or "".
	Name, Variant string
	// Seed is the experiment's: with it a run replays.
	Seed uint64
	// Started is when the run began, Took how long it was.
	Started time.Time
	Took    time.Duration
	// Verdict is the verdict, Why says in one sentence why.
	Verdict Verdict
	Why     string
	// Noise is the share of calls allowed to be less than full.
	Noise Noise
	// Arms are the baseline, its repetition, and one arm a fault.
	Arms []Arm
	// Receipts are two counts for each fault that should agree.
	Receipts []Receipt
	// Judged are the names of the oracles that judged each fault's arm.
	Judged []string
	// Findings are what the oracles found.
	Findings []oracle.Finding
	// Problems are why the run proves less than it should, or nothing.
	Problems []Problem
	// Services say how the services fared; of those that failed, what they
	// wrote.
	Services []ServiceState

	proxies map[string]string // where each listened
	stopped bool              // told to stop before it was over
}

// Noise is the threshold e and where it comes from.
type Noise struct {
	// Threshold is the share in force.
	Threshold float64
	// FromPlan is true when the plan set it; else the baselines did.
	FromPlan bool
	// First and Second are the shares of calls that were less than full in
	// the two baselines.
	First, Second float64
}

// Arm is one run of the load.
type Arm struct {
	// Name is Baseline, or the fault's.
	Name string
	// Phase says what the arm is for.
	Phase Phase
	// At is the proxy the fault was at, Fault what it was, such as "delay".
	At, Fault string
	// Planned is how many calls the seed chooses, or -1 where that cannot be
	// said beforehand.
	Planned int
	// Figures count what happened.
	Figures oracle.Figures
	// Latency is how long the calls took.
	Latency Latency
	// Took is how long the arm was.
	Took time.Duration
	// Stalled is the longest time the machine stood still for the run itself
	// meanwhile. An arm it stalled in is run again, Tries times in all; what is
	// here is the last.
	Stalled time.Duration
	Tries   int
	// Aborted says why the arm was ended early, or is "".
	Aborted string
	// Expired names the proxy whose faults' lease ran out before the arm was
	// over, or is "".
	Expired string
	// Entries are the arm's ledger.
	Entries []ledger.Entry
}

// Phase is what an arm is for.
type Phase string

// The phases of a run, in their order.
const (
	PhaseBefore Phase = "before" // steady state before anything breaks
	PhaseRepeat Phase = "repeat" // the same again: how much do equal runs differ?
	PhaseFault  Phase = "fault"
	PhaseAfter  Phase = "after" // is the system back?
)

// label names the arm in a sentence.
func (a Arm) label() string {
	switch a.Phase {
	case PhaseBefore:
		return "the baseline"
	case PhaseRepeat:
		return "the repeated baseline"
	case PhaseAfter:
		return "the arm after the faults"
	default:
		return "arm " + a.Name
	}
}

// Receipt is one fault's delivery, counted by parties that know nothing of each
// other.
type Receipt struct {
	// Arm and Point say where.
	Arm, Point string
	// Planned is how many calls the seed chooses, or -1.
	Planned int
	// Injected is the injector's count.
	Injected int
	// Witnessed is how many of those the observer on the wire saw happen.
	Witnessed int
	// Calls is how many calls of the load were broken, or -1 where requests
	// at the proxy cannot be joined with calls.
	Calls int
	// Agree says whether they agree, Why what is wrong when they don't.
	Agree bool
	Why   string
}

// Problem is something that keeps a run from proving what it should.
type Problem struct {
	// Verdict is what it makes of the run: Invalid or Inconclusive.
	Verdict Verdict
	// Arm is where it showed, or "".
	Arm string
	// Hop is the part it is about, such as "proxy catalog".
	Hop string
	// Message says what is wrong and what to do.
	Message string
}

// ServiceState says how a service fared.
type ServiceState struct {
	Name string
	// Addr is where it listened.
	Addr string
	// Ended says how it ended before it was told to, or is "".
	Ended string
	// Output is the end of what it wrote, when it failed.
	Output string
}
