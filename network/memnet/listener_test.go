package memnet

import (
	"context"
	"errors"
	"net"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// How a dial that waits for room in the backlog ends, and when.
func TestListener_backlog(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name  string
		in    func(l net.Listener, cancel func()) // after 3 s
		after time.Duration
		want  error
	}{
		{"accepted", func(l net.Listener, _ func()) { c, _ := l.Accept(); c.Close() }, 3 * time.Second, nil},
		{"closed", func(l net.Listener, _ func()) { l.Close() }, 3 * time.Second, syscall.ECONNREFUSED},
		{"cancelled", func(_ net.Listener, cancel func()) { cancel() }, 3 * time.Second, context.Canceled},
		{"deadline", func(net.Listener, func()) {}, 5 * time.Second, context.DeadlineExceeded},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				n := New()
				l := listen(t, n, ":80")
				var queued []net.Conn
				for range DefaultSettings().Backlog {
					queued = append(queued, dial(t, n, ":80"))
				}
				ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
				defer cancel()
				begin := time.Now()
				time.AfterFunc(3*time.Second, func() { row.in(l, cancel) })
				c, err := n.DialContext(ctx, "tcp", ":80")
				if !errors.Is(err, row.want) || time.Since(begin) != row.after {
					t.Errorf("DialContext = %v after %v, want %v after %v", err, time.Since(begin), row.want, row.after)
				}
				if err == nil {
					c.Close()
				}
				l.Close()
				for _, c := range queued[1:] {
					if _, err := c.Read(make([]byte, 1)); !errors.Is(err, syscall.ECONNRESET) {
						t.Errorf("Read of a connection nobody accepted = %v, want %v", err, syscall.ECONNRESET)
					}
					c.Close()
				}
			})
		})
	}
}

// A call made before Accept is in the buffer when Accept comes.
func TestListener_acceptsInOrder(t *testing.T) {
	t.Parallel()
	n := New()
	l := listen(t, n, ":80")
	defer l.Close()
	for _, s := range []string{"a", "b", "c"} {
		c := dial(t, n, ":80")
		c.Write([]byte(s))
		c.Close()
	}
	for _, want := range []string{"a", "b", "c"} {
		c := accept(t, l)
		if got, _ := readAll(c); got != want {
			t.Errorf("accepted the caller that wrote %q, want %q", got, want)
		}
		c.Close()
	}
}

func TestListener_close(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := listen(t, New(), ":80")
		begin := time.Now()
		time.AfterFunc(time.Minute, func() { l.Close() })
		if _, err := l.Accept(); !errors.Is(err, net.ErrClosed) || time.Since(begin) != time.Minute {
			t.Errorf("Accept = %v after %v, want net.ErrClosed after 1m", err, time.Since(begin))
		}
		if _, err := l.Accept(); !errors.Is(err, net.ErrClosed) {
			t.Errorf("Accept after Close = %v, want net.ErrClosed", err)
		}
		if err := l.Close(); !errors.Is(err, net.ErrClosed) {
			t.Errorf("second Close = %v, want net.ErrClosed", err)
		}
	})
}
