package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/brunt-go/brunt/network/proxy/control"
)

func (r *remote) listCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Aliases: []string{"l", "li", "ls"},
		Short:   "List the proxies",
		Long: `Lists the proxies, by name. In a pipe a line is: name, listen, upstream, enabled or
disabled, number of toxics, with tabs between them.`,
		Args:              cobra.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: r.command(func(ctx context.Context, c *control.Client, _ []string) (answer, error) {
			byName, err := c.Proxies(ctx)
			if err != nil {
				return answer{}, err
			}
			proxies, rows := []control.Proxy{}, [][]string{}
			for _, name := range slices.Sorted(maps.Keys(byName)) {
				p := byName[name]
				proxies = append(proxies, p)
				rows = append(rows, []string{p.Name, p.Listen, p.Upstream, enabledText(p.Enabled), strconv.Itoa(len(p.Toxics))})
			}
			a := answer{value: proxies, hint: "brunt proxy inspect NAME shows the toxics of one"}
			if len(rows) == 0 {
				a.hint = "there are none; brunt proxy create -l ADDRESS -u ADDRESS NAME makes one"
			}
			a.text = r.app.table([]string{"NAME", "LISTEN", "UPSTREAM", "ENABLED", "TOXICS"}, rows)
			return a, nil
		}),
	}
}

func (r *remote) inspectCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "inspect PROXY",
		Aliases: []string{"i", "ins"},
		Short:   "Show a proxy's toxics",
		Long: `Shows a proxy's toxics: the upstream ones, then the downstream ones, in their order.
In a pipe a line is: name, type=, stream=, toxicity=, attributes=[, each attribute,
], with tabs between them. --json has the rest too: selection, hits, lease, seed.`,
		Args:              oneProxy,
		ValidArgsFunction: r.completeProxy,
		RunE: r.command(func(ctx context.Context, c *control.Client, args []string) (answer, error) {
			p, err := c.Proxy(ctx, args[0])
			if err != nil {
				return answer{}, fmt.Errorf("%s: %w", args[0], err)
			}
			return answer{
				text:  r.inspect(p),
				value: p,
				hint:  "brunt proxy toxic add -t TYPE -a KEY=VALUE " + visible(p.Name) + " adds a toxic",
			}, nil
		}),
	}
}

// inspect is a proxy with its toxics, in a pipe its toxics alone.
func (r *remote) inspect(p control.Proxy) string {
	if isTerminal(r.app.stdout) {
		text := fmt.Sprintf("%s  %s -> %s  %s\n", r.app.paint(bold, visible(p.Name)), visible(p.Listen), visible(p.Upstream), r.enabled(p.Enabled))
		if len(p.Toxics) == 0 {
			return text + "no toxics\n"
		}
		var rows [][]string
		for _, t := range p.Toxics {
			rows = append(rows, []string{
				t.Name, t.Type, string(t.Stream), fmt.Sprintf("%.2f", t.Toxicity),
				strings.Join(attributesOf(t), " "), strconv.FormatInt(t.Hits, 10),
			})
		}
		return text + r.app.table([]string{"TOXIC", "TYPE", "STREAM", "TOXICITY", "ATTRIBUTES", "HITS"}, rows)
	}
	var b strings.Builder
	for _, t := range p.Toxics {
		fmt.Fprintf(&b, "%s\ttype=%s\tstream=%s\ttoxicity=%.2f\tattributes=[", visible(t.Name), t.Type, t.Stream, t.Toxicity)
		for _, a := range attributesOf(t) {
			b.WriteString("\t" + visible(a))
		}
		b.WriteString("\t]\n")
	}
	return b.String()
}

// attributesOf are a toxic's attributes as "key=value", by key. Words have no
// quotes, as in -a.
func attributesOf(t control.Toxic) []string {
	var values map[string]json.RawMessage
	if json.Unmarshal(t.Attributes, &values) != nil {
		return nil
	}
	var all []string
	for _, key := range slices.Sorted(maps.Keys(values)) {
		var compact bytes.Buffer
		_ = json.Compact(&compact, values[key]) // it was read as JSON just now
		text := compact.String()
		var word string
		if json.Unmarshal(values[key], &word) == nil {
			text = word
		}
		all = append(all, key+"="+text)
	}
	return all
}

func enabledText(enabled bool) string {
	if enabled {
		return "enabled"
	}
	return "disabled"
}

// enabled is enabledText, coloured.
func (r *remote) enabled(enabled bool) string {
	if enabled {
		return r.app.paint(green, enabledText(true))
	}
	return r.app.paint(red, enabledText(false))
}
