package memnet

import (
	"io"
	"net"
	"os"
	"sync"
	"syscall"
)

// pipe is one direction of a connection. Waits are on conditions, never with
// the lock held, which is what synctest calls durably blocked.
type pipe struct {
	mu       sync.Mutex
	readable sync.Cond // something changed for readers
	writable sync.Cond // something changed for writers

	data          ring
	reader        side
	writer        side
	reset         bool // one end reset the connection
	writing       bool // a Write is under way; others wait, so that none are mixed
	readDeadline  deadline
	writeDeadline deadline
}

// side says what one end still does with its side of a pipe.
type side uint8

const (
	open   side = iota
	shut        // by CloseRead or CloseWrite
	closed      // by Close
)

func (p *pipe) init(buffer int) {
	p.data.limit = buffer
	p.readable.L = &p.mu
	p.writable.L = &p.mu
}

// read waits for bytes, the end or a deadline. Its errors are bare: Conn says
// whose they are.
func (p *pipe) read(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for {
		switch {
		case p.reader == closed:
			return 0, net.ErrClosed
		case len(b) == 0:
			return 0, nil
		case p.readDeadline.passed:
			return 0, os.ErrDeadlineExceeded
		case p.reset:
			return 0, syscall.ECONNRESET
		case p.reader == shut:
			return 0, io.EOF
		case p.data.size > 0:
			n := p.data.pop(b)
			p.writable.Broadcast()
			return n, nil
		case p.writer != open:
			return 0, io.EOF
		}
		p.readable.Wait()
	}
}

// write returns when all of b is in the buffer, or with how much of it is and
// why no more.
func (p *pipe) write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.writing { // whatever ends this wait early ends the other Write too
		p.writable.Wait()
	}
	p.writing = true
	defer p.endWriting()
	n := 0
	for waited := false; ; waited = true {
		if err := p.writeError(waited); err != nil {
			return n, err
		}
		if p.reader == shut {
			return len(b), nil // the peer throws away what comes now
		}
		if m := p.data.push(b[n:]); m > 0 {
			n += m
			p.readable.Broadcast()
		}
		if n == len(b) {
			return n, nil
		}
		p.writable.Wait()
	}
}

func (p *pipe) endWriting() {
	p.writing = false
	p.writable.Broadcast()
}

// writeError says why nothing can be written. A peer that closes in the middle
// of a Write resets it, one that had closed before breaks the pipe.
func (p *pipe) writeError(waited bool) error {
	switch {
	case p.writer == closed:
		return net.ErrClosed
	case p.writeDeadline.passed:
		return os.ErrDeadlineExceeded
	case p.reset:
		return syscall.ECONNRESET
	case p.writer == shut:
		return syscall.EPIPE
	case p.reader == closed && waited:
		return syscall.ECONNRESET
	case p.reader == closed:
		return syscall.EPIPE
	}
	return nil
}

// endRead makes the reader's side s, unless it is closed. What is buffered is
// lost.
func (p *pipe) endRead(s side, reset bool) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.reader == closed {
		return net.ErrClosed
	}
	p.reader = s
	p.data.drop()
	if s == closed {
		p.readDeadline.stop()
	}
	p.end(reset)
	return nil
}

// endWrite makes the writer's side s, unless it is closed. What is buffered can
// still be read, except after a reset.
func (p *pipe) endWrite(s side, reset bool) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.writer == closed {
		return net.ErrClosed
	}
	p.writer = s
	if s == closed {
		p.writeDeadline.stop()
	}
	p.end(reset)
	return nil
}

// end tells both sides, after a reset if there is one.
func (p *pipe) end(reset bool) {
	if reset {
		p.reset = true
		p.data.drop()
	}
	p.readable.Broadcast()
	p.writable.Broadcast()
}
