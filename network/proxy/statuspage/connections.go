package statuspage

import (
	"slices"
	"time"

	"github.com/brunt-go/brunt/network/proxy"
	"github.com/brunt-go/brunt/network/toxic"
)

// shownConnections is how many open connections a view shows, and how many that
// have ended.
const shownConnections = 20

// connections are a proxy's: the open ones first, the newest of each first.
type connections struct {
	Rows []connection
	// Open and Ended are how many there are, if not all are shown.
	Open, Ended int
}

// connection is one as it is shown.
type connection struct {
	proxy.Connection

	Took time.Duration // so far
	Hits []hit
}

// Ended reports whether it has.
func (c connection) Ended() bool { return !c.Closed.IsZero() }

// hit is what a toxic did to a connection.
type hit struct {
	toxic.StageStatus
	Stream toxic.Stream
}

func (p *pages) connections(k key) connections {
	all, err := p.server.Connections(k.session, k.name)
	if err != nil { // deleted
		return connections{}
	}
	var out connections
	var ended []connection
	now := now()
	for _, c := range slices.Backward(all) {
		switch {
		case !c.Closed.IsZero():
			if out.Ended++; out.Ended <= shownConnections {
				ended = append(ended, newConnection(c, c.Closed))
			}
		default:
			if out.Open++; out.Open <= shownConnections {
				out.Rows = append(out.Rows, newConnection(c, now))
			}
		}
	}
	out.Rows = append(out.Rows, ended...)
	return out
}

// More reports whether not all are shown.
func (c connections) More() bool { return c.Open+c.Ended > len(c.Rows) }

func newConnection(c proxy.Connection, until time.Time) connection {
	out := connection{Connection: c, Took: until.Sub(c.Opened)}
	for _, s := range c.Upstream.Toxics {
		if s.Hit {
			out.Hits = append(out.Hits, hit{s, toxic.Upstream})
		}
	}
	for _, s := range c.Downstream.Toxics {
		if s.Hit {
			out.Hits = append(out.Hits, hit{s, toxic.Downstream})
		}
	}
	return out
}
