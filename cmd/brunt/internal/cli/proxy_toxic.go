package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/brunt-go/brunt/network/proxy/control"
	"github.com/brunt-go/brunt/network/toxic"
)

func (r *remote) toxicCommand() *cobra.Command {
	c := &cobra.Command{
		Use:     "toxic",
		Aliases: []string{"t"},
		Short:   "Add, change or remove a toxic",
		Long: `Adds, changes or removes a toxic, on open connections too. An attribute is
-a KEY=VALUE; its value is a number, a word or JSON. Several stand in one -a with
commas between them, or each in its own.

In docs/reference/toxics.md stands what each type does, with its attributes.`,
		Example: `  brunt proxy toxic add -t latency -a latency=1000 -a jitter=100 redis
  brunt proxy toxic add -t latency -n slow -a 'distribution=table,percentiles={"50":20,"99":900}' redis
  brunt proxy toxic add -t reset_peer --first 3 --last 3 --lease 1m redis
  brunt proxy toxic update -n slow -a latency=20 redis
  brunt proxy toxic remove -n slow redis`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(r.addToxicCommand(), r.updateToxicCommand(), r.removeToxicCommand())
	return c
}

// toxicFlags are what toxic add and update take.
type toxicFlags struct {
	name       string
	toxicity   float64
	attributes []string

	ordinals   toxic.Ordinals
	afterBytes int64
	source     string
	count      int64
}

func (t *toxicFlags) flags(c *cobra.Command) {
	nameFlag(c, &t.name)
	f := c.Flags()
	f.Float64Var(&t.toxicity, "toxicity", 1, "share of the selected connections it hits, from 0 to 1")
	f.StringArrayVarP(&t.attributes, "attribute", "a", nil, "an attribute, `KEY=VALUE`; give it again for more")
	f.Uint64Var(&t.ordinals.First, "first", 0, "first connection it is about, counted from 1")
	f.Uint64Var(&t.ordinals.Last, "last", 0, "last connection it is about")
	f.Uint64Var(&t.ordinals.Every, "every", 0, "of those connections, every so many")
	f.Int64Var(&t.afterBytes, "after-bytes", 0, "bytes that pass before it begins")
	f.StringVar(&t.source, "source", "", "`NETWORK` of the clients it is about, such as 10.0.0.0/8")
	f.Int64Var(&t.count, "count", 0, "connections it hits, then it is healed")
	noCompletion(c, "toxicity", "first", "last", "every", "after-bytes", "source", "count")
}

// nameFlag adds the flag for a toxic's name, and lets flags be called as
// toxiproxy-cli calls them.
func nameFlag(c *cobra.Command, name *string) {
	c.Flags().SetNormalizeFunc(func(_ *pflag.FlagSet, flag string) pflag.NormalizedName {
		switch flag {
		case "toxicName":
			flag = "name"
		case "tox":
			flag = "toxicity"
		}
		return pflag.NormalizedName(flag)
	})
	c.Flags().StringVarP(name, "name", "n", "", "`NAME` of the toxic (--toxicName too)")
}

// toxicityIfSet is nil unless the flag was given.
func (t *toxicFlags) toxicityIfSet(f *pflag.FlagSet) (*float64, error) {
	if !f.Changed("toxicity") {
		return nil, nil //nolint:nilnil // none was given
	}
	if !(t.toxicity >= 0 && t.toxicity <= 1) { // so written that NaN fails
		return nil, usage(fmt.Errorf("--toxicity: %v, must be from 0 to 1", t.toxicity))
	}
	return &t.toxicity, nil
}

func (r *remote) addToxicCommand() *cobra.Command {
	var flags toxicFlags
	var kind string
	var up, down bool
	var lease time.Duration
	c := &cobra.Command{
		Use:     "add -t TYPE [-a KEY=VALUE]... PROXY",
		Aliases: []string{"a"},
		Short:   "Put a toxic behind those a proxy has",
		Long: `Puts a toxic behind those a proxy has. It hits all connections unless --toxicity or
a selection says less: --first, --last and --every count them, --source is about
their clients, --after-bytes and --count about when. With --lease it is gone after
that time: nobody renews the lease once this command has ended.`,
		Example: `  brunt proxy toxic add -t bandwidth -a rate=100 --upstream redis
  brunt proxy toxic add -t limit_data -a bytes=1000 --count 1 redis`,
		Args:              oneProxy,
		ValidArgsFunction: r.completeProxy,
	}
	c.RunE = r.command(func(ctx context.Context, client *control.Client, args []string) (answer, error) {
		switch {
		case kind == "":
			return answer{}, usage(errors.New("--type: not set, want one of " + kindList()))
		case up && down:
			return answer{}, usage(errors.New("--upstream and --downstream, want one of them"))
		}
		stream := string(toxic.Downstream)
		if up {
			stream = string(toxic.Upstream)
		}
		spec := control.ToxicSpec{Name: flags.name, Type: kind, Stream: &stream, Lease: control.Length(lease)}
		var err error
		if spec.Toxicity, err = flags.toxicityIfSet(c.Flags()); err != nil {
			return answer{}, err
		}
		if spec.Attributes, err = parseAttributes(flags.attributes); err != nil {
			return answer{}, usage(err)
		}
		if spec.Selection, err = flags.selection(); err != nil {
			return answer{}, usage(err)
		}
		t, err := client.AddToxic(ctx, args[0], spec)
		if err != nil {
			return answer{}, toxicError(err, args[0], cmp.Or(flags.name, kind))
		}
		return answer{
			text:  fmt.Sprintf("Added %s %s toxic '%s' on proxy '%s'\n", t.Stream, t.Type, visible(t.Name), visible(args[0])),
			value: t,
		}, nil
	})
	flags.flags(c)
	f := c.Flags()
	f.StringVarP(&kind, "type", "t", "", "`TYPE` of the toxic")
	f.BoolVarP(&up, "upstream", "u", false, "what the client sends")
	f.BoolVarP(&down, "downstream", "d", false, "what the server sends (the default)")
	leaseFlag(c, &lease)
	noCompletion(c, "name")
	_ = c.RegisterFlagCompletionFunc("type", cobra.FixedCompletions(kindCompletions(), cobra.ShellCompDirectiveNoFileComp))
	_ = c.RegisterFlagCompletionFunc("attribute", r.completeAttribute)
	return c
}

func (r *remote) updateToxicCommand() *cobra.Command {
	var flags toxicFlags
	c := &cobra.Command{
		Use:     "update -n NAME [-a KEY=VALUE]... PROXY",
		Aliases: []string{"u"},
		Short:   "Change a toxic",
		Long: `Changes what is given of a toxic, all of it or, on an error, nothing. What is not
given stays, its toxicity too.`,
		Example:           `  brunt proxy toxic update -n latency_downstream -a latency=20 --toxicity 0.5 redis`,
		Args:              oneProxy,
		ValidArgsFunction: r.completeProxy,
	}
	c.RunE = r.command(func(ctx context.Context, client *control.Client, args []string) (answer, error) {
		if flags.name == "" {
			return answer{}, usage(errors.New("--name: not set, must be the toxic's"))
		}
		var change control.ToxicChange
		var err error
		if change.Toxicity, err = flags.toxicityIfSet(c.Flags()); err != nil {
			return answer{}, err
		}
		if change.Attributes, err = parseAttributes(flags.attributes); err != nil {
			return answer{}, usage(err)
		}
		now := func() (control.Toxic, error) { return client.Toxic(ctx, args[0], flags.name) }
		if err := flags.change(c.Flags(), &change, now); err != nil {
			return answer{}, toxicError(err, args[0], flags.name)
		}
		t, err := client.ChangeToxic(ctx, args[0], flags.name, change)
		if err != nil {
			return answer{}, toxicError(err, args[0], flags.name)
		}
		return answer{text: fmt.Sprintf("Updated toxic '%s' on proxy '%s'\n", visible(t.Name), visible(args[0])), value: t}, nil
	})
	flags.flags(c)
	_ = c.RegisterFlagCompletionFunc("name", r.completeToxic)
	_ = c.RegisterFlagCompletionFunc("attribute", r.completeAttribute)
	return c
}

func (r *remote) removeToxicCommand() *cobra.Command {
	var name string
	c := &cobra.Command{
		Use:               "remove -n NAME PROXY",
		Aliases:           []string{"r", "delete", "d"},
		Short:             "Take a toxic away",
		Long:              "Takes a toxic away, at once. What it holds back goes on.",
		Args:              oneProxy,
		ValidArgsFunction: r.completeProxy,
		RunE: r.command(func(ctx context.Context, client *control.Client, args []string) (answer, error) {
			if name == "" {
				return answer{}, usage(errors.New("--name: not set, must be the toxic's"))
			}
			if err := client.RemoveToxic(ctx, args[0], name); err != nil {
				return answer{}, toxicError(err, args[0], name)
			}
			return answer{
				text:  fmt.Sprintf("Removed toxic '%s' on proxy '%s'\n", visible(name), visible(args[0])),
				value: map[string]string{"removed": name, "proxy": args[0]},
			}, nil
		}),
	}
	nameFlag(c, &name)
	_ = c.RegisterFlagCompletionFunc("name", r.completeToxic)
	return c
}

// toxicError is err with what it is about.
func toxicError(err error, proxyName, toxicName string) error {
	var status *statusError
	if errors.As(err, &status) {
		return err
	}
	err = fmt.Errorf("toxic %s of %s: %w", toxicName, proxyName, err)
	if strings.HasSuffix(err.Error(), "invalid toxic type") {
		err = fmt.Errorf("%w, want one of %s", err, kindList())
	}
	return err
}
