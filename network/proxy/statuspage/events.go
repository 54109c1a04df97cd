package statuspage

import (
	"fmt"
	"time"

	"github.com/brunt-go/brunt/network/proxy"
	"github.com/brunt-go/brunt/network/proxy/control"
)

const (
	// shownEvents is how many lines of events a view shows.
	shownEvents = 20
	// joined is of how many events they are made at most: the same one again and
	// again is one line.
	joined = 200
)

// events are the latest ones.
type events struct {
	Rows []event
	// All says that connections and hits are among them, Other is the query of
	// the view where it is the other way round.
	All   bool
	Other string
	// Named says that they are of several proxies.
	Named bool
}

// event is one as it is shown.
type event struct {
	ID      string
	Time    time.Time
	Path    string // of the proxy, if there is one
	Session string
	Proxy   string
	Toxic   string
	Text    string
	Error   string
	// Times is how often it was in a row. Time is that of the last one.
	Times int
}

// again reports whether another event says the same.
func (e event) again(o event) bool {
	return e.Path == o.Path && e.Toxic == o.Toxic && e.Text == o.Text && e.Error == o.Error
}

// latest are the latest events of a proxy, or of all.
func (p *pages) latest(k key, all bool, other string) events {
	out := events{All: all, Other: other, Named: k.name == ""}
	for _, e := range p.server.Latest(joined, func(e control.Event) bool {
		return k.has(e) && (all || !frequent(e.Type))
	}) {
		shown := event{
			ID: fmt.Sprint("event-", e.ID), Time: e.Time, Session: e.Session, Proxy: e.Proxy, Toxic: e.Toxic, Text: told(e), Error: e.Error, Times: 1,
		}
		if e.Proxy != "" {
			shown.Path = key{e.Session, e.Proxy}.path()
		}
		switch n := len(out.Rows); {
		case n > 0 && out.Rows[n-1].again(shown):
			out.Rows[n-1].Times++
		case n < shownEvents:
			out.Rows = append(out.Rows, shown)
		default:
			return out
		}
	}
	return out
}

// frequent reports whether there are as many of a type as there are connections.
func frequent(t proxy.EventType) bool {
	return t == proxy.Opened || t == proxy.Closed || t == proxy.ToxicHit
}

// told is what happened in words. They come after the toxic's name, if it is about
// one.
func told(e control.Event) string {
	switch e.Type {
	case control.Created:
		return "Proxy created"
	case control.Deleted:
		return "Proxy deleted"
	case proxy.Started:
		return "Proxy listens"
	case proxy.Stopped:
		return "Proxy stopped, its connections closed"
	case proxy.Moved:
		return "Proxy has other addresses"
	case proxy.ToxicAdded:
		return "added"
	case proxy.ToxicChanged:
		return "changed"
	case proxy.ToxicRemoved:
		return "removed"
	case proxy.ToxicHit:
		return fmt.Sprint("hit connection ", e.Connection)
	case control.LeaseExpired:
		if e.Toxic == "" {
			return "Lease expired, removed"
		}
		return "lease expired, removed"
	case proxy.Opened:
		return fmt.Sprintf("Connection %d from %s", e.Connection, e.Client)
	case proxy.Closed:
		return fmt.Sprintf("Connection %d ended: %s up, %s down", e.Connection, size(e.Sent), size(e.Received))
	case proxy.DialFailed:
		return "Upstream not reached"
	case proxy.Rejected:
		return "Connection reset, too many are open"
	case proxy.AcceptFailed:
		return "Connection not accepted"
	case proxy.Refusing:
		return "Connections are refused"
	case proxy.Accepting:
		return "Connections are accepted again"
	case control.Lost:
		return "Events lost"
	default:
		return string(e.Type)
	}
}
