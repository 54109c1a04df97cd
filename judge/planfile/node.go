package planfile

import (
	"slices"
	"strings"
)

// nodeKind is what sort of value a node is.
type nodeKind int

const (
	null nodeKind = iota
	boolean
	number
	text
	list
	mapping
)

// node is a value of the file. Aliases share the node of their anchor, so a
// node is never changed once it is built.
type node struct {
	kind nodeKind
	// line and col are where the value starts, from 1.
	line, col int
	// text is a scalar as it reads: a text without its quotes, a number or a
	// boolean as it is written.
	text string
	// value is what a schema sees of a scalar: bool, int64, uint64, float64 or
	// string.
	value any
	// items are a list's, pairs a mapping's, in the file's order.
	items []*node
	pairs []pair
	// size is how many nodes the value is made of, aliases written out.
	size int
}

// pair is a key of a mapping and its value.
type pair struct {
	name  string
	key   *node
	value *node
}

// scalar reports whether the node is a text, a number or a boolean.
func (n *node) scalar() bool { return n.kind == text || n.kind == number || n.kind == boolean }

// has reports whether a mapping has a key.
func (n *node) has(name string) bool {
	return slices.ContainsFunc(n.pairs, func(p pair) bool { return p.name == name })
}

// instance is the node as encoding/json would decode it.
func (n *node) instance() any {
	switch n.kind {
	case list:
		items := make([]any, len(n.items))
		for i, item := range n.items {
			items[i] = item.instance()
		}
		return items
	case mapping:
		pairs := make(map[string]any, len(n.pairs))
		for _, p := range n.pairs {
			pairs[p.name] = p.value.instance()
		}
		return pairs
	default:
		return n.value
	}
}

// String says what a node is, for errors: the value itself when it is short.
func (n *node) String() string {
	switch n.kind {
	case null:
		return "nothing"
	case list:
		return "a list"
	case mapping:
		return "a mapping"
	case text:
		return quoted(n.text)
	default:
		return n.text
	}
}

// quoted is a text in quotes, cut when it is long.
func quoted(s string) string {
	const longest = 60
	if runes := []rune(s); len(runes) > longest {
		s = string(runes[:longest]) + "…"
	}
	return `"` + strings.NewReplacer("\n", `\n`, "\r", `\r`, "\t", `\t`).Replace(s) + `"`
}

// part is a node and how one gets to it.
type part struct {
	// path is the field's: "faults.delay.share", "verdict.require[1]".
	path string
	// key is the node of the key it is the value of, or nil.
	key  *node
	node *node
}

// at is where an error about the part is reported: a scalar itself, otherwise
// the key whose value it is.
func (p part) at() (line, col int) {
	if p.key != nil && !p.node.scalar() {
		return p.key.line, p.key.col
	}
	return p.node.line, p.node.col
}

// get is the part a key of a mapping leads to or, when it has no such key, the
// mapping itself.
func (p part) get(name string) part {
	for _, pair := range p.node.pairs {
		if pair.name == name {
			return p.child(pair)
		}
	}
	return p
}

// child is the part of one pair of a mapping.
func (p part) child(of pair) part { return part{join(p.path, of.name), of.key, of.value} }

// join makes the path of a field.
func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
