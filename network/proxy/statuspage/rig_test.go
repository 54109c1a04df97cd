package statuspage_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/brunt-go/brunt/network/memnet"
	"github.com/brunt-go/brunt/network/proxy/control"
	"github.com/brunt-go/brunt/network/proxy/statuspage"
)

// rig is a server in memory with its page. It belongs into a synctest bubble.
type rig struct {
	*testing.T

	network *memnet.Network
	server  *control.Server
	ui      http.Handler
	asked   []string // addresses proxies were to listen on
}

func newRig(t *testing.T) *rig {
	t.Helper()
	r := &rig{T: t, network: memnet.New()}
	settings := control.DefaultSettings()
	settings.Proxy.Seed = 42
	server, err := control.NewServer(settings,
		control.WithListener(func(_ context.Context, n, address string) (net.Listener, error) {
			r.asked = append(r.asked, address)
			return r.network.Listen(n, address)
		}),
		control.WithDialer(r.network.DialContext),
	)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	r.server, r.ui = server, statuspage.Handler(server)
	return r
}

// echo serves an upstream that sends back what it gets.
func (r *rig) echo(address string) {
	r.Helper()
	l, err := r.network.Listen("tcp", address)
	if err != nil {
		r.Fatal(err)
	}
	r.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				_, _ = io.Copy(c, c) // ends with the connection
			}()
		}
	}()
}

// create makes a proxy.
func (r *rig) create(session, name, listen, upstream string) {
	r.Helper()
	if _, err := r.server.Create(session, control.ProxySpec{Name: name, Listen: listen, Upstream: upstream}); err != nil {
		r.Fatal(err)
	}
}

// toxic adds a toxic.
func (r *rig) toxic(session, name string, spec control.ToxicSpec) {
	r.Helper()
	if _, err := r.server.AddToxic(session, name, spec, true); err != nil {
		r.Fatal(err)
	}
}

// say sends n bytes through a proxy and waits for what comes back. The connection
// stays open.
func (r *rig) say(address string, n int) net.Conn {
	r.Helper()
	c, err := r.network.Dial("tcp", address)
	if err != nil {
		r.Fatal(err)
	}
	r.Cleanup(func() { c.Close() })
	if _, err := io.WriteString(c, strings.Repeat("x", n)); err != nil {
		r.Fatal(err)
	}
	if _, err := io.ReadFull(c, make([]byte, n)); err != nil {
		r.Fatal(err)
	}
	synctest.Wait()
	return c
}

// get is a view.
func (r *rig) get(path string) *httptest.ResponseRecorder {
	r.Helper()
	w := httptest.NewRecorder()
	r.ui.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
	return w
}

// post sends a form.
func (r *rig) post(path string, fields ...string) *httptest.ResponseRecorder {
	r.Helper()
	w := httptest.NewRecorder()
	q := httptest.NewRequest("POST", path, strings.NewReader(values(fields...).Encode()))
	q.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.ui.ServeHTTP(w, q)
	return w
}

// values are names and values in turn.
func values(pairs ...string) url.Values {
	v := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		v.Set(pairs[i], pairs[i+1])
	}
	return v
}

func ptr[T any](v T) *T { return &v }
