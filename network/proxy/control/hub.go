package control

import (
	"sync"

	"github.com/brunt-go/brunt/network/proxy"
)

// kept is how many events are kept for those who ask later, or read slowly.
const kept = 4096

// hub keeps the last events and lets any number of readers follow them, each at
// its own pace: no reader holds up the others, or what is reported.
type hub struct {
	mu     sync.Mutex // held for moments; nothing else is locked under it
	events []Event    // a ring: the event with an ID is at ID modulo kept
	last   uint64
	more   chan struct{} // closed at the next event, nil while nobody waits
	closed bool
}

func newHub() *hub { return &hub{events: make([]Event, kept)} }

func (h *hub) publish(session string, e proxy.Event) {
	stamp(&e)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.last++
	h.events[h.last%kept] = Event{ID: h.last, Session: session, Event: e}
	h.wake()
}

func (h *hub) wake() {
	if h.more != nil {
		close(h.more)
		h.more = nil
	}
}

func (h *hub) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	h.wake()
}

// after returns the events after an ID, a channel that is closed when there are
// more, and whether there will be. Events that were not kept are told of by one of
// type Lost.
func (h *hub) after(id uint64) (events []Event, more <-chan struct{}, open bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if id > h.last { // of another server, before this one was started
		id = 0
	}
	if oldest := h.last - min(h.last, kept); id < oldest {
		lost := Event{ID: oldest, Event: proxy.Event{Type: Lost}}
		stamp(&lost.Event)
		events, id = append(events, lost), oldest
	}
	for id++; id <= h.last; id++ {
		events = append(events, h.events[id%kept])
	}
	if h.more == nil {
		h.more = make(chan struct{})
	}
	return events, h.more, !h.closed
}

// newest returns the ID of the last event.
func (h *hub) newest() uint64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.last
}

// latest returns the last n kept events that keep takes, the newest first.
func (h *hub) latest(n int, keep func(Event) bool) []Event {
	h.mu.Lock()
	defer h.mu.Unlock()
	var events []Event
	for id := h.last; id > 0 && id+kept > h.last && len(events) < n; id-- {
		if e := h.events[id%kept]; keep(e) {
			events = append(events, e)
		}
	}
	return events
}
