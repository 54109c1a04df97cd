package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/brunt-go/brunt/judge/experiment"
	"github.com/brunt-go/brunt/judge/report"
)

func (a *app) runCommand() *cobra.Command {
	var (
		out         = newOutputs()
		variantName string
		result      *experiment.Result
		dry         bool
	)
	c := &cobra.Command{
		Use:   "run FILE",
		Short: "Run every arm of a plan and print the verdict",
		Long: `Starts the services of a plan, sends its load without faults and under each fault,
and prints what happened and the verdict. stdout carries the report, stderr how
the run goes.

` + exitHelp,
		Example: `  brunt run plan.yaml
  brunt run plan.yaml --variant loose --html report.html --junit report.xml
  brunt run plan.yaml --json - | jq .verdict`,
		Args:              onePlan,
		ValidArgsFunction: completePlan,
		RunE: func(c *cobra.Command, args []string) error {
			e, err := readPlan(args[0])
			if err != nil {
				return err
			}
			if e, err = variant(e, variantName); err != nil {
				return err
			}
			if dry {
				return a.foresee(e)
			}
			if err := out.open(args[0]); err != nil {
				return err
			}
			defer out.discard()
			if err := a.warn(e); err != nil {
				return err
			}
			if result, err = experiment.Run(c.Context(), e, a.options()...); err != nil {
				return usage(err)
			}
			result.Variant = variantName
			if err := out.write(a, report.Run(result, version())); err != nil {
				return err
			}
			return exit(verdictStatus(result.Verdict))
		},
	}
	out.flags(c)
	out.ledger(c, &result)
	a.niceFlag(c)
	c.Flags().StringVar(&variantName, "variant", "", "run the system as this variant of the plan")
	c.Flags().BoolVar(&dry, "dry-run", false, "say what the plan would break, and run nothing")
	return c
}

// niceFlag adds the flag for the priority of a run.
func (a *app) niceFlag(c *cobra.Command) {
	const raised = -15
	c.Flags().IntVar(&a.nice, "nice", raised, "priority of the run and its services, where the system allows it (root): busy neighbours then do not look like faults; 0 leaves it as it is")
}

// options are what every run is given.
func (a *app) options() []experiment.Option {
	p := &progress{w: a.stderr, live: isTerminal(a.stderr)}
	return []experiment.Option{
		experiment.WithLogger(a.logger(p)),
		experiment.WithProgress(p.report),
		experiment.WithExecutable(executable()),
		experiment.WithNice(a.nice),
	}
}

// foresee prints what a plan would break.
func (a *app) foresee(e experiment.Experiment) error {
	forecasts, err := experiment.Foresee(e)
	if err != nil {
		return usage(err)
	}
	fmt.Fprintf(a.stdout, "%s, seed %d\n", e.Name, e.Seed)
	for _, f := range forecasts {
		broken := "how many will break depends on what comes to the proxy"
		if f.Broken >= 0 {
			broken = fmt.Sprintf("%d of %d calls will break", f.Broken, f.Calls)
		}
		fmt.Fprintf(a.stdout, "  %-12s %s; a correct system fails by bad luck in %.2g%% of the runs\n", f.Fault, broken, 100*f.Flake)
		if f.Warning != "" {
			fmt.Fprintf(a.stdout, "  %-12s warning: %s\n", "", f.Warning)
		}
	}
	return nil
}

// warn says, before anything runs, what may make the run prove nothing.
func (a *app) warn(e experiment.Experiment) error {
	forecasts, err := experiment.Foresee(e)
	if err != nil {
		return usage(err)
	}
	for _, f := range forecasts {
		if f.Warning != "" {
			fmt.Fprintf(a.stderr, "%s: %s\n", f.Fault, f.Warning)
		}
		if f.Flake > 0 {
			fmt.Fprintf(a.stderr, "%s: a correct system fails by bad luck in %.2g%% of the runs\n", f.Fault, 100*f.Flake)
		}
	}
	return nil
}

// onePlan takes the path of a plan.
func onePlan(_ *cobra.Command, args []string) error {
	if len(args) != 1 {
		return errors.New("want one plan file")
	}
	return nil
}

func completePlan(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt
}
