package cli

import (
	"errors"
	"net"
	"os"
	"sync"
	"syscall"
)

// spares is how many file descriptors are kept for the API.
const spares = 16

// spareListener keeps file descriptors for the connections it accepts. Those of
// proxies may take all the others, and who would end them has to get in to say so.
type spareListener struct {
	net.Listener

	mu     sync.Mutex
	closed bool
	files  []*os.File
}

func keepSpares(l net.Listener) net.Listener {
	s := &spareListener{Listener: l}
	s.keep()
	return s
}

// Accept implements net.Listener.
func (s *spareListener) Accept() (net.Conn, error) {
	for {
		c, err := s.Listener.Accept()
		if err == nil {
			return &spareConn{Conn: c, listener: s}, nil
		}
		if !errors.Is(err, syscall.EMFILE) && !errors.Is(err, syscall.ENFILE) || !s.spend() {
			return nil, err // it is called again, a moment later
		}
	}
}

// Close implements net.Listener.
func (s *spareListener) Close() error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	for s.spend() {
	}
	return s.Listener.Close()
}

// keep makes up for spares that were spent, as far as that can be.
func (s *spareListener) keep() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for !s.closed && len(s.files) < spares {
		f, err := os.Open(os.DevNull)
		if err != nil {
			return // tried again when a connection ends
		}
		s.files = append(s.files, f)
	}
}

// spend gives one spare up, and reports whether there was one.
func (s *spareListener) spend() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	last := len(s.files) - 1
	if last < 0 {
		return false
	}
	_ = s.files[last].Close() // nothing was written
	s.files = s.files[:last]
	return true
}

// spareConn gives its file descriptor back to the spares.
type spareConn struct {
	net.Conn

	listener *spareListener
}

// Close implements net.Conn.
func (c *spareConn) Close() error {
	err := c.Conn.Close()
	c.listener.keep()
	return err
}
