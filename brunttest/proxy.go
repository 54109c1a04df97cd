package brunttest

import (
	"testing"

	"github.com/brunt-go/brunt/network/proxy"
)

// Proxy returns a proxy of this test's own before an upstream such as
// "127.0.0.1:5432": it listens on a free port of the loopback, Proxy.Addr, and is
// gone with the test. Tests can have theirs side by side. A test that fails says
// what the proxy carried and which toxics hit.
func Proxy(t testing.TB, upstream string, options ...proxy.Option) *proxy.Proxy {
	t.Helper()
	s := proxy.DefaultSettings()
	s.Name, s.Upstream = t.Name(), upstream
	return ProxyWith(t, s, options...)
}

// ProxyWith is Proxy with settings of one's own: a seed, or a name, which decide
// which connections a toxic for some of them hits.
func ProxyWith(t testing.TB, s proxy.Settings, options ...proxy.Option) *proxy.Proxy {
	t.Helper()
	p, err := proxy.New(s, options...)
	if err != nil {
		t.Fatalf("proxy before %s: %v", s.Upstream, err)
	}
	t.Cleanup(func() {
		p.Close()
		if t.Failed() {
			t.Logf("proxy %s (%s -> %s, seed %d): %+v", p.Name(), p.Addr(), p.Upstream(), p.Seed(), p.Stats())
			for _, a := range p.Toxics() {
				t.Logf("  toxic %s (%s, %s): %d hits", a.Spec.Name, a.Spec.Toxic.Kind(), a.Spec.Stream, a.Hits)
			}
		}
	})
	if err := p.Start(); err != nil {
		t.Fatalf("proxy before %s: %v", s.Upstream, err)
	}
	return p
}
