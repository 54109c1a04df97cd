package memnet

import (
	"context"
	"errors"
	"net"
	"net/http"
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
	n.caller = lastCaller - 1
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
}

func TestNetwork_freePortsRunOut(t *testing.T) {
	t.Parallel()
	n := New()
	var middle net.Listener
	for port := firstFree; port <= lastFree; port++ {
		l := listen(t, n, "full:0")
		defer l.Close()
		if port == 25000 {
			middle = l
		}
	}
	if _, err := n.Listen("tcp", "full:0"); !errors.Is(err, syscall.EADDRINUSE) {
		t.Errorf("Listen without a free port = %v, want %v", err, syscall.EADDRINUSE)
	}
	middle.Close()
	l := listen(t, n, "full:0")
	defer l.Close()
	if got, want := l.Addr(), (Addr{"full", 25000}); got != want {
		t.Errorf("Addr = %v, want the port that became free, %v", got, want)
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

// The story of the package's documentation.
func TestNetwork_nobodyAnswers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		network := New()
		listener, err := network.Listen("tcp", "payments:8080")
		if err != nil {
			t.Fatal(err)
		}
		defer listener.Close() // nobody ever accepts

		client := &http.Client{
			Transport: &http.Transport{DialContext: network.DialContext},
			Timeout:   14 * time.Second,
		}
		begin := time.Now()
		_, err = client.Get("http://payments:8080/")
		if took := time.Since(begin); took != 14*time.Second || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("gave up after %v with %v, want 14s and a deadline", took, err)
		}
	})
}
