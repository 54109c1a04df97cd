package memnet

import (
	"context"
	"errors"
	"net"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

func TestNetwork_addresses(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name, in string
		shown    string   // the listener's address
		reached  []string // by dials to these
	}{
		{"empty_host", ":80", "127.0.0.1:80", []string{":80", "localhost:80", "127.0.0.1:80", "[::1]:80", "0.0.0.0:80"}},
		{"localhost", "LocalHost:80", "127.0.0.1:80", []string{"127.0.0.1:80"}},
		{"unspecified", "[::]:80", "127.0.0.1:80", []string{"127.0.0.1:80"}},
		{"name", "Payments:8443", "payments:8443", []string{"payments:8443", "PAYMENTS:8443"}},
		{"ipv4", "10.0.0.7:80", "10.0.0.7:80", []string{"10.0.0.7:80", "[::ffff:10.0.0.7]:80"}},
		{"ipv6", "[2001:DB8::0:1]:80", "[2001:db8::1]:80", []string{"[2001:db8::1]:80"}},
		{"free_port", "payments:0", "payments:20000", []string{"payments:20000"}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			n := New()
			l := listen(t, n, row.in)
			defer l.Close()
			if got := l.Addr().String(); got != row.shown || l.Addr().Network() != "tcp" {
				t.Errorf("Addr = %s %s, want tcp %s", l.Addr().Network(), got, row.shown)
			}
			for i, address := range row.reached {
				client := dial(t, n, address)
				server := accept(t, l)
				from := net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: firstCaller + i}
				for got, want := range map[string]string{
					client.LocalAddr().String():  from.String(),
					client.RemoteAddr().String(): row.shown,
					server.LocalAddr().String():  row.shown,
					server.RemoteAddr().String(): from.String(),
				} {
					if got != want {
						t.Errorf("dial %s: an end has the address %s, want %s", address, got, want)
					}
				}
				client.Close()
				server.Close()
			}
		})
	}
}

// Programs ask a listener for its port in this way.
func TestNetwork_tcpAddr(t *testing.T) {
	t.Parallel()
	n := New()
	for want := firstFree; want < firstFree+3; want++ {
		l := listen(t, n, "localhost:0")
		defer l.Close()
		if addr, ok := l.Addr().(*net.TCPAddr); !ok || addr.Port != want {
			t.Errorf("Addr = %#v, want a *net.TCPAddr with port %d", l.Addr(), want)
		}
	}
	l := listen(t, n, "payments:80")
	defer l.Close()
	if got, want := l.Addr(), (Addr{"payments", 80}); got != want {
		t.Errorf("Addr = %#v, want %#v", got, want)
	}
}

func TestNetwork_callerPortsGoRound(t *testing.T) {
	t.Parallel()
	n := New()
	l := listen(t, n, ":80")
	defer l.Close()
	n.caller = maxPort - 1
	for _, want := range []string{"127.0.0.1:65535", "127.0.0.1:32768"} {
		c := dial(t, n, ":80")
		defer c.Close()
		if got := c.LocalAddr().String(); got != want {
			t.Errorf("LocalAddr = %s, want %s", got, want)
		}
	}
}

func TestNetwork_listenErrors(t *testing.T) {
	t.Parallel()
	n := New()
	l := listen(t, n, "payments:80")
	_, err := n.Listen("tcp", "Payments:80")
	var op *net.OpError
	if !errors.As(err, &op) || !errors.Is(err, syscall.EADDRINUSE) {
		t.Errorf("second Listen = %v, want a *net.OpError of %v", err, syscall.EADDRINUSE)
	}
	if got, want := err.Error(), "listen tcp payments:80: bind: address already in use"; got != want {
		t.Errorf("second Listen = %q, want %q", got, want)
	}
	l.Close()
	listen(t, n, "payments:80").Close()

	for port := firstFree; port < firstCaller; port++ {
		defer listen(t, n, "full:0").Close()
	}
	if _, err := n.Listen("tcp", "full:0"); !errors.Is(err, syscall.EADDRINUSE) {
		t.Errorf("Listen without a free port = %v, want %v", err, syscall.EADDRINUSE)
	}
}

func TestNetwork_badAddresses(t *testing.T) {
	t.Parallel()
	rows := []struct{ name, network, in, want string }{
		{"udp", "udp", "a:1", "unknown network udp"},
		{"no_port", "tcp", "a", "missing port in address"},
		{"named_port", "tcp", "a:http", "port is not a number from 0 to 65535"},
		{"large_port", "tcp", "a:65536", "port is not a number from 0 to 65535"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			_, listenErr := New().Listen(row.network, row.in)
			_, dialErr := New().Dial(row.network, row.in)
			for _, err := range []error{listenErr, dialErr} {
				var op *net.OpError
				if !errors.As(err, &op) || !strings.Contains(err.Error(), row.want) {
					t.Errorf("%q = %v, want a *net.OpError with %q", row.in, err, row.want)
				}
			}
		})
	}
}

func TestNetwork_refused(t *testing.T) {
	t.Parallel()
	n := New()
	l := listen(t, n, "payments:80")
	l.Close()
	for _, address := range []string{"payments:80", "payments:81", "nobody:80", "nobody:0"} {
		_, err := n.Dial("tcp", address)
		var op *net.OpError
		if !errors.As(err, &op) || op.Op != "dial" || !errors.Is(err, syscall.ECONNREFUSED) {
			t.Errorf("Dial(%s) = %v, want a *net.OpError of %v", address, err, syscall.ECONNREFUSED)
		}
	}
}

// How a dial that waits for room in the backlog ends, and when.
func TestNetwork_backlog(t *testing.T) {
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

func TestNetwork_dialWithEndedContext(t *testing.T) {
	t.Parallel()
	n := New()
	l := listen(t, n, ":80")
	defer l.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := n.DialContext(ctx, "tcp", ":80"); !errors.Is(err, context.Canceled) {
		t.Errorf("DialContext = %v, want context.Canceled", err)
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

func TestCheckSettings(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name string
		in   Settings
		want string
	}{
		{"default", DefaultSettings(), ""},
		{"smallest", Settings{1, 1}, ""},
		{"no_buffer", Settings{0, 1}, "memnet.buffer: 0, must be >= 1"},
		{"no_backlog", Settings{1, -1}, "memnet.backlog: -1, must be >= 1"},
		{"all", Settings{}, "memnet.buffer: 0, must be >= 1\nmemnet.backlog: 0, must be >= 1"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			got := ""
			if _, err := NewWith(row.in); err != nil {
				got = err.Error()
			}
			if got != row.want {
				t.Errorf("NewWith(%+v) = %q, want %q", row.in, got, row.want)
			}
		})
	}
}
