package proxy

import (
	"net"
	"strings"
	"testing"
	"testing/synctest"
)

// A proxy moves to another upstream or another address; who is connected is cut
// off, and nobody else notices.
func TestProxy_change(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.serve("other:80")
		old := r.dial()
		r.echo(old, "a")
		if err := r.proxy.Change(Change{Upstream: "other:80"}); err != nil {
			t.Fatal(err)
		}
		if got := ends(old); got != "fin" {
			t.Errorf("with another upstream the connection ended with %s, want fin", got)
		}
		c := r.dial()
		r.echo(c, "b")
		if err := r.proxy.Change(Change{Listen: "proxy:80", Upstream: "other:80"}); err != nil {
			t.Fatal(err)
		}
		r.echo(c, "c") // nothing is different, so nothing happened
		if err := r.proxy.Change(Change{Listen: "elsewhere:81"}); err != nil {
			t.Fatal(err)
		}
		if got := ends(c); got != "fin" {
			t.Errorf("moved, the connection ended with %s, want fin", got)
		}
		if _, err := r.network.Dial("tcp", "proxy:80"); !isRefused(err) {
			t.Errorf("Dial of the old address: %v, want refused", err)
		}
		r.echo(r.dial(), "d")
		no := false
		if err := r.proxy.Change(Change{Listen: "third:82", Enabled: &no}); err != nil {
			t.Fatal(err)
		}
		if r.proxy.Enabled() || r.proxy.Addr() != "third:82" {
			t.Errorf("it is at %s, enabled: %v, want stopped at third:82", r.proxy.Addr(), r.proxy.Enabled())
		}
	})
}

// A change that can't be made changes nothing: the proxy listens where it did, and
// its connections live. See network.md 5.22.
func TestProxy_changeFails(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		c := r.dial()
		r.echo(c, "a")
		if err := r.proxy.Change(Change{Listen: "server:80", Upstream: "nowhere:1"}); err == nil {
			t.Error("Change to an address that is taken: no error")
		}
		r.echo(c, "b")
		r.echo(r.dial(), "c")
		if r.proxy.Upstream() != "server:80" || r.proxy.Given() != "proxy:80" {
			t.Errorf("half a change: upstream %s, listen %s", r.proxy.Upstream(), r.proxy.Given())
		}
	})
}

// Over sockets: the same port on another address can be had although the two
// overlap, and is given back when it can't. See network.md 5.22.
func TestProxy_changeOverlap(t *testing.T) {
	t.Parallel()
	upstream, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer upstream.Close()
	s := DefaultSettings()
	s.Name, s.Upstream = "p", upstream.Addr().String()
	p, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	_, port, err := net.SplitHostPort(p.Addr())
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Change(Change{Listen: "0.0.0.0:" + port}); err != nil {
		t.Errorf("Change to every address with the same port: %v", err)
	}
	if err := p.Change(Change{Listen: "localhost:" + port}); err != nil {
		t.Errorf("Change back: %v", err)
	}
	before := p.Addr()
	for _, bad := range []string{"192.0.2.1:" + port, "nonsense", "127.0.0.1:99999"} {
		if err := p.Change(Change{Listen: bad}); err == nil {
			t.Errorf("Change to %s: no error", bad)
		}
		c, err := net.Dial("tcp", before)
		if err != nil || p.Addr() != before {
			t.Fatalf("after Change to %s: %v, at %s, want it at %s still", bad, err, p.Addr(), before)
		}
		c.Close()
	}
	if err := p.Change(Change{Listen: "nonsense"}); err == nil || !strings.Contains(err.Error(), "address nonsense: missing port in address") {
		t.Errorf("Change to nonsense = %v", err)
	}
}
