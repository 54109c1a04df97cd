package main

import (
	"testing"

	"github.com/brunt-go/brunt/judge/experiment"
	"github.com/brunt-go/brunt/judge/oracle"
)

func TestPublished(t *testing.T) {
	t.Parallel()
	arm := func(name string, phase experiment.Phase, full, degraded, timeouts, injected int) experiment.Arm {
		return experiment.Arm{Name: name, Phase: phase, Tries: 2, Figures: oracle.Figures{
			Requests: 200, Injected: injected, Full: full, Degraded: degraded, Timeouts: timeouts,
		}}
	}
	c := &experiment.Calibration{Variants: []experiment.VariantResult{{Name: "healthy", Result: &experiment.Result{Arms: []experiment.Arm{
		arm("none", experiment.PhaseBefore, 190, 10, 10, 0),
		arm("none", experiment.PhaseRepeat, 190, 10, 10, 0),
		arm("delay", experiment.PhaseFault, 148, 52, 52, 45),
		arm("error", experiment.PhaseFault, 148, 52, 11, 45),
	}}}}}
	var got calibrated
	got.show(c)
	if got.Rows != 2 || got.Again != 4 || got.Rule != "none" {
		t.Errorf("shown are %d rows, %d arms run again, rule %q; want 2, 4 and none", got.Rows, got.Again, got.Rule)
	}
	c.Recommended = &experiment.Recommendation{Threshold: 0.05, Rule: experiment.RuleB}
	if got.show(c); got.Rule != "B at 5 %" {
		t.Errorf("the rule reads %q, want B at 5 %%", got.Rule)
	}
}

func TestLoan(t *testing.T) {
	t.Parallel()
	e, err := loan(new(machine).DialContext)
	if err != nil {
		t.Fatal(err)
	}
	if err := experiment.Check(e); err != nil {
		t.Errorf("the experiment makes no sense: %v", err)
	}
	if got, want := len(e.Variants)*(1+len(e.Faults)), len(matrix()); got != want {
		t.Errorf("the experiment has %d arms, the published table %d rows", got, want)
	}
}
