package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"

	"github.com/spf13/cobra"

	"github.com/brunt-go/brunt/network/proxy/control"
	"github.com/brunt-go/brunt/network/toxic"
)

func (r *remote) populateCommand() *cobra.Command {
	strict := false
	c := &cobra.Command{
		Use:   "populate FILE",
		Short: "Make every proxy of a file as it says there",
		Long: `Makes every proxy of a file, or of stdin for -, as it says there, with its toxics.
It may be done again and again: what is so already is left alone. The file is the
daemon's --config, a JSON array of proxies, and what list --json prints.`,
		Example: `  brunt proxy populate proxies.json
  brunt proxy list --json > proxies.json  # keeps what there is`,
		Args: cobra.ExactArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return []string{"json"}, cobra.ShellCompDirectiveFilterFileExt
		},
	}
	c.RunE = r.command(func(ctx context.Context, client *control.Client, args []string) (answer, error) {
		data, err := readFile(c.InOrStdin(), args[0])
		if err != nil {
			return answer{}, usage(err)
		}
		specs, warnings, err := control.ParseConfig(data, strict)
		if err != nil {
			return answer{}, usage(inFile(args[0], err))
		}
		for _, w := range warnings {
			fmt.Fprintf(r.app.stderr, "brunt: %s: ignored: %s\n", args[0], w)
		}
		known(specs)
		proxies, err := client.Populate(ctx, specs)
		if err != nil {
			return answer{}, fmt.Errorf("%s: %w", args[0], ofProxy(specs, len(proxies), holder(ctx, client, err)))
		}
		a := answer{value: proxies}
		for _, p := range proxies {
			a.text += fmt.Sprintf("Populated proxy %s\n", visible(p.Name))
		}
		return a, nil
	})
	c.Flags().BoolVar(&strict, "strict", false, "refuse unknown fields and attributes, instead of a warning")
	return c
}

// ofProxy is an error of populating with the name of the proxy that could not be made:
// the one after those that were. Only with status 500 did it come that far for certain.
func ofProxy(specs []control.ProxySpec, made int, err error) error {
	var refused *control.Error
	if !errors.As(err, &refused) || refused.Status != http.StatusInternalServerError || made >= len(specs) {
		return err
	}
	return fmt.Errorf("proxy %s: %w", visible(specs[made].Name), err)
}

// readFile reads a file, or stdin for "-".
func readFile(stdin io.Reader, path string) ([]byte, error) {
	if path == "-" {
		return io.ReadAll(stdin)
	}
	return os.ReadFile(path)
}

// known leaves out the attributes that there are not: the daemon is asked to
// refuse them, and they were warned of.
func known(specs []control.ProxySpec) {
	for _, s := range specs {
		for i, t := range s.Toxics {
			it, err := toxic.ParseLax(t.Type, t.Attributes)
			if err != nil {
				continue // never: they were read before
			}
			if data, err := toxic.Attributes(it); err == nil {
				s.Toxics[i].Attributes = data
			}
		}
	}
}
