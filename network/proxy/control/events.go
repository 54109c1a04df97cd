package control

import (
	"context"
	"iter"
	"time"

	"github.com/brunt-go/brunt/network/proxy"
)

// stamp gives an event its time, if it has none.
func stamp(e *proxy.Event) {
	if e.Time.IsZero() {
		e.Time = time.Now()
	}
}

// Filter says which events are asked for. The zero Filter is for all from now on.
type Filter struct {
	// Session, Proxy, Toxic and Type, when set, are those of the events.
	Session, Proxy, Toxic string
	Type                  proxy.EventType
	// After, when set, is the ID to go on after: events since then come first,
	// as far as they were kept.
	After *uint64
}

func (f Filter) takes(e Event) bool {
	if e.Type == Lost {
		return true
	}
	return (f.Session == "" || f.Session == e.Session) && (f.Proxy == "" || f.Proxy == e.Proxy) &&
		(f.Toxic == "" || f.Toxic == e.Toxic) && (f.Type == "" || f.Type == e.Type)
}

// Latest returns the last n events that keep takes, of those that are kept, the
// newest first. keep must return at once and must not call the server.
func (s *Server) Latest(n int, keep func(Event) bool) []Event {
	return s.events.latest(n, keep)
}

// Events follows what happens, until ctx is done or the server closed. The last
// 4096 events are kept: a reader that falls further behind gets one of type Lost.
func (s *Server) Events(ctx context.Context, f Filter) iter.Seq[Event] {
	at := s.events.newest()
	if f.After != nil {
		at = *f.After
	}
	return func(yield func(Event) bool) {
		for ctx.Err() == nil {
			events, more, open := s.events.after(at)
			for _, e := range events {
				at = e.ID
				if f.takes(e) && !yield(e) {
					return
				}
			}
			if len(events) > 0 {
				continue
			}
			if !open {
				return
			}
			select {
			case <-more:
			case <-ctx.Done():
				return
			}
		}
	}
}
