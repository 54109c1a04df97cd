package httpserver

import (
	"log/slog"
	"sync"
	"time"
)

// kind is what a client does wrong, or the machine.
type kind int

const (
	badHandshake kind = iota
	badRequest
	tooLarge
	badBody
	overdue
	full
	other
	kinds
)

// complaints are the records about clients: of each kind one a second at the most, so
// that a flood of requests doesn't become one of records. Safe for concurrent use.
type complaints struct {
	log *slog.Logger

	mu   sync.Mutex
	last [kinds]time.Time
	left [kinds]int
}

func newComplaints(log *slog.Logger) *complaints { return &complaints{log: log} }

// due reports whether k may be written down now, and how many of it were not since
// the last one that was.
func (c *complaints) due(k kind) (left int, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	if !c.last[k].IsZero() && now.Sub(c.last[k]) < time.Second {
		c.left[k]++
		return 0, false
	}
	left = c.left[k]
	c.last[k], c.left[k] = now, 0
	return left, true
}

// leftOut says how many records were, if any.
func leftOut(n int) slog.Attr {
	if n == 0 {
		return slog.Attr{}
	}
	return slog.Int("left_out", n)
}
