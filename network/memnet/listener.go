package memnet

import (
	"context"
	"net"
	"sync"
)

// listener keeps connections that were dialed until they are accepted.
type listener struct {
	network *Network
	addr    Addr
	shown   net.Addr

	mu      sync.Mutex
	waiting []*Conn
	closed  bool
	arrived sync.Cond // waiting grew, or closed
	left    sync.Cond // waiting shrank, or closed, or a dialer's context is done
}

var _ net.Listener = (*listener)(nil)

func newListener(n *Network, addr Addr) *listener {
	l := &listener{network: n, addr: addr, shown: addr.public()}
	l.arrived.L = &l.mu
	l.left.L = &l.mu
	return l
}

func (l *listener) Addr() net.Addr { return l.shown }

// Accept returns connections in the order they were dialed.
func (l *listener) Accept() (net.Conn, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.waiting) == 0 && !l.closed {
		l.arrived.Wait()
	}
	if l.closed {
		return nil, l.errClosed("accept")
	}
	conn := l.waiting[0]
	l.waiting[0] = nil
	l.waiting = l.waiting[1:]
	l.left.Broadcast()
	return conn, nil
}

// Close frees the address, refuses dialers that wait and resets connections
// nobody accepted.
func (l *listener) Close() error {
	l.mu.Lock()
	if l.closed {
		l.mu.Unlock()
		return l.errClosed("close")
	}
	l.closed = true
	orphans := l.waiting
	l.waiting = nil
	l.arrived.Broadcast()
	l.left.Broadcast()
	l.mu.Unlock()

	l.network.forget(l)
	for _, conn := range orphans {
		conn.reset()
	}
	return nil
}

func (l *listener) errClosed(op string) error {
	return &net.OpError{Op: op, Net: "tcp", Addr: l.shown, Err: net.ErrClosed}
}

// offer puts conn into the backlog, when need be after a wait for room.
func (l *listener) offer(ctx context.Context, conn *Conn) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.full() {
		stop := context.AfterFunc(ctx, func() {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.left.Broadcast()
		})
		defer stop()
	}
	for l.full() && ctx.Err() == nil {
		l.left.Wait()
	}
	if l.closed {
		return errRefused()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	l.waiting = append(l.waiting, conn)
	l.arrived.Signal()
	return nil
}

// full reports whether a dialer has to wait. The caller holds l.mu.
func (l *listener) full() bool {
	return !l.closed && len(l.waiting) >= l.network.settings.Backlog
}
