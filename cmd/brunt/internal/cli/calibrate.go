package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/brunt-go/brunt/judge/experiment"
	"github.com/brunt-go/brunt/judge/report"
)

func (a *app) calibrateCommand() *cobra.Command {
	out := newOutputs()
	c := &cobra.Command{
		Use:   "calibrate FILE",
		Short: "Run every variant of a plan and find the rule that tells them apart",
		Long: `Runs the system in each variant of a plan, whose truth is known, and judges them by
two rules at several thresholds. Rule A looks at dropped calls alone; rule B also
demands a degraded answer for each broken request. The recommendation is the rule
at the smallest threshold at which no defective variant passes and no healthy one
fails.

Exit status: 0 when there is such a rule, 1 when there is none, 2 when a variant
could not be judged, 3 when the run was ended early, 64 when the plan is wrong.`,
		Example: `  brunt calibrate plan.yaml
  brunt calibrate plan.yaml --json - | jq .recommended`,
		Args:              onePlan,
		ValidArgsFunction: completePlan,
		RunE: func(c *cobra.Command, args []string) error {
			e, err := readPlan(args[0])
			if err != nil {
				return err
			}
			return a.calibrate(c.Context(), e, args[0], out)
		},
	}
	out.flags(c)
	a.niceFlag(c)
	return c
}

// calibrate runs e, which was read from the file plan, or from none when that is "".
func (a *app) calibrate(ctx context.Context, e experiment.Experiment, plan string, out *outputs) error {
	if err := out.open(plan); err != nil {
		return err
	}
	defer out.discard()
	calibration, err := experiment.Calibrate(ctx, e, a.options()...)
	if err != nil {
		// A plan that can be run and not calibrated lacks something: it is
		// about the file as a whole.
		return usage(fmt.Errorf("the plan is wrong:\n%s:1:1: %w", plan, err))
	}
	if err := out.write(a, report.Calibrate(calibration, version())); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return &statusError{exitInconclusive, errors.New("interrupted before every variant was run")}
	}
	if err := calibration.Complete(); err != nil {
		return &statusError{exitInvalid, err}
	}
	if calibration.Recommended == nil {
		return &statusError{exitFail, fmt.Errorf("no rule and threshold tells the variants of %s apart", e.Name)}
	}
	return nil
}
