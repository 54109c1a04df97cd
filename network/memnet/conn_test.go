package memnet

import (
	"errors"
	"io"
	"net"
	"os"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// The errors under test, by the names of TCP.
var (
	errReset  error = syscall.ECONNRESET
	errPipe   error = syscall.EPIPE
	errClosed       = net.ErrClosed
)

// What the two ends see after a connection has ended in each way there is.
// Before it, the server wrote "ab", which the client had not read yet.
func TestConn_endings(t *testing.T) {
	t.Parallel()
	type seen struct {
		data        string // what can still be read
		read, write error
	}
	rows := []struct {
		name           string
		in             func(client, server *Conn)
		client, server seen
	}{
		{"server_closes", func(_, s *Conn) { s.Close() }, seen{"ab", io.EOF, errPipe}, seen{"", errClosed, errClosed}},
		{"server_resets", func(_, s *Conn) { s.SetLinger(0); s.Close() }, seen{"", errReset, errReset}, seen{"", errClosed, errClosed}},
		{"server_lingers", func(_, s *Conn) { s.SetLinger(0); s.SetLinger(5); s.Close() }, seen{"ab", io.EOF, errPipe}, seen{"", errClosed, errClosed}},
		{"client_closes", func(c, _ *Conn) { c.Close() }, seen{"", errClosed, errClosed}, seen{"", io.EOF, errPipe}},
		{"client_resets", func(c, _ *Conn) { c.SetLinger(0); c.Close() }, seen{"", errClosed, errClosed}, seen{"", errReset, errReset}},
		{"both_close", func(c, s *Conn) { s.Close(); c.Close() }, seen{"", errClosed, errClosed}, seen{"", errClosed, errClosed}},
		{"server_half_closes", func(_, s *Conn) { s.CloseWrite() }, seen{"ab", io.EOF, nil}, seen{"x", errTimeout, errPipe}},
		{"both_half_close", func(c, s *Conn) { s.CloseWrite(); c.CloseWrite() }, seen{"ab", io.EOF, errPipe}, seen{"", io.EOF, errPipe}},
		{"client_closes_read", func(c, _ *Conn) { c.CloseRead() }, seen{"", io.EOF, nil}, seen{"x", errTimeout, nil}},
		{"server_closes_read", func(_, s *Conn) { s.CloseRead() }, seen{"abx", errTimeout, nil}, seen{"", io.EOF, nil}},
		{"closed_after_reset", func(c, s *Conn) { s.SetLinger(0); s.Close(); c.Close() }, seen{"", errClosed, errClosed}, seen{"", errClosed, errClosed}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				client, server := connect(t, DefaultSettings())
				defer server.Close()
				defer client.Close()
				if _, err := server.Write([]byte("ab")); err != nil {
					t.Fatal(err)
				}
				row.in(client, server)
				// Both write before either reads, so that a Write that goes
				// through is seen in the peer's data.
				_, clientWrite := client.Write([]byte("x"))
				_, serverWrite := server.Write([]byte("x"))
				check := func(who string, c *Conn, write error, want seen) {
					c.SetReadDeadline(time.Now().Add(time.Second))
					data, read := readAll(c)
					if data != want.data || !errors.Is(read, want.read) || !errors.Is(write, want.write) {
						t.Errorf("%s: data, read, write = %q, %v, %v, want %q, %v, %v", who, data, read, write, want.data, want.read, want.write)
					}
				}
				check("client", client, clientWrite, row.client)
				check("server", server, serverWrite, row.server)
			})
		})
	}
}

var errTimeout = os.ErrDeadlineExceeded

// readAll reads to the first error, which it returns, io.EOF included.
func readAll(r io.Reader) (string, error) {
	var data []byte
	b := make([]byte, 16)
	for {
		n, err := r.Read(b)
		data = append(data, b[:n]...)
		if err != nil {
			return string(data), err
		}
	}
}

// What wakes a Read or a Write that waits, when, and with which error.
func TestConn_wakes(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name        string
		in          func(c, peer *Conn) // after 3 s
		read, write error
	}{
		{"deadline_moved_to_the_past", func(c, _ *Conn) { c.SetDeadline(time.Unix(1, 0)) }, errTimeout, errTimeout},
		{"deadline_moved_to_now", func(c, _ *Conn) { c.SetDeadline(time.Now()) }, errTimeout, errTimeout},
		{"closed", func(c, _ *Conn) { c.Close() }, errClosed, errClosed},
		{"reset", func(c, _ *Conn) { c.SetLinger(0); c.Close() }, errClosed, errClosed},
		{"peer_closed", func(_, peer *Conn) { peer.Close() }, io.EOF, errReset},
		{"peer_reset", func(_, peer *Conn) { peer.SetLinger(0); peer.Close() }, errReset, errReset},
		{"halves_closed", func(c, _ *Conn) { c.CloseRead(); c.CloseWrite() }, io.EOF, errPipe},
		{"peer_halves_closed", func(_, peer *Conn) { peer.CloseRead(); peer.CloseWrite() }, io.EOF, nil},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				c, peer := connect(t, Settings{Buffer: 4, Backlog: 1})
				defer c.Close()
				defer peer.Close()
				c.SetDeadline(time.Now().Add(time.Hour))
				begin := time.Now()
				expect := func(op string, call func([]byte) (int, error), want error) {
					_, err := call(make([]byte, 8))
					if !errors.Is(err, want) || time.Since(begin) != 3*time.Second {
						t.Errorf("%s = %v after %v, want %v after 3s", op, err, time.Since(begin), want)
					}
				}
				go expect("Read", c.Read, row.read)
				go expect("Write", c.Write, row.write)
				time.Sleep(3 * time.Second)
				row.in(c, peer)
				synctest.Wait()
			})
		})
	}
}

func TestConn_deadline(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, peer := connect(t, DefaultSettings())
		defer c.Close()
		defer peer.Close()
		begin := time.Now()
		b := make([]byte, 1)
		timesOut := func(after time.Duration) {
			t.Helper()
			_, err := c.Read(b)
			var timeout net.Error
			if !errors.Is(err, os.ErrDeadlineExceeded) || !errors.As(err, &timeout) || !timeout.Timeout() {
				t.Errorf("Read = %v, want a timeout", err)
			}
			if got := time.Since(begin); got != after {
				t.Errorf("timed out after %v, want %v", got, after)
			}
		}
		c.SetReadDeadline(begin.Add(2 * time.Second))
		timesOut(2 * time.Second)
		timesOut(2 * time.Second) // and stays so

		c.SetReadDeadline(begin.Add(5 * time.Second))
		time.AfterFunc(time.Second, func() { c.SetReadDeadline(begin.Add(10 * time.Second)) })
		timesOut(10 * time.Second)

		c.SetReadDeadline(begin.Add(20 * time.Second))
		c.SetReadDeadline(time.Time{})
		c.SetReadDeadline(begin.Add(15 * time.Second))
		timesOut(15 * time.Second)

		peer.Write([]byte("a"))
		timesOut(15 * time.Second) // even though there is something to read
		c.SetReadDeadline(time.Time{})
		time.Sleep(time.Hour)
		if n, err := c.Read(b); n != 1 || err != nil {
			t.Errorf("Read without a deadline = %d, %v, want 1, nil", n, err)
		}
	})
}

func TestConn_backpressure(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, peer := connect(t, Settings{Buffer: 4, Backlog: 1})
		defer c.Close()
		defer peer.Close()
		c.SetWriteDeadline(time.Now().Add(time.Second))
		if n, err := c.Write([]byte("abcdef")); n != 4 || !errors.Is(err, errTimeout) {
			t.Errorf("Write = %d, %v, want 4, %v", n, err, errTimeout)
		}
		c.SetWriteDeadline(time.Time{})
		go func() {
			c.Write([]byte("efgh"))
			c.CloseWrite()
		}()
		synctest.Wait()
		if data, err := readAll(peer); data != "abcdefgh" || !errors.Is(err, io.EOF) {
			t.Errorf("peer read %q, %v, want %q, EOF", data, err, "abcdefgh")
		}
	})
}

// Writes that run at once arrive one after the other, even through a buffer
// smaller than any of them.
func TestConn_writesAreNotMixed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, peer := connect(t, Settings{Buffer: 3, Backlog: 1})
		defer peer.Close()
		for _, s := range []string{"aaaaaaaa", "bbbbbbbb"} {
			go c.Write([]byte(s))
		}
		synctest.Wait()
		data := make([]byte, 16)
		if _, err := io.ReadFull(peer, data); err != nil {
			t.Fatal(err)
		}
		if got := string(data); got != "aaaaaaaabbbbbbbb" && got != "bbbbbbbbaaaaaaaa" {
			t.Errorf("peer read %q, want one write and then the other", got)
		}
		c.Close()
	})
}

func TestConn_closedByItself(t *testing.T) {
	t.Parallel()
	c, peer := connect(t, DefaultSettings())
	peer.Close()
	c.Close()
	calls := map[string]func() error{
		"Close":            c.Close,
		"CloseRead":        c.CloseRead,
		"CloseWrite":       c.CloseWrite,
		"SetDeadline":      func() error { return c.SetDeadline(time.Time{}) },
		"SetReadDeadline":  func() error { return c.SetReadDeadline(time.Time{}) },
		"SetWriteDeadline": func() error { return c.SetWriteDeadline(time.Time{}) },
		"Read":             func() error { _, err := c.Read(nil); return err },
		"Write":            func() error { _, err := c.Write(nil); return err },
	}
	for name, call := range calls {
		if err := call(); !errors.Is(err, net.ErrClosed) {
			t.Errorf("%s = %v, want net.ErrClosed", name, err)
		}
	}
}

func TestConn_errorText(t *testing.T) {
	t.Parallel()
	c, peer := connect(t, DefaultSettings())
	defer c.Close()
	peer.SetLinger(0)
	peer.Close()
	_, err := c.Read(make([]byte, 1))
	if got, want := err.Error(), "read tcp 127.0.0.1:32768->server:80: read: connection reset by peer"; got != want {
		t.Errorf("Read = %q, want %q", got, want)
	}
}

func TestConn_writeKeepsNoReference(t *testing.T) {
	t.Parallel()
	c, peer := connect(t, DefaultSettings())
	defer peer.Close()
	b := []byte("before")
	c.Write(b)
	copy(b, "after!")
	c.Close()
	if data, _ := readAll(peer); data != "before" {
		t.Errorf("peer read %q, want %q", data, "before")
	}
}

// Empty calls do not wait, as on any net.Conn.
func TestConn_emptyCalls(t *testing.T) {
	t.Parallel()
	c, peer := connect(t, Settings{Buffer: 1, Backlog: 1})
	defer peer.Close()
	defer c.Close()
	if _, err := c.Write([]byte("a")); err != nil {
		t.Fatal(err)
	}
	if n, err := c.Write(nil); n != 0 || err != nil {
		t.Errorf("Write of nothing into a full buffer = %d, %v, want 0, nil", n, err)
	}
	if n, err := c.Read(nil); n != 0 || err != nil {
		t.Errorf("Read of nothing from an empty buffer = %d, %v, want 0, nil", n, err)
	}
}
