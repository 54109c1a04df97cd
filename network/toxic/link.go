package toxic

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"
)

// ErrReset is in Run's error when the connection ended in a reset, by a peer or
// by a toxic.
var ErrReset = errors.New("connection reset")

// ErrClosed is in Run's error when the connection was closed by a toxic or by
// Close.
var ErrClosed = errors.New("connection closed")

// linger is how long a connection that a toxic closed still takes what the peers
// send: closing with bytes unread would reset it.
const linger = 100 * time.Millisecond

// Link joins a client's connection and the upstream's. All methods may be called
// concurrently.
type Link struct {
	set      *Set
	ordinal  uint64
	client   net.Conn
	opened   time.Time
	up, down direction

	work  sync.WaitGroup // goroutines and timers
	going sync.WaitGroup // until end was called and the second reader has returned

	mu       sync.Mutex
	upstream net.Conn
	ended    bool
	how      End
	cause    error
	linger   *time.Timer // after EndClose
}

func newLink(s *Set, client net.Conn, ordinal uint64, now time.Time) *Link {
	l := &Link{set: s, ordinal: ordinal, client: client, opened: now}
	l.going.Add(1) // end
	l.up.init(l)
	l.down.init(l)
	return l
}

// Ordinal returns the connection's number, from 1 in the order of NewLink.
func (l *Link) Ordinal() uint64 { return l.ordinal }

// Run carries bytes until both directions have ended, and closes both
// connections. It returns nil when both ended with the peers' FIN; an error that
// matches ErrReset or ErrClosed when they ended otherwise, with the toxic's name
// if it was one; or, when ctx was done first, its cause. It must be called once.
func (l *Link) Run(ctx context.Context, upstream net.Conn) error {
	l.mu.Lock()
	l.upstream = upstream
	ended := l.ended
	l.mu.Unlock()
	if !ended {
		if ctx.Done() != nil {
			stop := context.AfterFunc(ctx, func() { l.end(EndNone, context.Cause(ctx)) })
			defer stop()
		}
		l.up.start()
		l.down.start()
		l.going.Add(1)
		go l.readDown()
		l.up.read() // here, for a goroutine is what an idle connection costs most
		l.going.Wait()
	}
	l.mu.Lock()
	if l.linger != nil && l.linger.Stop() {
		l.work.Done()
	}
	l.mu.Unlock()
	l.hangUp()
	l.work.Wait()
	l.set.forget(l)
	return l.cause
}

func (l *Link) readDown() {
	defer l.going.Done()
	l.down.read()
}

// Close closes the connection. What is on its way is lost. It does not wait.
func (l *Link) Close() { l.CloseCause(ErrClosed) }

// CloseCause is Close with an error of Run's that says why. It costs a connection
// less than a context that is done for many at once.
func (l *Link) CloseCause(cause error) { l.end(EndNone, cause) }

// CloseAll is CloseCause of many connections. All of them stop before the first is
// closed: closing one waits for the write that is under way, and that one for its
// turn among what the others still do.
func CloseAll(links []*Link, cause error) {
	for _, l := range links {
		l.up.stop(true)
		l.down.stop(true)
	}
	for _, l := range links {
		l.CloseCause(cause)
	}
}

// Reset resets the connection: both peers see a reset. It does not wait.
func (l *Link) Reset() { l.end(EndAbort, ErrReset) }

// end ends the link, unless it has ended. It must not be called with a
// direction's lock held.
func (l *Link) end(how End, cause error) {
	l.mu.Lock()
	if l.ended {
		l.mu.Unlock()
		return
	}
	l.ended, l.how, l.cause = true, how, cause
	upstream := l.upstream
	if how == EndClose {
		l.work.Add(1)
		l.linger = time.AfterFunc(linger, func() {
			defer l.work.Done()
			l.hangUp()
		})
	}
	l.mu.Unlock()

	if how == EndClose {
		l.up.stop(false)
		l.down.stop(false)
		_ = closeWrite(l.client) // one that is closed has ended too
		_ = closeWrite(upstream)
	} else {
		l.hangUp()
	}
	l.going.Done()
	if upstream == nil {
		l.set.forget(l)
	}
}

// hangUp closes both connections, once the link has ended.
func (l *Link) hangUp() {
	l.up.stop(true)
	l.down.stop(true)
	l.mu.Lock()
	upstream, abort := l.upstream, l.how == EndReset || l.how == EndAbort
	l.mu.Unlock()
	hangUp(l.client, abort)
	hangUp(upstream, abort)
}

// lastIs reports whether the other direction than d has finished.
func (l *Link) lastIs(d *direction) bool {
	other := &l.up
	if d == other {
		other = &l.down
	}
	return other.isFinished()
}

// finished is called when a direction has passed on its FIN.
func (l *Link) finished() {
	if l.up.isFinished() && l.down.isFinished() {
		l.end(EndNone, nil)
	}
}

// hangUp closes a connection, with a reset if abort is set and it can.
func hangUp(c net.Conn, abort bool) {
	if c == nil {
		return
	}
	if s, ok := c.(interface{ SetLinger(sec int) error }); ok && abort {
		_ = s.SetLinger(0) // fails on a connection that is closed: nothing to do
	}
	c.Close()
}

// closeWrite ends the direction to the peer; without half-close the connection.
func closeWrite(c net.Conn) error {
	if c == nil {
		return nil
	}
	if s, ok := c.(interface{ CloseWrite() error }); ok {
		return s.CloseWrite()
	}
	return c.Close()
}

// causeOf is Run's error for an end by a toxic.
func causeOf(a *armed, end End) error {
	err := ErrReset
	if end == EndClose {
		err = ErrClosed
	}
	return fmt.Errorf("toxic %q: %w", a.spec.Name, err)
}

// add puts a toxic on the link if it is to hit it.
func (l *Link) add(a *armed) {
	if !a.healed() && a.concerns(l) {
		l.direction(a.spec.Stream).update(func(p *pipeline, now time.Time) {
			p.insert(a.station(l), a.spec.Select.AfterBytes, now)
		})
	}
}

// change gives a toxic other attributes, and perhaps another mind about the link.
func (l *Link) change(a *armed) {
	concerned := a.concerns(l)
	l.direction(a.spec.Stream).update(func(p *pipeline, now time.Time) {
		switch s := p.find(a); {
		case s != nil && concerned:
			p.change(s, a, now)
		case s != nil:
			p.remove(s, now)
		case concerned && !a.healed():
			p.insert(a.station(l), a.spec.Select.AfterBytes, now)
		}
	})
}

// remove takes a toxic off the link.
func (l *Link) remove(a *armed) {
	l.direction(a.spec.Stream).update(func(p *pipeline, now time.Time) {
		if s := p.find(a); s != nil {
			p.remove(s, now)
		}
	})
}

func (l *Link) direction(s Stream) *direction {
	if s == Upstream {
		return &l.up
	}
	return &l.down
}
