package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"sync"
	"time"
)

// wire is a client that keeps connections open and sends on each the same
// request, one after the other, with a query and a trace id of its own each time.
//
// It speaks just enough HTTP to count answers: a whole client would take more of
// the machine than the proxies that are measured.
type wire struct{ conns []*wireConn }

// wireConn is one connection.
type wireConn struct {
	conn    net.Conn
	in      *bufio.Reader
	request []byte
	index   []byte // the query's and the trace id's place in request
	trace   []byte
	next    int
}

// patience is how long a connection may be silent.
const patience = 10 * time.Second

// dial opens conns connections to addr for answers of a size.
func dial(ctx context.Context, addr string, conns, size int) (*wire, error) {
	w := &wire{}
	for i := range conns {
		conn, err := new(net.Dialer).DialContext(ctx, "tcp", addr)
		if err != nil {
			w.close()
			return nil, err
		}
		w.conns = append(w.conns, newWireConn(conn, addr, i, size))
	}
	return w, nil
}

// newWireConn is connection number i. Connections count from numbers far apart,
// so that no two requests have one identity.
func newWireConn(conn net.Conn, addr string, i, size int) *wireConn {
	const (
		apart    = 1 << 20
		indexLen = 10
		traceLen = 16 // the half that changes
	)
	head := fmt.Sprintf("GET %s?no=K-903&index=", answerPath(size))
	middle := fmt.Sprintf(" HTTP/1.1\r\nHost: %s\r\nUser-Agent: bench\r\nAccept: */*\r\nTraceparent: 00-4bf92f3577b34da6", addr)
	request := []byte(head + "0000000000" + middle + "0000000000000000-00f067aa0ba902b7-01\r\n\r\n")
	return &wireConn{
		conn: conn, in: bufio.NewReaderSize(conn, 64<<10), request: request, next: i * apart,
		index: request[len(head):][:indexLen], trace: request[len(head)+indexLen+len(middle):][:traceLen],
	}
}

// call sends a request and reads its answer.
func (c *wireConn) call() error {
	c.next++
	putDecimal(c.index, c.next)
	putDecimal(c.trace, c.next)
	if _, err := c.conn.Write(c.request); err != nil {
		return err
	}
	return c.answer()
}

// putDecimal fills dst with the digits of n, of which it shows as many as fit.
func putDecimal(dst []byte, n int) {
	const base = 10
	for i := len(dst) - 1; i >= 0; i-- {
		dst[i] = '0' + byte(n%base)
		n /= base
	}
}

var contentLength = []byte("Content-Length: ")

// answer reads an answer of status 200 and a named length.
func (c *wireConn) answer() error {
	status, err := c.in.ReadSlice('\n')
	if err != nil {
		return err
	}
	if !bytes.HasPrefix(status, []byte("HTTP/1.1 200 ")) {
		return fmt.Errorf("answered %q", bytes.TrimSpace(status))
	}
	length := -1
	for {
		line, err := c.in.ReadSlice('\n')
		if err != nil {
			return err
		}
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 {
			break
		}
		if digits, ok := bytes.CutPrefix(line, contentLength); ok {
			if length, err = strconv.Atoi(string(digits)); err != nil {
				return err
			}
		}
	}
	if length < 0 {
		return errors.New("the answer names no length")
	}
	_, err = c.in.Discard(length)
	return err
}

// run keeps a request under way on each connection for d. It returns how long
// each took, and how long all of it was.
func (w *wire) run(d time.Duration) ([]time.Duration, time.Duration, error) {
	var (
		wg    sync.WaitGroup
		took  = make([][]time.Duration, len(w.conns))
		errs  = make([]error, len(w.conns))
		ready = make(chan struct{})
		begin time.Time
	)
	for i, c := range w.conns {
		if err := c.conn.SetDeadline(time.Now().Add(d + patience)); err != nil {
			return nil, 0, err
		}
		took[i] = make([]time.Duration, 0, 1<<10)
		wg.Go(func() {
			<-ready
			for at := begin; at.Sub(begin) < d; {
				if errs[i] = c.call(); errs[i] != nil {
					return
				}
				now := time.Now()
				took[i] = append(took[i], now.Sub(at))
				at = now
			}
		})
	}
	begin = time.Now()
	close(ready)
	wg.Wait()
	elapsed := time.Since(begin)
	return slices.Concat(took...), elapsed, errors.Join(errs...)
}

// touch sends one request on each connection, one connection after the other.
func (w *wire) touch() error {
	for _, c := range w.conns {
		if err := c.conn.SetDeadline(time.Now().Add(patience)); err != nil {
			return err
		}
		if err := c.call(); err != nil {
			return err
		}
	}
	return nil
}

func (w *wire) close() {
	for _, c := range w.conns {
		c.conn.Close()
	}
}
