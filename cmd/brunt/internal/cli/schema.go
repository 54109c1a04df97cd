package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/brunt-go/brunt/judge/planfile"
	"github.com/brunt-go/brunt/judge/report"
)

func (a *app) schemaCommand() *cobra.Command {
	schemas := map[string]func() []byte{
		"plan": planfile.Schema, "run": report.RunSchema, "calibrate": report.CalibrateSchema,
	}
	return &cobra.Command{
		Use:   "schema [plan|run|calibrate]",
		Short: "Print the JSON Schema of a plan, or of a report in JSON",
		Long: `Prints the JSON Schema (draft 2020-12) of the plan file, which is the default, or of
what run --json or calibrate --json write. Editors check and complete a plan that
begins with
  # yaml-language-server: $schema=plan.schema.json`,
		Args:      cobra.MaximumNArgs(1),
		ValidArgs: []string{"plan", "run", "calibrate"},
		RunE: func(_ *cobra.Command, args []string) error {
			which := "plan"
			if len(args) == 1 {
				which = args[0]
			}
			schema, ok := schemas[which]
			if !ok {
				return usage(fmt.Errorf("schema %q, want plan, run or calibrate", which))
			}
			_, err := a.stdout.Write(schema())
			return err
		},
	}
}
