package cli

import (
	"fmt"
	"net/netip"

	"github.com/spf13/pflag"

	"github.com/brunt-go/brunt/network/proxy/control"
	"github.com/brunt-go/brunt/network/toxic"
)

// selection is what the flags select.
func (t *toxicFlags) selection() (toxic.Selection, error) {
	s := toxic.Selection{Connections: t.ordinals, AfterBytes: t.afterBytes, Count: t.count}
	if t.source == "" {
		return s, nil
	}
	var err error
	s.Source, err = parseNetwork(t.source)
	return s, err
}

// parseNetwork reads a network, or an address alone.
func parseNetwork(text string) (netip.Prefix, error) {
	if p, err := netip.ParsePrefix(text); err == nil {
		return p, nil
	}
	a, err := netip.ParseAddr(text)
	if err != nil {
		return netip.Prefix{}, fmt.Errorf("--source: %q, want a network such as 10.0.0.0/8", text)
	}
	return netip.PrefixFrom(a, a.BitLen()), nil
}

// change sets what the flags change of a selection. The ordinals change as one, so
// those that are not given are the toxic's of now.
func (t *toxicFlags) change(f *pflag.FlagSet, c *control.ToxicChange, now func() (control.Toxic, error)) error {
	selection, err := t.selection()
	if err != nil {
		return usage(err)
	}
	if f.Changed("after-bytes") {
		c.AfterBytes = &t.afterBytes
	}
	if f.Changed("source") {
		c.Source = &selection.Source
	}
	if f.Changed("count") {
		c.Count = &t.count
	}
	if !f.Changed("first") && !f.Changed("last") && !f.Changed("every") {
		return nil
	}
	old, err := now()
	if err != nil {
		return err
	}
	ordinals := old.Connections
	if f.Changed("first") {
		ordinals.First = t.ordinals.First
	}
	if f.Changed("last") {
		ordinals.Last = t.ordinals.Last
	}
	if f.Changed("every") {
		ordinals.Every = t.ordinals.Every
	}
	c.Connections = &ordinals
	return nil
}
