package httpclient_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/httpclient"
)

// R66, D3: an attempt is one request, also when there are idle connections on which
// net/http would send it again, unseen by budget and breaker.
func TestClient_onceEach(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name, method, header string
		secure               bool
		attempts             int
	}{
		{"get", "GET", "", false, 3},
		{"get over TLS", "GET", "", true, 3},
		{"post with a key", "POST", "Idempotency-Key: 7", false, 3},
		{"post", "POST", "", false, 1},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			story(t, nil, nil, func(t *testing.T, r *rig) {
				var breaks atomic.Bool
				var broken atomic.Int64
				config := &tls.Config{Certificates: []tls.Certificate{r.ca.Issue(t, "bad").TLS()}}
				l, err := r.host.Listen("tcp", "bad:80")
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { l.Close() })
				go each(l, func(c net.Conn) {
					if row.secure {
						c = tls.Server(c, config)
					}
					defer c.Close()
					for b := bufio.NewReader(c); ; {
						req, err := http.ReadRequest(b)
						if err != nil {
							return
						}
						_, _ = io.Copy(io.Discard, req.Body)
						if breaks.Load() {
							broken.Add(1)
							return
						}
						time.Sleep(second) // so that calls at once need a connection each
						_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
					}
				})
				r.client = r.newClient(func(s *httpclient.Settings) {
					s.BaseURL = map[bool]string{false: "http://bad", true: "https://bad:80"}[row.secure]
				})
				warm(t, r, 5)
				breaks.Store(true)
				before := len(r.attempts())
				ctx, end := r.carrying()
				defer end()
				var headers []string
				if row.header != "" {
					headers = append(headers, row.header)
				}
				_, _, err = r.do(ctx, row.method, "/charge", nil, headers...)
				if err == nil || !strings.HasSuffix(err.Error(), "bad:80: EOF") {
					t.Errorf("err = %v, want that of a connection that was closed", err)
				}
				if n := int(broken.Load()); n != row.attempts || len(r.attempts())-before != row.attempts {
					t.Errorf("%d requests for %d attempts, want %d for as many", n, len(r.attempts())-before, row.attempts)
				}
			})
		})
	}
}

// each handles every connection of l, until that is closed.
func each(l net.Listener, handle func(net.Conn)) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		go handle(c)
	}
}

// warm leaves so many idle connections behind.
func warm(t *testing.T, r *rig, n int) {
	t.Helper()
	results := make(chan error)
	for range n {
		go func() {
			_, _, err := r.do(t.Context(), http.MethodGet, "/", nil)
			results <- err
		}()
	}
	for range n {
		if err := <-results; err != nil {
			t.Fatal(err)
		}
	}
}

// A connection that was closed while it was idle costs no attempt: nothing of the request
// was sent.
func TestClient_closedWhileIdle(t *testing.T) {
	t.Parallel()
	story(t, nil, nil, func(t *testing.T, r *rig) {
		r.host.Serve("bad:80", r.recording(nil), nil)
		var stale atomic.Bool
		dial := r.setup.Host.Dial
		r.setup.Host = brunt.Host{Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
			c, err := dial(ctx, network, address)
			return &staleConn{c, &stale}, err
		}}
		r.client = r.newClient(func(s *httpclient.Settings) { s.BaseURL = "http://bad" })
		for _, method := range []string{"GET", "POST"} {
			warm(t, r, 1)
			stale.Store(true)
			before := len(r.attempts())
			status, _, err := r.do(t.Context(), method, "/charge", nil)
			if status != 200 || err != nil || len(r.attempts())-before != 1 {
				t.Errorf("%s: %d, %v in %d attempts, want one that succeeds", method, status, err, len(r.attempts())-before)
			}
		}
	})
}

// staleConn is a connection whose next write finds it closed, once.
type staleConn struct {
	net.Conn
	stale *atomic.Bool
}

func (c *staleConn) Write(b []byte) (int, error) {
	if c.stale.CompareAndSwap(true, false) {
		c.Close()
		return 0, errors.Join(net.ErrClosed, syscall.EPIPE)
	}
	return c.Conn.Write(b)
}
