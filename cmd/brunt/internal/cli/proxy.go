package cli

import (
	"strings"

	"github.com/spf13/cobra"
)

// proxyCommand is the daemon; its subcommands drive one that runs.
func (a *app) proxyCommand() *cobra.Command {
	s := defaultDaemonSettings()
	c := &cobra.Command{
		Use:   "proxy",
		Short: "Run the proxy that breaks connections, or drive one that runs",
		Long: `Runs TCP proxies with toxics until SIGINT or SIGTERM. It is driven over HTTP, by
the API of Toxiproxy: its clients in every language work unchanged, and it takes
toxiproxy-server's flags as they are. Its page is at /ui, its metrics at /metrics.

Where it listens is printed to stdout, what happens is logged to stderr.`,
		Example: `  brunt proxy                                      # on localhost:8474
  brunt proxy --config proxies.json --seed 42      # with proxies and toxics from a file
  brunt proxy -host 0.0.0.0 -port 8474 --no-token  # in place of toxiproxy-server, in a container`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if s.version {
				return a.printVersion()
			}
			return a.serveProxies(c.Context(), s)
		},
	}
	s.flags(c.Flags())
	return c
}

// daemonFlags are the flags toxiproxy-server takes with one dash.
func daemonFlags() []string {
	return []string{"host", "port", "config", "seed", "proxy-metrics", "runtime-metrics", "version"}
}

// twoDashes gives toxiproxy-server's flags after "proxy" their second dash.
func twoDashes(args []string) []string {
	out := append([]string(nil), args...)
	after := false
	for i, arg := range out {
		if !after {
			after = arg == "proxy"
			continue
		}
		name, single := strings.CutPrefix(arg, "-")
		name, _, _ = strings.Cut(name, "=")
		for _, f := range daemonFlags() {
			if single && name == f {
				out[i] = "-" + arg
			}
		}
	}
	return out
}
