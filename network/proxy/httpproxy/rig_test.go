package httpproxy_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/brunt-go/brunt/judge/ledger"
	"github.com/brunt-go/brunt/network/memnet"
	"github.com/brunt-go/brunt/network/proxy/httpproxy"
)

// rig is a client, a proxy and an upstream on a network of their own, in fake
// time.
type rig struct {
	t      *testing.T
	net    *memnet.Network
	proxy  *httpproxy.Proxy
	client *http.Client
	ledger *ledger.Ledger
	asked  atomic.Int64 // requests that reached the upstream
}

const (
	proxyURL = "http://proxy:80"
	answer   = "hello, caller"
)

// inFakeTime runs body with a rig whose upstream is h. options are the proxy's.
func inFakeTime(t *testing.T, h http.Handler, body func(*rig), options ...httpproxy.Option) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := &rig{t: t, net: memnet.New()}
		s := httpproxy.DefaultSettings()
		s.Name, s.Upstream = "catalog", "upstream:80"
		var err error
		if r.proxy, err = httpproxy.New(s, append(options, httpproxy.WithDialer(r.net.DialContext))...); err != nil {
			t.Fatal(err)
		}
		upstream := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			r.asked.Add(1)
			h.ServeHTTP(w, req)
		}), Protocols: new(http.Protocols)}
		upstream.Protocols.SetHTTP1(true)
		upstream.Protocols.SetUnencryptedHTTP2(true)
		ended := make(chan error, 2)
		for addr, serve := range map[string]interface{ start(*rig, string) error }{
			"upstream:80": server{upstream}, "proxy:80": proxied{},
		} {
			go func() { ended <- serve.start(r, addr) }()
		}
		synctest.Wait()
		r.client = &http.Client{Transport: &http.Transport{DialContext: r.net.DialContext, DisableCompression: true}}
		body(r)
		r.client.CloseIdleConnections()
		if err := errors.Join(r.proxy.Shutdown(context.Background()), upstream.Shutdown(context.Background())); err != nil {
			t.Error(err)
		}
		for range 2 {
			if err := <-ended; !errors.Is(err, httpproxy.ErrClosed) && !errors.Is(err, http.ErrServerClosed) {
				t.Errorf("a server ended with %v", err)
			}
		}
	})
}

type (
	server  struct{ *http.Server }
	proxied struct{}
)

func (s server) start(r *rig, addr string) error {
	l, err := r.net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	return s.Serve(l)
}

func (proxied) start(r *rig, addr string) error {
	l, err := r.net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	return r.proxy.Serve(l)
}

// arm puts rules and a fresh ledger on the proxy.
func (r *rig) arm(a httpproxy.Arming) *httpproxy.Armed {
	r.t.Helper()
	r.ledger = ledger.New(time.Now())
	a.Recorder = r.ledger
	armed, err := r.proxy.Arm(a)
	if err != nil {
		r.t.Fatal(err)
	}
	return armed
}

// breakAll arms the proxy with faults for every request.
func (r *rig) breakAll(faults ...httpproxy.Fault) *httpproxy.Armed {
	r.t.Helper()
	return r.arm(httpproxy.Arming{Rules: httpproxy.Rules{List: []httpproxy.Rule{{Name: "all", Share: 1, Faults: faults}}}})
}

// got is what a call came back with.
type got struct {
	status int
	body   string
	err    error
	took   time.Duration
}

// get calls path and reads the answer, giving up after patience.
func (r *rig) get(path string, patience time.Duration) got {
	ctx, cancel := context.WithTimeout(r.t.Context(), patience)
	defer cancel()
	start := time.Now()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, proxyURL+path, nil)
	if err != nil {
		r.t.Fatal(err)
	}
	resp, err := r.client.Do(req)
	if err != nil {
		return got{err: err, took: time.Since(start)}
	}
	body, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	return got{resp.StatusCode, string(body), err, time.Since(start)}
}

// only returns the single event of kind E in the ledger.
func only[E ledger.Event](r *rig) (ledger.Entry, E) {
	r.t.Helper()
	var (
		n     int
		entry ledger.Entry
		event E
	)
	for at, e := range ledger.All[E](r.ledger.Entries()) {
		n, entry, event = n+1, at, e
	}
	if n != 1 {
		r.t.Fatalf("%d events %T, want 1: %+v", n, event, r.ledger.Entries())
	}
	return entry, event
}

// hello answers every request with the same body.
var hello = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, answer) })

// slow answers after 150 ms.
var slow = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	select {
	case <-time.After(150 * ms):
		io.WriteString(w, answer)
	case <-r.Context().Done():
	}
})
