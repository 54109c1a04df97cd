package planfile

import (
	"fmt"
	"slices"
)

// names are those of the file's services or proxies, in order.
type names struct {
	one  string // what one of them is called
	list []string
	// unreadable is set when the file has a section of them that is no
	// mapping: then every name may be one.
	unreadable bool
}

func namesOf(whole part, section, one string) names {
	n := names{one: one}
	if !whole.node.has(section) {
		return n
	}
	p := whole.get(section)
	n.unreadable = p.node.kind != mapping
	for _, pair := range p.node.pairs {
		n.list = append(n.list, pair.name)
	}
	return n
}

func (n names) has(name string) bool { return n.unreadable || slices.Contains(n.list, name) }

// missing says that a name is not among them.
func (n names) missing(name string) string {
	if len(n.list) == 0 {
		return fmt.Sprintf("no %s is named %s: the plan has none", n.one, name)
	}
	return fmt.Sprintf("no %s is named %s, %s", n.one, name, wantOneOf(name, n.list))
}
