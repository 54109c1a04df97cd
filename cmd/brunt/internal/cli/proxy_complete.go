package cli

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/brunt-go/brunt/network/proxy/control"
	"github.com/brunt-go/brunt/network/toxic"
)

// patience is how long a shell waits for the daemon when someone presses tab.
const patience = time.Second

// proxies asks the daemon for its proxies, in vain if it does not answer.
func (r *remote) proxies(c *cobra.Command) map[string]control.Proxy {
	client, err := r.client()
	if err != nil {
		return nil
	}
	defer func() { _ = client.Close() }() // it has no leases to give back
	ctx, cancel := context.WithTimeout(c.Context(), patience)
	defer cancel()
	proxies, err := client.Proxies(ctx)
	if err != nil {
		return nil
	}
	return proxies
}

// completeProxy completes the name of a proxy.
func (r *remote) completeProxy(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return slices.Sorted(maps.Keys(r.proxies(c))), cobra.ShellCompDirectiveNoFileComp
}

// completeToxic completes the name of a toxic: of the proxy if it stands there
// already, else of any.
func (r *remote) completeToxic(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	var names []string
	for _, p := range r.proxies(c) {
		for _, t := range p.Toxics {
			if len(args) == 0 || args[0] == p.Name {
				names = append(names, t.Name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names), cobra.ShellCompDirectiveNoFileComp
}

// completeAttribute completes the key of an attribute: of the type that was given,
// of the toxic that is to change, or of any type.
func (r *remote) completeAttribute(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	var keys []string
	for _, kind := range r.kindsMeant(c, args) {
		for _, name := range attributeNames(kind) {
			keys = append(keys, name+"=")
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

func (r *remote) kindsMeant(c *cobra.Command, args []string) []string {
	if f := c.Flags().Lookup("type"); f != nil && f.Value.String() != "" {
		return []string{f.Value.String()}
	}
	if name := c.Flags().Lookup("name").Value.String(); name != "" && len(args) > 0 {
		for _, t := range r.proxies(c)[args[0]].Toxics {
			if t.Name == name {
				return []string{t.Type}
			}
		}
	}
	return toxic.Kinds()
}

// kindCompletions are the kinds of toxics, each with its attributes.
func kindCompletions() []string {
	var all []string
	for _, kind := range toxic.Kinds() {
		all = append(all, cobra.CompletionWithDesc(kind, strings.Join(attributeNames(kind), ", ")))
	}
	return all
}
