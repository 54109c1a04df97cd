package planfile

import (
	"fmt"
	"math"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// converter makes nodes out of what the YAML parser found.
type converter struct {
	file     string
	src      *source
	anchors  map[string]*node
	nodes    int
	bombed   bool // the aliases' sizes went over maxNodes
	problems []*Error
}

func (c *converter) wrong(path string, n ast.Node, format string, args ...any) *node {
	out := c.at(n)
	c.problems = append(c.problems, &Error{
		File: c.file, Line: out.line, Column: out.col, Field: path, Problem: fmt.Sprintf(format, args...),
	})
	return out
}

// at is a null node where n is.
func (c *converter) at(n ast.Node) *node {
	line, col := 1, 1
	if n != nil {
		if t := n.GetToken(); t != nil && t.Position != nil {
			line, col = c.src.clamp(t.Position.Line, t.Position.Column)
			if t.Indicator == token.NotIndicator {
				col = c.src.start(line, col, t.Value)
			}
		}
	}
	return &node{line: line, col: col, size: 1}
}

// convert returns the node of n, which path leads to.
func (c *converter) convert(path string, n ast.Node, depth int) *node {
	if depth > maxDepth {
		return c.wrong(path, n, "nested more than %d deep", maxDepth)
	}
	switch n := n.(type) {
	case *ast.MappingNode:
		return c.mapping(path, n, n.Values, depth)
	case *ast.MappingValueNode:
		return c.mapping(path, n, []*ast.MappingValueNode{n}, depth)
	case *ast.SequenceNode:
		out := c.at(n)
		out.kind = list
		for i, item := range n.Values {
			child := c.convert(fmt.Sprintf("%s[%d]", path, i), item, depth+1)
			out.items = append(out.items, child)
			out.size += child.size
		}
		return out
	case *ast.AnchorNode:
		out := c.convert(path, n.Value, depth+1)
		if n.Name != nil {
			c.anchors[n.Name.GetToken().Value] = out
		}
		return out
	case *ast.AliasNode:
		return c.alias(path, n)
	case *ast.TagNode:
		return c.wrong(path, n, "the tag %s, want none: put a text in quotes", quoted(n.GetToken().Value))
	default:
		return c.scalar(path, n)
	}
}

// alias returns the node of an anchor. Written out, all aliases together may
// not make the file larger than maxNodes.
func (c *converter) alias(path string, n *ast.AliasNode) *node {
	name := ""
	if n.Value != nil {
		name = n.Value.GetToken().Value
	}
	target, ok := c.anchors[name]
	if !ok {
		return c.wrong(path, n, "*%s, want an anchor that stands before it: &%s", name, name)
	}
	if c.bombed {
		return c.at(n)
	}
	if c.nodes += target.size; c.nodes > maxNodes {
		c.bombed, c.problems = true, nil
		return c.wrong(path, n, "with this alias the file has more than %d values", maxNodes)
	}
	return target
}

func (c *converter) scalar(path string, n ast.Node) *node {
	out := c.at(n)
	switch n := n.(type) {
	case nil, *ast.NullNode:
		return out
	case *ast.StringNode:
		out.kind, out.text, out.value = text, n.Value, n.Value
	case *ast.LiteralNode:
		if n.Value != nil {
			out.kind, out.text, out.value = text, n.Value.Value, n.Value.Value
		}
	case *ast.BoolNode:
		out.kind, out.text, out.value = boolean, n.GetToken().Value, n.Value
	case *ast.IntegerNode:
		out.kind, out.text, out.value = number, n.GetToken().Value, n.Value
	case *ast.FloatNode:
		out.kind, out.text, out.value = number, n.GetToken().Value, n.Value
		if math.IsInf(n.Value, 0) || math.IsNaN(n.Value) {
			return c.wrong(path, n, "%s, want a finite number", out.text)
		}
	case *ast.InfinityNode, *ast.NanNode:
		return c.wrong(path, n, "%s, want a finite number", n.GetToken().Value)
	default:
		return c.wrong(path, n, "want a text, a number, a list or a mapping")
	}
	return out
}

func (c *converter) mapping(path string, n ast.Node, values []*ast.MappingValueNode, depth int) *node {
	out := c.at(n)
	out.kind = mapping
	if t := n.GetToken(); t.Type != token.MappingStartType && len(values) > 0 {
		// A block mapping starts where its first key does.
		first := c.keyAt(values[0].Key)
		out.line, out.col = first.line, first.col
	}
	own := map[string]*node{}
	for _, v := range values {
		if name, ok := keyName(v.Key); ok {
			own[name] = nil
		}
	}
	seen := map[string]bool{}
	add := func(p pair) {
		out.pairs = append(out.pairs, p)
		out.size += p.value.size + 1
		seen[p.name] = true
	}
	for _, v := range values {
		if _, ok := v.Key.(*ast.MergeKeyNode); ok {
			for _, p := range c.merged(join(path, "<<"), v, depth) {
				if _, mine := own[p.name]; !mine && !seen[p.name] {
					add(p)
				}
			}
			continue
		}
		name, ok := keyName(v.Key)
		if !ok {
			c.wrong(join(path, v.Key.GetToken().Value), v.Key, "is no key here, want a text: put it in quotes")
			continue
		}
		key := c.keyAt(v.Key)
		key.kind, key.text = text, name
		if first := own[name]; first != nil {
			c.wrong(join(path, name), v.Key, "stands here twice, first in line %d", first.line)
			continue
		}
		own[name] = key
		add(pair{name, key, c.convert(join(path, name), v.Value, depth+1)})
	}
	return out
}

// merged are the pairs that a `<<` brings in: of one mapping, or of several, of
// which the first that has a key gives its value.
func (c *converter) merged(path string, v *ast.MappingValueNode, depth int) []pair {
	from := c.convert(path, v.Value, depth+1)
	sources := []*node{from}
	if from.kind == list {
		sources = from.items
	}
	var pairs []pair
	for _, s := range sources {
		if s.kind != mapping {
			c.wrong(path, v.Key, "%v, want the alias of a mapping", s)
			return nil
		}
		pairs = append(pairs, s.pairs...)
	}
	return pairs
}

// keyAt is where a key is: behind the question mark it may be written with.
func (c *converter) keyAt(key ast.MapKeyNode) *node {
	if marked, ok := key.(*ast.MappingKeyNode); ok && marked.Value != nil {
		return c.at(marked.Value)
	}
	return c.at(key)
}

// keyName is the text of a key.
func keyName(key ast.Node) (string, bool) {
	switch key := key.(type) {
	case *ast.StringNode:
		return key.Value, true
	case *ast.MappingKeyNode:
		if s, ok := key.Value.(*ast.StringNode); ok {
			return s.Value, true
		}
	}
	return "", false
}
