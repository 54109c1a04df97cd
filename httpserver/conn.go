package httpserver

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"math"
	"net"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// conn is a connection that knows how far its client got. net/http answers a request
// that it can't read by itself and tells nobody, so it takes this to say that it did.
type conn struct {
	net.Conn
	release func() // of its place among the connections; called once

	// HTTP/2 sets no deadline for writing, and this is how long a write may take there.
	timeout time.Duration
	epoch   time.Time
	frames  atomic.Bool  // it speaks HTTP/2
	renewed atomic.Int64 // when the deadline was, after epoch

	// Since the connection was new, or idle.
	received atomic.Int64 // bytes
	late     atomic.Bool  // a deadline for reading passed
	served   atomic.Bool  // the handler was reached

	// Of the hook alone, which net/http calls from one goroutine at a time.
	state http.ConnState
	fresh bool // no request yet
}

// never is long before any connection.
const never = math.MinInt64 / 2

func newConn(c net.Conn, timeout time.Duration, release func()) *conn {
	this := &conn{Conn: c, release: sync.OnceFunc(release), timeout: timeout, epoch: time.Now(), fresh: true}
	this.renewed.Store(never)
	return this
}

// Read implements net.Conn.
func (c *conn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.received.Add(int64(n))
	if err != nil && !c.served.Load() && errors.Is(err, os.ErrDeadlineExceeded) {
		c.late.Store(true)
	}
	return n, err
}

// Write implements net.Conn. A client that takes no bytes at all would hold up an HTTP/2
// connection for ever: none of its requests' deadlines is the connection's. To set one
// is dear, so it is set anew once a quarter of it has passed.
func (c *conn) Write(b []byte) (int, error) {
	if !c.frames.Load() {
		return c.Conn.Write(b)
	}
	if time.Since(c.epoch)-time.Duration(c.renewed.Load()) > c.timeout/4 {
		if err := c.SetWriteDeadline(time.Now().Add(c.timeout)); err != nil {
			return 0, err
		}
	}
	return c.Conn.Write(b)
}

// SetWriteDeadline implements net.Conn. TLS sets one to say goodbye, and it stays.
func (c *conn) SetWriteDeadline(t time.Time) error {
	if t.IsZero() {
		c.renewed.Store(never)
	} else {
		c.renewed.Store(int64(time.Since(c.epoch)))
	}
	return c.Conn.SetWriteDeadline(t)
}

// Close implements net.Conn.
func (c *conn) Close() error {
	defer c.release()
	return c.Conn.Close()
}

// CloseWrite is what net/http ends a connection with that still has something to read:
// its last answer would be lost otherwise.
func (c *conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// ReadFrom lets the kernel send files, where the connection can.
func (c *conn) ReadFrom(r io.Reader) (int64, error) { return io.Copy(c.Conn, r) }

// reset begins to count anew.
func (c *conn) reset() {
	c.received.Store(0)
	c.late.Store(false)
	c.served.Store(false)
}

// connOf is the conn below c, if there is one.
func connOf(c net.Conn) (*conn, bool) {
	if t, ok := c.(*tls.Conn); ok {
		c = t.NetConn()
	}
	this, ok := c.(*conn)
	return this, ok
}

// handshake reports whether c speaks TLS, and has begun to.
func handshake(c net.Conn) (speaksTLS, done bool) {
	t, ok := c.(*tls.Conn)
	return ok, ok && t.ConnectionState().HandshakeComplete
}

type connKey struct{}

// withConn lets the handler say that it was reached.
func withConn(ctx context.Context, c net.Conn) context.Context {
	if this, ok := connOf(c); ok {
		return context.WithValue(ctx, connKey{}, this)
	}
	return ctx
}

// reached says that the request of ctx got to the handler.
func reached(ctx context.Context) {
	if this, ok := ctx.Value(connKey{}).(*conn); ok {
		this.served.Store(true)
	}
}
