package proxy

import (
	"time"

	"github.com/brunt-go/brunt/network/toxic"
)

// EventType says what happened.
type EventType string

// What happens to a proxy.
const (
	// Started: the proxy listens. Stopped: it does not, and its connections
	// were closed.
	Started EventType = "started"
	Stopped EventType = "stopped"
	// Moved: it listens elsewhere or has another upstream.
	Moved EventType = "moved"
	// ToxicAdded, ToxicChanged, ToxicRemoved: a toxic did.
	ToxicAdded   EventType = "toxic_added"
	ToxicChanged EventType = "toxic_changed"
	ToxicRemoved EventType = "toxic_removed"
	// Opened: a client connected. Closed: the connection has ended.
	Opened EventType = "opened"
	Closed EventType = "closed"
	// DialFailed: the upstream could not be reached.
	DialFailed EventType = "dial_failed"
	// Rejected: a connection was reset, for there were too many.
	Rejected EventType = "rejected"
	// AcceptFailed: a connection could not be accepted, for want of file
	// descriptors for example. The proxy tries again.
	AcceptFailed EventType = "accept_failed"
	// ToxicHit: a toxic began to work on a connection.
	ToxicHit EventType = "hit"
	// Refusing: the proxy refuses connections because of a toxic, or because
	// the upstream does. Accepting: no longer.
	Refusing  EventType = "refusing"
	Accepting EventType = "accepting"
)

// Event is something that happened to a proxy.
type Event struct {
	// Time is when.
	Time time.Time `json:"time"`
	// Type is what.
	Type EventType `json:"type"`
	// Proxy is its name.
	Proxy string `json:"proxy"`
	// Toxic is the name of the toxic it is about, if it is about one, and
	// Stream the toxic's direction.
	Toxic  string       `json:"toxic,omitempty"`
	Stream toxic.Stream `json:"stream,omitempty"`
	// Connection is the ordinal of the connection it is about, from 1, if it is
	// about one, and Client that client's address.
	Connection uint64 `json:"connection,omitempty"`
	Client     string `json:"client,omitempty"`
	// Sent and Received are, when a connection has ended, how many bytes the
	// upstream and the client were sent.
	Sent     int64 `json:"sent,omitempty"`
	Received int64 `json:"received,omitempty"`
	// Error says why, when something failed or did not end in an orderly way.
	Error string `json:"error,omitempty"`
}

func (p *Proxy) tell(e Event) {
	if p.onEvent == nil {
		return
	}
	if e.Time.IsZero() {
		e.Time = time.Now()
	}
	e.Proxy = p.settings.Name
	p.onEvent(e)
}
