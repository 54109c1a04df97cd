package cli

import (
	"errors"

	"github.com/spf13/cobra"
)

// proxyExitHelp is what the statuses of exit.go mean for proxies.
const proxyExitHelp = `Exit status:
  0   done; of the daemon: ended by SIGINT or SIGTERM
  1   the daemon refuses it or does not answer; of the daemon: a port is taken
  64  the command line, the configuration file or a token file is wrong
  74  the output could not be written`

// proxyCommand is the daemon; its subcommands drive one that runs.
func (a *app) proxyCommand() *cobra.Command {
	s := defaultDaemonSettings()
	r := &remote{app: a}
	c := &cobra.Command{
		Use:   "proxy",
		Short: "Run the proxy that breaks connections, or drive one that runs",
		Long: `Runs TCP proxies with toxics until SIGINT or SIGTERM. It is driven over HTTP, by
the API of Toxiproxy: its clients in every language work unchanged, and it takes
toxiproxy-server's flags as they are. Its page is at /ui, its metrics at /metrics.

Where it listens is printed to stdout, what happens is logged to stderr, as much of
it as the environment's LOG_LEVEL says: debug, info, warn, error or disabled.

The commands below drive a daemon that runs, as toxiproxy-cli does, by the same
words. They find it at --address, else at BRUNT_PROXY_URL or TOXIPROXY_URL of the
environment. In a pipe they print lines of fields between tabs, and with --json
all there is.

` + proxyExitHelp,
		Example: `  brunt proxy                                      # the daemon, on localhost:8474
  brunt proxy --config proxies.json --seed 42      # ... with proxies and toxics from a file
  brunt proxy -host 0.0.0.0 -port 8474 --no-token  # ... in place of toxiproxy-server, in a container
  brunt proxy create -l localhost:26379 -u localhost:6379 redis
  brunt proxy toxic add -t latency -a latency=1000 redis
  brunt proxy watch redis`,
		Args: commandOnly,
		RunE: func(c *cobra.Command, _ []string) error {
			if s.version {
				return a.printVersion()
			}
			if r.address != "" || r.session != "" || r.json {
				return usage(errors.New("--address, --session and --json are for the commands that drive a daemon; " +
					"where it listens is --host and --port"))
			}
			s.tokenFile = r.tokenFile
			return a.serveProxies(c.Context(), s)
		},
	}
	s.flags(c.Flags())
	noCompletion(c, "host", "port", "seed", "allow-host", "buffer", "dial-timeout", "max-connections", "max-proxies", "max-toxics")
	_ = c.MarkFlagFilename("config", "json") // it is there
	r.flags(c)
	c.AddCommand(r.listCommand(), r.inspectCommand(), r.createCommand(), r.toggleCommand(), r.deleteCommand(),
		r.toxicCommand(), r.populateCommand(), r.resetCommand(), r.watchCommand(), r.statsCommand(), r.connectionsCommand())
	return c
}
