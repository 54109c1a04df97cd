package main

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"slices"
	"sync"
	"time"
)

// A request is a frame of frameSize bytes: what is asked for, and how much.
const (
	frameSize = 64
	askEcho   = 'e' // the frame itself
	askBytes  = 's' // as many bytes as the number after it says
)

// patience is how long a connection may be silent.
const patience = 20 * time.Second

// line is one connection through a target to the upstream.
type line struct {
	conn  net.Conn
	frame [frameSize]byte
	buf   []byte
}

func dialLine(ctx context.Context, addr string) (*line, error) {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	return &line{conn: conn}, conn.SetDeadline(time.Now().Add(patience))
}

// echo sends a frame and reads it back.
func (l *line) echo() error {
	l.frame[0] = askEcho
	if _, err := l.conn.Write(l.frame[:]); err != nil {
		return err
	}
	_, err := io.ReadFull(l.conn, l.frame[:])
	return err
}

// ask asks for n bytes.
func (l *line) ask(n int) error {
	var frame [frameSize]byte
	frame[0] = askBytes
	binary.BigEndian.PutUint64(frame[1:], uint64(n))
	_, err := l.conn.Write(frame[:])
	return err
}

// fetch asks for n bytes and reads them.
func (l *line) fetch(n int) error {
	if err := l.ask(n); err != nil {
		return err
	}
	const longest = 256 << 10
	if l.buf == nil {
		l.buf = make([]byte, min(n, longest))
	}
	for left := n; left > 0; {
		got, err := l.conn.Read(l.buf[:min(left, len(l.buf))])
		if err != nil {
			return err
		}
		left -= got
	}
	return nil
}

// fleet is many connections through one target.
type fleet struct{ lines []*line }

// open opens n connections and sends an echo on each, so that each has reached
// the upstream.
func open(ctx context.Context, addr string, n int) (*fleet, error) {
	f := &fleet{}
	return f, f.grow(ctx, addr, n)
}

// grow opens n more. On an error all are closed.
func (f *fleet) grow(ctx context.Context, addr string, n int) error {
	for range n {
		l, err := dialLine(ctx, addr)
		if l != nil {
			f.lines = append(f.lines, l)
		}
		if err == nil {
			err = l.echo()
		}
		if err != nil {
			f.close()
			return err
		}
	}
	return nil
}

// idlers are n lines without a connection, for work that opens its own.
func idlers(n int) *fleet {
	f := &fleet{lines: make([]*line, n)}
	for i := range f.lines {
		f.lines[i] = &line{}
	}
	return f
}

func (f *fleet) close() {
	for _, l := range f.lines {
		l.conn.Close()
	}
	f.lines = nil
}

// each runs work on every line at once, each in a goroutine, and returns how
// long all took from a common start.
func (f *fleet) each(limit time.Duration, work func(i int, l *line, begin time.Time) error) (time.Duration, error) {
	var (
		wg    sync.WaitGroup
		errs  = make([]error, len(f.lines))
		ready = make(chan struct{})
		begin time.Time
	)
	for i, l := range f.lines {
		if l.conn != nil {
			if err := l.conn.SetDeadline(time.Now().Add(limit + patience)); err != nil {
				return 0, err
			}
		}
		wg.Go(func() {
			<-ready
			errs[i] = work(i, l, begin)
		})
	}
	begin = time.Now()
	close(ready)
	wg.Wait()
	return time.Since(begin), errors.Join(errs...)
}

// run repeats step on each line for d, one after the other, and returns how long
// each took, and how long all of it was.
func (f *fleet) run(d time.Duration, step func(*line) error) ([]time.Duration, time.Duration, error) {
	took := make([][]time.Duration, len(f.lines))
	elapsed, err := f.each(d, func(i int, l *line, begin time.Time) error {
		for at := begin; at.Sub(begin) < d; {
			if err := step(l); err != nil {
				return err
			}
			now := time.Now()
			took[i] = append(took[i], now.Sub(at))
			at = now
		}
		return nil
	})
	return slices.Concat(took...), elapsed, err
}

// paced sends an echo on each line every period for d, the lines one after the
// other within a period, and returns how long each took. What is slower than the
// period misses turns.
func (f *fleet) paced(d, period time.Duration) ([]time.Duration, error) {
	took := make([][]time.Duration, len(f.lines))
	_, err := f.each(d, func(i int, l *line, begin time.Time) error {
		due := begin.Add(turnOf(i, len(f.lines), period))
		for due.Sub(begin) < d {
			time.Sleep(time.Until(due))
			at := time.Now()
			if err := l.echo(); err != nil {
				return err
			}
			now := time.Now()
			took[i] = append(took[i], now.Sub(at))
			due = nextTurn(due, now, period)
		}
		return nil
	})
	return slices.Concat(took...), err
}

// turnOf is when the first turn of line i of n is.
func turnOf(i, n int, period time.Duration) time.Duration {
	return period * time.Duration(i) / time.Duration(n)
}

// nextTurn is the first turn after due that is not over now.
func nextTurn(due, now time.Time, period time.Duration) time.Time {
	due = due.Add(period)
	if late := now.Sub(due); late > 0 {
		due = due.Add((late + period - 1) / period * period)
	}
	return due
}
