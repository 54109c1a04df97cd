package proxy

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/brunt-go/brunt/network/toxic"
)

// remembered is how many connections that have ended are kept.
const remembered = 256

// Stats are a proxy's counters. Bytes count while connections are open, not only
// when they close.
type Stats struct {
	// Open is how many connections are.
	Open int `json:"open"`
	// Connections is how many were accepted, Rejected how many were reset
	// because too many were open.
	Connections int64 `json:"connections"`
	Rejected    int64 `json:"rejected"`
	// DialErrors is how often the upstream could not be reached, AcceptErrors
	// how often a connection could not be accepted.
	DialErrors   int64 `json:"dial_errors"`
	AcceptErrors int64 `json:"accept_errors"`
	// Upstream and Downstream are the bytes of each direction.
	Upstream   Bytes `json:"upstream"`
	Downstream Bytes `json:"downstream"`
}

// Bytes are what one direction of a proxy carried.
type Bytes struct {
	// Read is how many came in, Written how many went out, Dropped how many a
	// toxic threw away.
	Read    int64 `json:"read"`
	Written int64 `json:"written"`
	Dropped int64 `json:"dropped"`
}

func (b *Bytes) add(s toxic.StreamStatus) {
	b.Read += s.Read
	b.Written += s.Written
	b.Dropped += s.Dropped
}

// Connection is a connection through a proxy.
type Connection struct {
	toxic.Status

	// Closed is when it ended. The zero time while it is open.
	Closed time.Time `json:"closed,omitzero"`
	// Error says why, unless both peers ended it.
	Error string `json:"error,omitempty"`
}

// tally counts.
type tally struct {
	opened, rejected, dialErrors, acceptErrors atomic.Int64

	mu       sync.Mutex // taken before a link's
	places   int        // taken, by connections that have a link and those that get one
	links    map[*toxic.Link]*session
	up, down Bytes        // of connections that have ended
	last     []Connection // that have ended, a ring from next on
	next     int
}

func (t *tally) init() { t.links = make(map[*toxic.Link]*session) }

// open takes a place, if there is one of so many.
func (t *tally) open(most int) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.places >= most {
		t.rejected.Add(1)
		return false
	}
	t.places++
	t.opened.Add(1)
	return true
}

func (t *tally) add(l *toxic.Link, s *session) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.links[l] = s
}

// of returns the links of a session.
func (t *tally) of(s *session) []*toxic.Link {
	t.mu.Lock()
	defer t.mu.Unlock()
	var links []*toxic.Link
	for l, of := range t.links {
		if of == s {
			links = append(links, l)
		}
	}
	return links
}

func (t *tally) close(l *toxic.Link, err error) Connection {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := Connection{Status: l.Status(), Closed: time.Now()}
	if err != nil {
		c.Error = err.Error()
	}
	delete(t.links, l)
	t.places--
	t.up.add(c.Upstream)
	t.down.add(c.Downstream)
	if len(t.last) < remembered {
		t.last = append(t.last, c)
	} else {
		t.last[t.next] = c
	}
	t.next = (t.next + 1) % remembered
	return c
}

func (t *tally) dialFailed()   { t.dialErrors.Add(1) }
func (t *tally) acceptFailed() { t.acceptErrors.Add(1) }

// Stats returns the counters as they are now.
func (p *Proxy) Stats() Stats {
	t := &p.tally
	t.mu.Lock()
	defer t.mu.Unlock()
	s := Stats{
		Open:         len(t.links),
		Connections:  t.opened.Load(),
		Rejected:     t.rejected.Load(),
		DialErrors:   t.dialErrors.Load(),
		AcceptErrors: t.acceptErrors.Load(),
		Upstream:     t.up,
		Downstream:   t.down,
	}
	for l := range t.links {
		status := l.Status()
		s.Upstream.add(status.Upstream)
		s.Downstream.add(status.Downstream)
	}
	return s
}

// Connections returns the connections that are open, and of those that have ended
// the last 256, in the order they were opened.
func (p *Proxy) Connections() []Connection {
	t := &p.tally
	t.mu.Lock()
	defer t.mu.Unlock()
	all := slices.Clone(t.last)
	for l := range t.links {
		all = append(all, Connection{Status: l.Status()})
	}
	slices.SortFunc(all, func(a, b Connection) int { return int(a.Connection) - int(b.Connection) })
	return all
}
