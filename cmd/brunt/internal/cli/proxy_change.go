package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/brunt-go/brunt/network/proxy/control"
)

func (r *remote) createCommand() *cobra.Command {
	var spec control.ProxySpec
	var seed string
	var lease time.Duration
	var disabled bool
	c := &cobra.Command{
		Use:     "create -u ADDRESS PROXY",
		Aliases: []string{"c", "new"},
		Short:   "Make a proxy",
		Long: `Makes a proxy, and starts it. With --lease it is gone after that time: nobody renews
the lease once this command has ended, unless you do, over the API.`,
		Example: `  brunt proxy create -l localhost:26379 -u localhost:6379 redis
  brunt proxy create -u localhost:6379 --lease 10m --json redis  # any free port, printed`,
		Args:              oneProxy,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: r.command(func(ctx context.Context, client *control.Client, args []string) (answer, error) {
			spec.Name = args[0]
			if spec.Upstream == "" {
				return answer{}, usage(errors.New("--upstream: not set, must be the address to carry connections to"))
			}
			if seed != "" {
				n, err := seedOf(seed)
				if err != nil {
					return answer{}, usage(err)
				}
				spec.Seed = &n
			}
			spec.Lease = control.Length(lease)
			enabled := !disabled
			spec.Enabled = &enabled
			p, err := client.Create(ctx, spec)
			if err != nil {
				return answer{}, fmt.Errorf("%s: %w", spec.Name, holder(ctx, client, err))
			}
			if err := control.CheckUpstream(p.Upstream); err != nil {
				fmt.Fprintf(r.app.stderr, "brunt: %s is made, but no connection of it can reach its %s\n", visible(p.Name), visible(err.Error()))
			}
			return answer{
				text:  fmt.Sprintf("Created new proxy %s\n", visible(p.Name)),
				hint:  fmt.Sprintf("it listens on %s; brunt proxy toxic add -t TYPE %s breaks it", visible(p.Listen), visible(p.Name)),
				value: p,
			}, nil
		}),
	}
	f := c.Flags()
	f.StringVarP(&spec.Listen, "listen", "l", "127.0.0.1:0", "`ADDRESS` it listens on, with port 0 for a free one")
	f.StringVarP(&spec.Upstream, "upstream", "u", "", "`ADDRESS` it carries connections to")
	f.BoolVar(&disabled, "disabled", false, "don't start it")
	f.StringVar(&seed, "seed", "", "number that decides which of its connections a toxic hits (default the daemon's)")
	leaseFlag(c, &lease)
	noCompletion(c, "listen", "upstream", "seed")
	return c
}

// leaseFlag adds the flag for how long something stays.
func leaseFlag(c *cobra.Command, lease *time.Duration) {
	c.Flags().DurationVar(lease, "lease", 0, "`TIME` after which it is removed, such as 30s; nobody renews it")
	plainDuration(c.Flags(), "lease")
	noCompletion(c, "lease")
}

func (r *remote) toggleCommand() *cobra.Command {
	return &cobra.Command{
		Use:               "toggle PROXY",
		Aliases:           []string{"tog"},
		Short:             "Stop a proxy, or start it again",
		Long:              "Stops a proxy, which closes its connections and refuses new ones, or starts it again.",
		Args:              oneProxy,
		ValidArgsFunction: r.completeProxy,
		RunE: r.command(func(ctx context.Context, c *control.Client, args []string) (answer, error) {
			p, err := c.Proxy(ctx, args[0])
			if err == nil {
				enabled := !p.Enabled
				// With its addresses, which Toxiproxy's own server would else take for empty ones.
				p, err = c.Change(ctx, args[0], control.ProxySpec{Name: p.Name, Listen: p.Listen, Upstream: p.Upstream, Enabled: &enabled})
			}
			if err != nil {
				return answer{}, fmt.Errorf("%s: %w", args[0], err)
			}
			return answer{text: fmt.Sprintf("Proxy %s is now %s\n", visible(p.Name), r.enabled(p.Enabled)), value: p}, nil
		}),
	}
}

func (r *remote) deleteCommand() *cobra.Command {
	return &cobra.Command{
		Use:               "delete PROXY",
		Aliases:           []string{"d"},
		Short:             "Remove a proxy",
		Long:              "Removes a proxy, and closes its connections.",
		Args:              oneProxy,
		ValidArgsFunction: r.completeProxy,
		RunE: r.command(func(ctx context.Context, c *control.Client, args []string) (answer, error) {
			if err := c.Delete(ctx, args[0]); err != nil {
				return answer{}, fmt.Errorf("%s: %w", args[0], err)
			}
			return answer{
				text:  fmt.Sprintf("Deleted proxy %s\n", visible(args[0])),
				value: map[string]string{"deleted": args[0]},
			}, nil
		}),
	}
}

func (r *remote) resetCommand() *cobra.Command {
	return &cobra.Command{
		Use:               "reset",
		Short:             "Remove every toxic and start every proxy",
		Args:              cobra.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: r.command(func(ctx context.Context, c *control.Client, _ []string) (answer, error) {
			if err := c.Reset(ctx); err != nil {
				return answer{}, err
			}
			return answer{text: "Removed every toxic and started every proxy\n", value: map[string]bool{"reset": true}}, nil
		}),
	}
}
