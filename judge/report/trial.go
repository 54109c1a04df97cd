package report

import (
	"slices"

	"github.com/brunt-go/brunt/judge/experiment"
	"github.com/brunt-go/brunt/judge/oracle"
)

// Run makes the report of a run. version is brunt's own.
func Run(result *experiment.Result, version string) *Report {
	trial := newTrial(result)
	r := &Report{Kind: KindRun, Tool: version, Name: result.Name, Seed: result.Seed, Trials: []Trial{trial}}
	r.Oracles = r.judged(result)
	return r
}

// judged are the oracles that judged each fault's arm, and those that found
// something in one, each once.
func (r *Report) judged(results ...*experiment.Result) []string {
	names := []string{}
	add := func(name string) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, result := range results {
		for _, name := range result.Judged {
			add(name)
		}
	}
	for _, t := range r.Trials {
		for _, f := range t.Findings {
			if f.Arm != afterFaults {
				add(f.Oracle)
			}
		}
	}
	return names
}

// afterFaults is the arm of findings about the system once all faults are gone.
const afterFaults = "after"

func newTrial(r *experiment.Result) Trial {
	t := Trial{
		Variant: r.Variant, Started: r.Started, Took: r.Took, Verdict: r.Verdict, Why: r.Why,
		Noise:    Noise(r.Noise),
		Arms:     []Arm{},
		Receipts: []Receipt{},
		Findings: append([]oracle.Finding{}, r.Findings...),
		Problems: []Problem{},
		Services: []Service{},
	}
	witnessed := map[string]int{}
	for _, rec := range r.Receipts {
		witnessed[rec.Arm] = rec.Witnessed
		t.Receipts = append(t.Receipts, Receipt{
			Fault: rec.Arm, Point: rec.Point, Planned: Known(rec.Planned), Injected: rec.Injected,
			Witnessed: rec.Witnessed, Calls: Known(rec.Calls), Agree: rec.Agree, Why: rec.Why,
		})
	}
	for _, a := range r.Arms {
		arm := newArm(a)
		if n, ok := witnessed[a.Name]; ok && a.Phase == experiment.PhaseFault {
			arm.Witnessed = Known(n)
		}
		t.Arms = append(t.Arms, arm)
	}
	for _, p := range r.Problems {
		t.Problems = append(t.Problems, Problem(p))
	}
	for _, s := range r.Services {
		t.Services = append(t.Services, Service{s.Name, s.Addr, s.Ended, Block(s.Output)})
	}
	return t
}

func newArm(a experiment.Arm) Arm {
	f, l := a.Figures, a.Latency
	return Arm{
		Fault: a.Name, Phase: a.Phase, At: a.At, Kind: a.Fault,
		Planned: Known(a.Planned), Requests: f.Requests, Injected: f.Injected, Witnessed: Unknown, Spared: f.Spared,
		Full: f.Full, Degraded: f.Degraded, Dropped: f.Dropped,
		Timeouts: f.Timeouts, Failed: f.Failed, Keyless: f.Keyless,
		Latency: Latency{l.P50, l.P90, l.P99, l.Max, l.Bars},
		Took:    a.Took, Tries: a.Tries, Stalled: a.Stalled, Aborted: a.Aborted, Marks: marks(a.Entries),
	}
}

// main are the arms a calibration judges by: the first baseline and the faults.
func (t Trial) main() []Arm {
	arms := []Arm{}
	for _, a := range t.Arms {
		if a.Phase == experiment.PhaseBefore || a.Phase == experiment.PhaseFault {
			arms = append(arms, a)
		}
	}
	return arms
}

// faults are the arms under a fault.
func (t Trial) faults() []Arm {
	var arms []Arm
	for _, a := range t.Arms {
		if a.Phase == experiment.PhaseFault {
			arms = append(arms, a)
		}
	}
	return arms
}

// title names the trial: loan, or loan/loose.
func (r *Report) title(t Trial) string {
	if t.Variant == "" {
		return r.Name
	}
	return r.Name + "/" + t.Variant
}
