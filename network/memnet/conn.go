package memnet

import (
	"errors"
	"io"
	"net"
	"os"
	"sync/atomic"
	"syscall"
	"time"
)

// Conn is one end of a connection. All methods may be called concurrently, and
// Close unblocks the others. Errors other than io.EOF are *net.OpError.
type Conn struct {
	in, out       *pipe
	local, remote net.Addr
	abort         atomic.Bool // Close resets
}

var _ net.Conn = (*Conn)(nil)

// newConns returns the two ends of a connection between two addresses.
func newConns(client, server net.Addr, buffer int) (c, s *Conn) {
	// One piece of memory for all that lives and dies together.
	var both struct {
		up, down       pipe
		client, server Conn
	}
	both.up.init(buffer)
	both.down.init(buffer)
	c, s = &both.client, &both.server
	c.in, c.out, c.local, c.remote = &both.down, &both.up, client, server
	s.in, s.out, s.local, s.remote = &both.up, &both.down, server, client
	return c, s
}

// LocalAddr returns the address of this end: a *net.TCPAddr, or an Addr where
// the host has a name.
func (c *Conn) LocalAddr() net.Addr { return c.local }

// RemoteAddr returns the address of the other end.
func (c *Conn) RemoteAddr() net.Addr { return c.remote }

// Read waits until there are bytes and moves them into b. It returns io.EOF
// when the peer has closed and everything it wrote has been read, and an error
// that matches syscall.ECONNRESET at once when the peer has reset the
// connection.
func (c *Conn) Read(b []byte) (int, error) {
	n, err := c.in.read(b)
	return n, c.wrap("read", err)
}

// Write waits until all of b is in the buffer towards the peer; it keeps no
// reference to b. Writes that run at once are not mixed. The error matches
// syscall.EPIPE when the peer has closed, or this end has closed for writing,
// and syscall.ECONNRESET when the peer closes meanwhile or has reset.
func (c *Conn) Write(b []byte) (int, error) {
	n, err := c.out.write(b)
	return n, c.wrap("write", err)
}

// Close ends both directions. The peer reads what is buffered, then io.EOF;
// after SetLinger(0) the connection is reset instead.
func (c *Conn) Close() error {
	abort := c.abort.Load()
	if err := c.out.endWrite(closed, abort); err != nil {
		return c.wrap("close", err)
	}
	return c.wrap("close", c.in.endRead(closed, abort))
}

// reset closes c so that the peer's calls fail with ECONNRESET.
func (c *Conn) reset() {
	c.abort.Store(true)
	_ = c.Close() // an end that is closed already has said its last word
}

// CloseWrite ends the direction to the peer, which reads what is buffered and
// then io.EOF. It can still write.
func (c *Conn) CloseWrite() error { return c.wrap("close", c.out.endWrite(shut, false)) }

// CloseRead ends the direction from the peer: Read returns io.EOF, what was
// buffered is lost and what the peer still writes is thrown away.
func (c *Conn) CloseRead() error { return c.wrap("close", c.in.endRead(shut, false)) }

// SetLinger chooses what Close does: with sec 0 it resets the connection, with
// any other sec, as from the start, the peer reads what is buffered first.
func (c *Conn) SetLinger(sec int) error {
	c.abort.Store(sec == 0)
	return nil
}

// SetDeadline sets both deadlines.
func (c *Conn) SetDeadline(t time.Time) error {
	if err := c.SetReadDeadline(t); err != nil {
		return err
	}
	return c.SetWriteDeadline(t)
}

// SetReadDeadline makes Read fail with os.ErrDeadlineExceeded from t on, a Read
// that waits included. The zero time means never.
func (c *Conn) SetReadDeadline(t time.Time) error {
	p := c.in
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.reader == closed {
		return c.wrap("set", net.ErrClosed)
	}
	p.readDeadline.set(t, &p.readable)
	return nil
}

// SetWriteDeadline makes Write fail with os.ErrDeadlineExceeded from t on, a
// Write that waits included. The zero time means never.
func (c *Conn) SetWriteDeadline(t time.Time) error {
	p := c.out
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.writer == closed {
		return c.wrap("set", net.ErrClosed)
	}
	p.writeDeadline.set(t, &p.writable)
	return nil
}

// wrap says which call on which connection err comes from.
func (c *Conn) wrap(op string, err error) error {
	if err == nil || err == io.EOF { //nolint:errorlint // pipe returns it bare, and callers compare it
		return err
	}
	if errno := syscall.Errno(0); errors.As(err, &errno) {
		err = os.NewSyscallError(op, errno)
	}
	return &net.OpError{Op: op, Net: "tcp", Source: c.local, Addr: c.remote, Err: err}
}
