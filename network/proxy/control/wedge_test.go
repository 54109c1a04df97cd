package control

import (
	"context"
	"fmt"
	"io"
	"net"
	"testing"
	"testing/synctest"
	"time"
)

// stuck are states of the data plane that hold up Toxiproxy's API for ever, for 25 s
// or for as long as a dial takes.
func stuck() map[string]func(r *rig) {
	flood := func(r *rig) {
		c := r.dial("p:1") // it never reads what it gets back
		r.work.Go(func() { _, _ = c.Write(make([]byte, 64<<20)) })
		synctest.Wait()
	}
	return map[string]func(r *rig){
		"slow_reader": flood,
		"slow_reader_behind_latency": func(r *rig) {
			r.must("POST", "/proxies/p/toxics", `{"name":"x","type":"latency","attributes":{"latency":1000}}`, nil)
			flood(r)
		},
		"many_in_a_timeout": func(r *rig) {
			r.must("POST", "/proxies/p/toxics", `{"name":"x","type":"timeout"}`, nil)
			for range 1000 {
				c := r.dial("p:1")
				if _, err := io.WriteString(c, "x"); err != nil {
					r.t.Error(err)
				}
			}
			synctest.Wait()
		},
		"reset_to_come": func(r *rig) {
			r.must("POST", "/proxies/p/toxics", `{"name":"x","type":"reset_peer","attributes":{"timeout":6000}}`, nil)
			flood(r)
		},
		"dials_that_hang": func(r *rig) {
			for range 100 {
				r.dial("hole:1")
			}
			synctest.Wait()
		},
	}
}

// Whatever connections do, no control call takes any time at all.
// See network.md 5.1 5.2 5.3 5.15.
func TestServer_neverWedged(t *testing.T) {
	t.Parallel()
	for name, wedge := range stuck() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t)
				r.must("POST", "/proxies", `{"name":"p","listen":"p:1","upstream":"server:80"}`, nil)
				hole(r)
				wedge(r)
				calls := []struct{ method, path, in string }{
					{"GET", "/proxies", ""},
					{"GET", "/proxies/p/connections", ""},
					{"GET", "/stats", ""},
					{"POST", "/proxies", `{"name":"q","listen":"q:1","upstream":"server:80"}`},
					{"POST", "/proxies/p/toxics", `{"name":"y","type":"latency","attributes":{"latency":50}}`},
					{"PATCH", "/proxies/p/toxics/y", `{"attributes":{"latency":60}}`},
					{"DELETE", "/proxies/p/toxics/y", ""},
					{"POST", "/populate", `[{"name":"p","listen":"p:1","upstream":"server:80","toxics":[{"type":"slow_close","attributes":{"delay":9}}]}]`},
					{"PATCH", "/proxies/hole", `{"enabled":false}`},
					{"POST", "/reset", ""},
					{"PATCH", "/proxies/p", `{"enabled":false}`},
					{"PATCH", "/proxies/p", `{"enabled":true}`},
					{"DELETE", "/proxies/hole", ""},
					{"DELETE", "/proxies/p", ""},
				}
				for _, c := range calls {
					if got := took(func() { r.must(c.method, c.path, c.in, nil) }); got != 0 {
						t.Errorf("%s %s took %v, want no time", c.method, c.path, got)
					}
				}
				if got := r.echo(r.dial("q:1"), "x"); got != 0 {
					t.Errorf("a new connection took %v, want no time", got)
				}
			})
		})
	}
}

// hole makes a proxy before an upstream that drops every packet.
func hole(r *rig) {
	dial := func(ctx context.Context, network, address string) (net.Conn, error) {
		if address == "hole:80" {
			<-ctx.Done()
			return nil, context.Cause(ctx)
		}
		return r.network.DialContext(ctx, network, address)
	}
	WithDialer(dial).apply(r.server)
	r.must("POST", "/proxies", `{"name":"hole","listen":"hole:1","upstream":"hole:80"}`, nil)
}

// What is held back by toxics has a bound. See network.md 5.20.
func TestServer_memory(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(s *Settings) { s.Proxy.Buffer = 1 << 20 })
		r.must("POST", "/proxies", `{"name":"p","listen":"p:1","upstream":"server:80"}`, nil)
		r.must("POST", "/proxies/p/toxics", `{"type":"latency","stream":"upstream","attributes":{"latency":10000}}`, nil)
		c := r.dial("p:1")
		r.work.Go(func() { _, _ = c.Write(make([]byte, 64<<20)) })
		synctest.Wait()
		all, err := r.server.Connections("", "p")
		if err != nil || len(all) != 1 {
			t.Fatalf("Connections = %+v, %v", all, err)
		}
		if got := all[0].Upstream.Buffered; got > 1<<20+1<<15 { // and one more read
			t.Errorf("%d bytes are held, want at most %d", got, 1<<20)
		}
	})
}

// A thousand proxies come and go.
func TestServer_thousand(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		list := ""
		for i := range 1000 {
			list += fmt.Sprintf(`,{"name":"p%d","listen":"p:%d","upstream":"server:80"}`, i, i+1)
		}
		var done struct{ Proxies []Proxy }
		r.must("POST", "/populate", "["+list[1:]+"]", &done)
		if len(done.Proxies) != 1000 {
			t.Fatalf("%d proxies, want 1000", len(done.Proxies))
		}
		r.echo(r.dial("p:777"), "x")
		r.must("DELETE", "/sessions/none", "", nil)
		time.Sleep(time.Second)
	})
}
