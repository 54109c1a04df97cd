// Package cli is the brunt command: what it takes, prints and exits with.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// app is one run of the command.
type app struct {
	stdout, stderr io.Writer
	color          string
	verbose        bool
	nice           int
}

// Run runs the command line args and returns the exit status. When ctx ends, a
// run under way stops, reports and returns.
func Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	a := &app{stdout: stdout, stderr: stderr}
	root := a.root()
	root.SetArgs(twoDashes(args))
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	var status *statusError
	switch {
	case err == nil:
		return exitPass
	case errors.As(err, &status):
		if status.err != nil {
			fmt.Fprintf(stderr, "brunt: %v\n", status.err)
		}
		return status.status
	default: // cobra's own: an unknown command, flag or argument
		fmt.Fprintf(stderr, "brunt: %v\nRun 'brunt help' for the commands and their flags.\n", err)
		return exitUsage
	}
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "brunt",
		Short: "Break one request on purpose, and prove whether the service bore it",
		Long: `brunt breaks one request or one connection on purpose, and proves with evidence
whether the service bore it: that the timeout fired, the retry was made, the
fallback answered, and that all of it ended when the fault did.

` + exitHelp,
		Example: `  brunt demo                              # break a real service three ways, read the verdict
  brunt run plan.yaml                     # every arm of a plan, and the verdict
  brunt run plan.yaml --html report.html  # ... with the evidence as a page
  brunt proxy                             # break connections, driven over HTTP
  brunt calibrate plan.yaml               # which threshold tells healthy from defective?`,
		Args:              commandOnly,
		SilenceErrors:     true,
		SilenceUsage:      true,
		DisableAutoGenTag: true,
		RunE:              func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetFlagErrorFunc(unknownFlag)
	root.PersistentFlags().StringVar(&a.color, "color", "auto", "colour the output: auto, always or never")
	root.PersistentFlags().BoolVarP(&a.verbose, "verbose", "v", false, "log what happens to stderr")
	root.PersistentPreRunE = func(*cobra.Command, []string) error {
		switch a.color {
		case "auto", "always", "never":
			return nil
		}
		return usage(fmt.Errorf("--color %q, want auto, always or never", a.color))
	}
	root.AddCommand(a.runCommand(), a.calibrateCommand(), a.demoCommand(), a.proxyCommand(), a.scenarioCommand(), a.schemaCommand(), a.sampleCommand(), a.versionCommand())
	root.InitDefaultCompletionCmd()
	return root
}

// logger logs to w: warnings, and with --verbose everything.
func (a *app) logger(w io.Writer) *slog.Logger {
	level := slog.LevelWarn
	if a.verbose {
		level = slog.LevelDebug
	}
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: level}))
}

// colored says whether what goes to w is coloured.
func (a *app) colored(w io.Writer) bool {
	switch a.color {
	case "always":
		return true
	case "never":
		return false
	}
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && isTerminal(w)
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
