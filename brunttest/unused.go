package brunttest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// AllowUnused says that the test may end without a connection over the link, though
// there was a toxic on it: for a test in which nobody is to call, and one of many that
// break the same link.
func (l *Link) AllowUnused() {
	n := l.host.network
	n.mu.Lock()
	defer n.mu.Unlock()
	l.allowed = true
}

// note remembers that a toxic of that name was on the link.
func (l *Link) note(name string) {
	n := l.host.network
	n.mu.Lock()
	defer n.mu.Unlock()
	if !slices.Contains(l.names, name) {
		l.names = append(l.names, name)
	}
}

// unused returns which toxics were on links that no connection took, and what a name that
// was mistyped can be told from. The caller holds n.mu.
func (n *network) unused() (all []string) {
	for r, l := range n.links {
		if l.taken || l.allowed {
			continue
		}
		for _, name := range l.names {
			all = append(all, fmt.Sprintf("toxic %q on %v: no connection took this link; %s", name, r, n.instead(r)))
		}
	}
	return all
}

// instead says which ways connections took. The caller holds n.mu.
func (n *network) instead(of route) string {
	if n.taken[of] {
		return "those of this way were opened before Host.Link made it, and it leaves them as they are"
	}
	var ways []string
	for r := range maps.Keys(n.taken) {
		ways = append(ways, r.String())
	}
	if len(ways) == 0 {
		return "there was no connection at all"
	}
	slices.Sort(ways)
	return "connections were " + strings.Join(ways, ", ")
}
