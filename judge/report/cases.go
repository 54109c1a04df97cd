package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/brunt-go/brunt/judge/experiment"
	"github.com/brunt-go/brunt/judge/oracle"
)

// outcome is how a test case ends.
type outcome int

const (
	passed  outcome = iota
	failed          // an oracle found a violation
	errored         // the run proves nothing
	skipped         // too little was seen to tell
)

// testCase is one claim of a trial: a fault was delivered, an oracle holds.
type testCase struct {
	name    string
	took    time.Duration
	outcome outcome
	// kind is what found it: an oracle, or a part of the system.
	kind, message, details string
	// note is worth reading although the case passes.
	note string
}

// cases are the claims of a trial, each once: the steady state, for each fault
// its delivery and every oracle, the recovery, and the run as a whole.
func (t Trial) cases(oracles []string) []testCase {
	var out []testCase
	for _, a := range t.Arms {
		switch a.Phase {
		case experiment.PhaseBefore:
			out = append(out, t.delivery(a, a.Fault+": steady state"))
		case experiment.PhaseRepeat:
			out = append(out, testCase{name: a.Fault + ": steady state again", took: a.Took})
		case experiment.PhaseFault:
			out = append(out, t.delivery(a, a.Fault+": delivered"))
			for _, name := range oracles {
				out = append(out, t.judged(a, name))
			}
		case experiment.PhaseAfter:
			c := t.holds(afterFaults, "recovery")
			c.took = a.Took
			if c.outcome == passed && a.Short() > t.Noise.Threshold {
				c.outcome, c.kind, c.message = skipped, "recovery", "not judged: it was no better before the faults"
			}
			out = append(out, c)
		}
	}
	return append(out, t.whole())
}

// delivery is the case of an arm itself.
func (t Trial) delivery(a Arm, name string) testCase {
	c := testCase{name: name, took: a.Took}
	if a.Aborted != "" {
		c.outcome, c.kind, c.message = skipped, "arm", "it was ended early: "+a.Aborted
	}
	for _, p := range t.Problems {
		if p.Arm == a.Fault {
			c.add(p)
		}
	}
	return c
}

// add takes a problem into the case. The first one gives the message.
func (c *testCase) add(p Problem) {
	result := skipped
	if p.Verdict == experiment.Invalid {
		result = errored
	}
	if c.outcome == passed || c.outcome == skipped && result == errored {
		c.outcome, c.kind, c.message = result, p.Hop, p.Message
	}
	c.details += p.where() + ": " + p.Message + "\n"
}

// judged is the case of one oracle under one fault: skipped where the fault did
// not get far enough to judge anything.
func (t Trial) judged(a Arm, name string) testCase {
	c := t.holds(a.Fault, name)
	delivered := slices.ContainsFunc(t.Receipts, func(r Receipt) bool { return r.Fault == a.Fault })
	if c.outcome == passed && (!delivered || a.Injected == 0) {
		c.outcome, c.kind, c.message = skipped, name, "not judged: the fault was not delivered"
	}
	return c
}

// holds is the case of one oracle in one arm.
func (t Trial) holds(arm, name string) testCase {
	c := testCase{name: arm + ": " + name}
	for _, f := range t.Findings {
		if f.Arm != arm || f.Oracle != name {
			continue
		}
		if c.outcome == passed {
			c.outcome, c.kind, c.message = failed, f.Oracle, f.Message
		}
		c.details += details(f)
	}
	return c
}

func details(f oracle.Finding) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n%s\ngot  %s\nwant %s\n", f.Oracle, where(f), f.Message, f.Got, f.Want)
	if f.Example != nil {
		fmt.Fprintf(&b, "for example %s\n", call(f.Example))
		for _, line := range f.Example.Wire {
			fmt.Fprintf(&b, "  %s\n", line)
		}
	}
	return b.String()
}

// whole is the case of the run as a whole: what is about no arm that ran.
func (t Trial) whole() testCase {
	c := testCase{name: "run", took: t.Took}
	ran := map[string]bool{}
	for _, a := range t.Arms {
		ran[a.Fault] = true
	}
	for _, p := range t.Problems {
		if p.Arm == "" || !ran[p.Arm] {
			c.add(p)
		}
	}
	if len(t.Problems) == 0 && t.Verdict == experiment.Inconclusive {
		c.outcome, c.kind, c.message = skipped, "run", t.Why
	}
	return c
}
