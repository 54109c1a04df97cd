// Package ledger is the append-only record of one arm of an experiment: what
// the load asked and got, what the injector decided, what passed on the wire.
//
// Everything the judge says is said from a ledger alone, so a verdict can be
// reached again, elsewhere and later, from the file a ledger was written to.
// The package has no clock, starts nothing and reads nothing: whoever records
// passes the time.
package ledger

import (
	"iter"
	"slices"
	"sync"
	"time"
)

// Entry is one thing that happened.
type Entry struct {
	// At is when it happened, counted from the start of the arm.
	At time.Duration
	// Trace is the W3C trace id it belongs to, 32 hex digits, or "".
	Trace string
	// Key is the identity the injector decided by, such as an index in the
	// query string, or "".
	Key string
	// Point is where it happened: the name of a proxy or of an injection
	// point. It is "" for what the load saw.
	Point string
	// Attempt counts, from 1, how often this key has come to this point.
	// It is 0 where attempts have no meaning.
	Attempt int
	// Event is what happened: a Call, a Decision, an Exchange or a Note.
	Event Event
}

// Recorder takes entries as they happen. It must be safe for concurrent use and
// must not block.
type Recorder interface {
	// Record keeps e, which happened at the time given.
	Record(at time.Time, e Entry)
}

// Ledger keeps entries in the order they came. It is safe for concurrent use.
type Ledger struct {
	start time.Time

	mu      sync.Mutex
	full    [][]Entry // blocks that are full, in order
	entries []Entry   // the last block
}

// block is how many entries are allocated at once. They never move: growing one
// slice would copy them again and again, and keep the garbage collector busy.
const block = 256

var _ Recorder = (*Ledger)(nil)

// New returns an empty ledger of an arm that began at start.
func New(start time.Time) *Ledger { return &Ledger{start: start} }

// Start is when the arm began.
func (l *Ledger) Start() time.Time { return l.start }

// Record appends e. Its At becomes the time from the arm's start to at.
func (l *Ledger) Record(at time.Time, e Entry) {
	e.At = at.Sub(l.start)
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.entries) == block {
		l.full, l.entries = append(l.full, l.entries), make([]Entry, 0, block)
	}
	l.entries = append(l.entries, e)
}

// Entries returns a copy of what has been recorded so far.
func (l *Ledger) Entries() []Entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Concat(append(slices.Clip(l.full), l.entries)...)
}

// All yields the entries whose event is an E, with the event.
func All[E Event](entries []Entry) iter.Seq2[Entry, E] {
	return func(yield func(Entry, E) bool) {
		for _, entry := range entries {
			if event, ok := entry.Event.(E); ok && !yield(entry, event) {
				return
			}
		}
	}
}
