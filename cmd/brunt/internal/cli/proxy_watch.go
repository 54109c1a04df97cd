package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/brunt-go/brunt/network/proxy"
	"github.com/brunt-go/brunt/network/proxy/control"
)

func (r *remote) watchCommand() *cobra.Command {
	var f control.Filter
	var kind string
	var after uint64
	var count int
	c := &cobra.Command{
		Use:   "watch [PROXY]",
		Short: "Follow what happens",
		Long: `Prints what happens, a line for each event, until it is interrupted: connections
that come and go, what toxics hit, what is changed. --json prints each event as
JSON on a line.`,
		Example: `  brunt proxy watch redis
  brunt proxy watch --type hit --json
  brunt proxy watch --after 0 --count 1  # waits until anything has happened at all`,
		Args:              perhapsProxy,
		ValidArgsFunction: r.completeProxy,
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		if count < 0 {
			return usage(fmt.Errorf("--count: %d, must be >= 0", count))
		}
		if kind != "" && !slices.Contains(eventTypes(), kind) {
			return usage(fmt.Errorf("--type: %q, want one of %s", kind, strings.Join(eventTypes(), ", ")))
		}
		client, err := r.client()
		if err != nil {
			return err
		}
		defer func() { _ = client.Close() }() // it has no leases to give back
		if len(args) > 0 {
			f.Proxy = args[0]
		}
		if c.Flags().Changed("after") {
			f.After = &after
		}
		if f.Proxy != "" {
			r.warnOfNone(c.Context(), client, f.Proxy)
		}
		f.Type = proxy.EventType(kind)
		return r.watch(c.Context(), client, f, count)
	}
	fs := c.Flags()
	fs.StringVar(&f.Toxic, "toxic", "", "events of the toxic `NAME` alone")
	fs.StringVar(&kind, "type", "", "events of a `TYPE` alone, such as hit")
	fs.Uint64Var(&after, "after", 0, "begin with those after an event's `ID`, as far as they are kept (default those from now on)")
	fs.IntVar(&count, "count", 0, "end after so many events")
	noCompletion(c, "after", "count")
	_ = c.RegisterFlagCompletionFunc("toxic", r.completeToxic)
	_ = c.RegisterFlagCompletionFunc("type", cobra.FixedCompletions(eventTypes(), cobra.ShellCompDirectiveNoFileComp))
	return c
}

// eventTypes are those of package proxy, then those of package control.
func eventTypes() []string {
	var all []string
	for _, t := range []proxy.EventType{
		proxy.Started, proxy.Stopped, proxy.Moved, proxy.ToxicAdded, proxy.ToxicChanged, proxy.ToxicRemoved,
		proxy.Opened, proxy.Closed, proxy.DialFailed, proxy.Rejected, proxy.AcceptFailed, proxy.ToxicHit,
		proxy.Refusing, proxy.Accepting, control.Created, control.Deleted, control.LeaseExpired, control.Lost,
	} {
		all = append(all, string(t))
	}
	return all
}

// warnOfNone says that there is no proxy of a name. Without --session one of any
// session will do. Whether the daemon answers at all is seen when it is followed.
func (r *remote) warnOfNone(ctx context.Context, client *control.Client, name string) {
	all, err := client.AllStats(ctx)
	if err != nil || slices.ContainsFunc(all, func(s control.Stats) bool {
		return s.Proxy == name && (r.session == "" || s.Session == r.session)
	}) {
		return
	}
	fmt.Fprintf(r.app.stderr, "brunt: no proxy %s yet; waiting\n", visible(name))
}

// watch prints events until it is interrupted, or there were so many.
func (r *remote) watch(ctx context.Context, client *control.Client, f control.Filter, count int) error {
	seen := 0
	for e, err := range client.Events(ctx, f) {
		if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) {
			break
		}
		if err != nil {
			return r.explain(err)
		}
		if _, err := io.WriteString(r.app.stdout, r.eventLine(e)); err != nil {
			return &statusError{exitOutput, err}
		}
		if seen++; seen == count {
			return nil
		}
	}
	if ctx.Err() != nil {
		return nil // whoever follows ends it so
	}
	return &statusError{exitFail, errors.New("the daemon has gone")}
}

func (r *remote) eventLine(e control.Event) string {
	if r.json {
		data, _ := json.Marshal(e) // what came as JSON can be written as such
		return string(data) + "\n"
	}
	name := e.Proxy
	if e.Session != "" && r.session == "" {
		name = e.Session + "/" + name
	}
	color := bold
	if e.Error != "" {
		color = red
	}
	return fmt.Sprintf("%s  %s  %s%s\n", e.Time.Local().Format("15:04:05.000"), visible(name), r.app.paint(color, string(e.Type)), details(e))
}

// details is what else an event says.
func details(e control.Event) string {
	var b strings.Builder
	if e.Toxic != "" {
		fmt.Fprintf(&b, "  toxic %s", visible(e.Toxic))
	}
	if e.Connection != 0 {
		fmt.Fprintf(&b, "  connection %d", e.Connection)
	}
	if e.Client != "" {
		fmt.Fprintf(&b, "  from %s", visible(e.Client))
	}
	if e.Type == proxy.Closed {
		fmt.Fprintf(&b, "  sent %d B  received %d B", e.Sent, e.Received)
	}
	if e.Error != "" {
		fmt.Fprintf(&b, "  %s", visible(e.Error))
	}
	return b.String()
}
