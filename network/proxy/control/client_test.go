package control

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/brunt-go/brunt/network/toxic"
)

// listen serves the API of a rig in memory, and returns a client of it.
func (r *rig) client(options ...ClientOption) *Client {
	r.t.Helper()
	l, err := r.network.Listen("tcp", "localhost:8474")
	if err != nil {
		r.t.Fatal(err)
	}
	s := &http.Server{Handler: r.handler, ReadHeaderTimeout: time.Minute}
	r.work.Go(func() { _ = s.Serve(l) }) // it ends by Close
	transport := &http.Transport{DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		return r.network.DialContext(ctx, network, address)
	}}
	r.t.Cleanup(func() {
		transport.CloseIdleConnections()
		s.Close()
	})
	c, err := NewClient("localhost:8474", append(options, WithHTTPClient(&http.Client{Transport: transport}))...)
	if err != nil {
		r.t.Fatal(err)
	}
	return c
}

func TestClient(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		c := r.client(WithSession("a b/c"))
		ctx := t.Context()
		p, err := c.Create(ctx, ProxySpec{Name: "p/1", Listen: "p:1", Upstream: "server:80"})
		if err != nil || p.Session != "a b/c" {
			t.Fatalf("Create = %+v, %v", p, err)
		}
		x, err := c.AddToxic(ctx, "p/1", ToxicSpec{
			Name: "x", Type: "latency", Attributes: []byte(`{"latency":5}`),
			Selection: toxic.Selection{Connections: toxic.Ordinals{First: 2}},
		})
		if err != nil || x.Connections.First != 2 {
			t.Fatalf("AddToxic = %+v, %v", x, err)
		}
		count, half := int64(3), 0.5
		if x, err = c.ChangeToxic(ctx, "p/1", "x", ToxicChange{Toxicity: &half, Count: &count}); err != nil || x.Toxicity != 0.5 || x.Count != 3 || x.Connections.First != 2 {
			t.Errorf("ChangeToxic = %+v, %v", x, err)
		}
		if all, err := c.Toxics(ctx, "p/1"); err != nil || len(all) != 1 {
			t.Errorf("Toxics = %+v, %v", all, err)
		}
		if x, err = c.Toxic(ctx, "p/1", "x"); err != nil || x.Type != "latency" {
			t.Errorf("Toxic = %+v, %v", x, err)
		}
		r.echo(r.dial("p:1"), "abc")
		if s, err := c.Stats(ctx, "p/1"); err != nil || s.Open != 1 || s.Upstream.Written != 3 {
			t.Errorf("Stats = %+v, %v", s, err)
		}
		if all, err := c.Connections(ctx, "p/1"); err != nil || len(all) != 1 || all[0].Upstream.Read != 3 {
			t.Errorf("Connections = %+v, %v", all, err)
		}
		if err := c.RemoveToxic(ctx, "p/1", "x"); err != nil {
			t.Error(err)
		}
		no := false
		if p, err = c.Change(ctx, "p/1", ProxySpec{Enabled: &no}); err != nil || p.Enabled {
			t.Errorf("Change = %+v, %v", p, err)
		}
		if err := c.Reset(ctx); err != nil {
			t.Error(err)
		}
		if p, err = c.Proxy(ctx, "p/1"); err != nil || !p.Enabled {
			t.Errorf("Proxy = %+v, %v, want it enabled by Reset", p, err)
		}
		if all, err := c.Populate(ctx, []ProxySpec{{Name: "q", Upstream: "server:80"}}); err != nil || len(all) != 1 {
			t.Errorf("Populate = %+v, %v", all, err)
		}
		if all, err := c.Proxies(ctx); err != nil || len(all) != 2 {
			t.Errorf("Proxies = %+v, %v", all, err)
		}
		if all, err := c.AllStats(ctx); err != nil || len(all) != 2 || all[0].Session != "a b/c" {
			t.Errorf("AllStats = %+v, %v", all, err)
		}
		if i, err := c.Info(ctx); err != nil || i.Proxies != 2 {
			t.Errorf("Info = %+v, %v", i, err)
		}
		if err := c.Delete(ctx, "p/1"); err != nil {
			t.Error(err)
		}
		var e *Error
		if err := c.Delete(ctx, "p/1"); !errors.As(err, &e) || e.Status != 404 || e.Message != "proxy not found" {
			t.Errorf("Delete again = %v", err)
		}
		if _, err := c.AddToxic(ctx, "q", ToxicSpec{Type: "latency", Attributes: []byte(`{"lag":5}`)}); !errors.As(err, &e) || e.Status != 400 {
			t.Errorf("an unknown attribute = %v, want 400", err)
		}
	})
}

// A client renews what it made as long as it lives; when it is closed, that goes at
// once; when it is killed, after the lease.
func TestClient_lease(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		c := r.client(WithLease(30 * time.Second))
		ctx := t.Context()
		if _, err := c.Create(ctx, ProxySpec{Name: "p", Listen: "p:1", Upstream: "server:80"}); err != nil {
			t.Fatal(err)
		}
		if _, err := c.AddToxic(ctx, "p", ToxicSpec{Name: "x", Type: "noop"}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Minute)
		if x, err := c.Toxic(ctx, "p", "x"); err != nil {
			t.Errorf("10 minutes later: %+v, %v", x, err)
		}
		if _, err := c.Populate(ctx, []ProxySpec{{Name: "q", Upstream: "server:80"}}); err != nil {
			t.Fatal(err)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		if n := r.server.Info().Proxies; n != 0 {
			t.Errorf("closed, it leaves %d proxies behind", n)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		c := r.client(WithLease(30 * time.Second))
		if _, err := c.Create(t.Context(), ProxySpec{Name: "p", Listen: "p:1", Upstream: "server:80"}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(25 * time.Second)
		c.keeper.stop() // as if killed, 5 s after it last renewed
		time.Sleep(25*time.Second - 1)
		synctest.Wait()
		if n := r.server.Info().Proxies; n != 1 {
			t.Errorf("%d proxies before the lease is over, want 1", n)
		}
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		if n := r.server.Info().Proxies; n != 0 {
			t.Errorf("%d proxies when the lease is over, want none", n)
		}
	})
}

func TestClient_Events(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		c := r.client()
		if _, err := c.Create(t.Context(), ProxySpec{Name: "p", Listen: "p:1", Upstream: "server:80"}); err != nil {
			t.Fatal(err)
		}
		var got []string
		for e, err := range c.Events(t.Context(), Filter{Proxy: "p", After: new(uint64)}) {
			if err != nil {
				t.Fatal(err)
			}
			if got = append(got, string(e.Type)); e.Type == "opened" {
				break
			}
			if e.Type == Created {
				time.AfterFunc(time.Minute, func() { r.dial("p:1") }) // heartbeats come before it
			}
		}
		if want := "started created opened"; strings.Join(got, " ") != want {
			t.Errorf("events %v, want %s", got, want)
		}
	})
}

// What is not the API's is told as it is.
func TestClient_errors(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"", "http://", "://x", "http://[::1"} {
		if _, err := NewClient(address); err == nil {
			t.Errorf("NewClient(%q): no error", address)
		}
	}
	if _, err := NewClient("localhost:1", WithLease(-1)); err == nil {
		t.Error("a negative lease: no error")
	}
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(s *Settings) { s.Token = "s3cret" })
		c := r.client()
		var e *Error
		if _, err := c.Proxies(t.Context()); !errors.As(err, &e) || e.Status != 401 {
			t.Errorf("without the token: %v, want 401", err)
		}
		WithToken("s3cret").applyClient(c)
		if _, err := c.Proxies(t.Context()); err != nil {
			t.Errorf("with the token: %v", err)
		}
	})
}
