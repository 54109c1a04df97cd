package cli

import (
	_ "embed"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/brunt-go/brunt/judge/planfile"
)

//go:embed demo/plan.yaml
var demoPlan []byte

func (a *app) demoCommand() *cobra.Command {
	var page string
	c := &cobra.Command{
		Use:   "demo",
		Short: "Break a real loan service three ways and read the verdict",
		Long: `Starts a catalog and a loan desk on loopback, puts a proxy between them, and breaks
a fifth of the catalog's answers: late, wrong, and never. It does so to a loan
desk that bears it and to two that don't, and shows what tells them apart.

It takes some ten seconds, needs nothing installed and leaves nothing running.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			e, err := planfile.Parse("demo.yaml", demoPlan)
			if err != nil {
				return err
			}
			fmt.Fprintln(a.stderr, "breaking a real loan service: 3 systems, 200 calls an arm, a fifth of the catalog's answers late, wrong or lost")
			out := newOutputs()
			out.html(page)
			if err := a.calibrate(c.Context(), e, "", out); err != nil {
				return err
			}
			path, err := filepath.Abs(page)
			if err != nil {
				path = page
			}
			fmt.Fprintf(a.stdout, "\nThe evidence, as a page: %s\n", path)
			return nil
		},
	}
	a.niceFlag(c)
	c.Flags().StringVar(&page, "html", "brunt-report.html", "write the page to `FILE`")
	return c
}
