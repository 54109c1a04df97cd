package cli

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/brunt-go/brunt/network/proxy"
	"github.com/brunt-go/brunt/network/proxy/control"
	"github.com/brunt-go/brunt/network/toxic"
)

func (r *remote) statsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "stats [PROXY]",
		Short: "Show counters",
		Long: `Shows the counters of one proxy or of all: connections that are open and that were
accepted, failures, bytes each peer was sent, hits of each toxic. They count while
connections are open. --json has the rest too.`,
		Args:              perhapsProxy,
		ValidArgsFunction: r.completeProxy,
		RunE: r.command(func(ctx context.Context, c *control.Client, args []string) (answer, error) {
			stats := []control.Stats{}
			if len(args) == 0 {
				proxies, err := c.Proxies(ctx)
				if err != nil {
					return answer{}, err
				}
				args = slices.Sorted(maps.Keys(proxies))
			}
			var rows [][]string
			for _, name := range args {
				s, err := c.Stats(ctx, name)
				if err != nil {
					return answer{}, fmt.Errorf("%s: %w", name, err)
				}
				stats = append(stats, s)
				rows = append(rows, []string{
					s.Proxy, strconv.Itoa(s.Open), count(s.Connections), count(s.Rejected), count(s.DialErrors),
					count(s.AcceptErrors), count(s.Upstream.Written), count(s.Downstream.Written), hits(s.Hits),
				})
			}
			heading := []string{"NAME", "OPEN", "ACCEPTED", "REJECTED", "DIAL ERRORS", "ACCEPT ERRORS", "SENT", "RECEIVED", "HITS"}
			return answer{text: r.app.table(heading, rows), value: stats}, nil
		}),
	}
}

func count(n int64) string { return strconv.FormatInt(n, 10) }

// hits are the hits of each toxic, by name.
func hits(byToxic map[string]int64) string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(byToxic)) {
		all = append(all, fmt.Sprintf("%s=%d", name, byToxic[name]))
	}
	return strings.Join(all, " ")
}

func (r *remote) connectionsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "connections PROXY",
		Short: "Show a proxy's connections",
		Long: `Shows the connections of a proxy that are open, and the last 256 of those that have
ended: number, client, when it was opened, open or closed, bytes the upstream and
the client were sent, toxics that hit it, and why it ended. --json has the rest too.`,
		Args:              oneProxy,
		ValidArgsFunction: r.completeProxy,
		RunE: r.command(func(ctx context.Context, c *control.Client, args []string) (answer, error) {
			all, err := c.Connections(ctx, args[0])
			if err != nil {
				return answer{}, fmt.Errorf("%s: %w", args[0], err)
			}
			var rows [][]string
			for _, c := range all {
				rows = append(rows, connectionRow(c))
			}
			heading := []string{"NUMBER", "CLIENT", "OPENED", "STATE", "SENT", "RECEIVED", "HIT BY", "ERROR"}
			return answer{text: r.app.table(heading, rows), value: all}, nil
		}),
	}
}

func connectionRow(c proxy.Connection) []string {
	state := "open"
	if !c.Closed.IsZero() {
		state = "closed"
	}
	var hitBy []string
	for _, s := range []toxic.StreamStatus{c.Upstream, c.Downstream} {
		for _, t := range s.Toxics {
			if t.Hit {
				hitBy = append(hitBy, t.Toxic)
			}
		}
	}
	return []string{
		strconv.FormatUint(c.Connection, 10), c.Client, c.Opened.Local().Format(time.RFC3339), state,
		count(c.Upstream.Written), count(c.Downstream.Written), strings.Join(hitBy, " "), c.Error,
	}
}
