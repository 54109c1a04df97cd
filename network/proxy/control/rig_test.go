package control

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/brunt-go/brunt/network/memnet"
)

// rig is a server whose proxies are in memory, with an upstream at "server:80"
// that sends back what it gets.
type rig struct {
	t       *testing.T
	network *memnet.Network
	server  *Server
	handler http.Handler
	work    sync.WaitGroup
}

func newRig(t *testing.T, change ...func(*Settings)) *rig {
	t.Helper()
	r := &rig{t: t, network: memnet.New()}
	s := DefaultSettings()
	for _, c := range change {
		c(&s)
	}
	listen := func(_ context.Context, network, address string) (net.Listener, error) {
		return r.network.Listen(network, address)
	}
	server, err := NewServer(s, WithListener(listen), WithDialer(r.network.DialContext))
	if err != nil {
		t.Fatal(err)
	}
	r.server, r.handler = server, server.Handler()
	l, err := r.network.Listen("tcp", "server:80")
	if err != nil {
		t.Fatal(err)
	}
	r.work.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			r.work.Go(func() {
				defer c.Close()
				_, _ = io.Copy(c, c) // until the peer has ended, however
			})
		}
	})
	t.Cleanup(func() {
		server.Close()
		l.Close()
		r.work.Wait()
	})
	return r
}

// answer is what the API answered.
type answer struct {
	Status int
	Body   string
	Header http.Header
}

// request sends one to the API.
func (r *rig) request(method, path, body string, change ...func(*http.Request)) answer {
	r.t.Helper()
	request := httptest.NewRequest(method, path, strings.NewReader(body))
	request.Host = "localhost:8474"
	for _, c := range change {
		c(request)
	}
	w := httptest.NewRecorder()
	r.handler.ServeHTTP(w, request)
	return answer{w.Code, w.Body.String(), w.Header()}
}

// must sends a request that succeeds, and reads the answer into v unless it is nil.
func (r *rig) must(method, path, body string, v any) {
	r.t.Helper()
	a := r.request(method, path, body)
	if a.Status >= 300 {
		r.t.Fatalf("%s %s = %d %s", method, path, a.Status, a.Body)
	}
	if v != nil {
		if err := json.Unmarshal([]byte(a.Body), v); err != nil {
			r.t.Fatalf("%s %s: %v in %s", method, path, err, a.Body)
		}
	}
}

// dial connects to an address.
func (r *rig) dial(address string) net.Conn {
	r.t.Helper()
	c, err := r.network.Dial("tcp", address)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { c.Close() })
	return c
}

// echo sends a word and returns how long it took to come back.
func (r *rig) echo(c net.Conn, word string) time.Duration {
	r.t.Helper()
	begin := time.Now()
	if _, err := io.WriteString(c, word); err != nil {
		r.t.Errorf("write: %v", err)
	}
	got := make([]byte, len(word))
	if _, err := io.ReadFull(c, got); err != nil || string(got) != word {
		r.t.Errorf("read %q, %v, want %q back", got, err, word)
	}
	return time.Since(begin)
}

// took returns how long f takes.
func took(f func()) time.Duration {
	begin := time.Now()
	f()
	return time.Since(begin)
}
