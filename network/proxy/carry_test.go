package proxy

import (
	"context"
	"errors"
	"io"
	"net"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/brunt-go/brunt/network/toxic"
)

// blackhole dials as through a firewall that drops everything.
func blackhole(ctx context.Context, _, _ string) (net.Conn, error) {
	<-ctx.Done()
	return nil, context.Cause(ctx)
}

// An upstream that never answers holds up nothing but its own connections, those
// for as long as the settings say. See network.md 5.3 5.4.
func TestProxy_dialHangs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		var n atomic.Int64
		s := DefaultSettings()
		s.Name, s.Listen, s.Upstream, s.DialTimeout = "q", "q:80", "server:80", 3*time.Second
		r.proxy.Close()
		r.proxy = r.make(s, WithDialer(func(ctx context.Context, network, address string) (net.Conn, error) {
			if n.Add(1) <= 5 {
				return blackhole(ctx, network, address)
			}
			return r.network.DialContext(ctx, network, address)
		}))
		if err := r.proxy.Start(); err != nil {
			t.Fatal(err)
		}
		var hung []net.Conn
		for range 5 {
			hung = append(hung, r.dial())
			synctest.Wait()
		}
		if got := took(func() {
			r.echo(r.dial(), "a")
			r.add("slow", toxic.Upstream, &toxic.Latency{Latency: time.Second})
			if got := len(r.proxy.Connections()); got != 6 {
				t.Errorf("%d connections, want 6", got)
			}
			if err := r.proxy.Remove("slow"); err != nil {
				t.Error(err)
			}
		}); got != 0 {
			t.Errorf("behind 5 that hang it took %v, want no time", got)
		}
		if got := took(func() {
			for _, c := range hung {
				if got := ends(c); got != "fin" {
					t.Errorf("one that hangs ended with %s, want fin", got)
				}
			}
		}); got != 3*time.Second {
			t.Errorf("they hung for %v, want the dial timeout of 3s", got)
		}
		if got := r.proxy.Stats().DialErrors; got != 5 {
			t.Errorf("%d dial errors, want 5", got)
		}
	})
}

// Stop ends dials under way at once. See network.md 5.3.
func TestProxy_stopWhileDialling(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.proxy.Close()
		s := DefaultSettings()
		s.Name, s.Listen, s.Upstream = "q", "q:80", "server:80"
		r.proxy = r.make(s, WithDialer(blackhole))
		if err := r.proxy.Start(); err != nil {
			t.Fatal(err)
		}
		c := r.dial()
		synctest.Wait()
		if got := took(r.proxy.Close); got != 0 {
			t.Errorf("Close took %v, want no time", got)
		}
		if got := ends(c); got != "fin" {
			t.Errorf("the connection ended with %s, want fin", got)
		}
		if got := r.proxy.Stats().DialErrors; got != 0 {
			t.Errorf("%d dial errors, want none: the upstream did nothing wrong", got)
		}
	})
}

// failing is a listener that fails a few times.
type failing struct {
	net.Listener

	left atomic.Int64
}

func (f *failing) Accept() (net.Conn, error) {
	if f.left.Add(-1) >= 0 {
		return nil, &net.OpError{Op: "accept", Net: "tcp", Err: syscall.EMFILE}
	}
	return f.Listener.Accept()
}

// Without file descriptors a proxy waits, says so, and goes on when there are some.
func TestProxy_acceptFails(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.proxy.Close()
		s := DefaultSettings()
		s.Name, s.Listen, s.Upstream = "q", "q:80", "server:80"
		var last *failing
		r.proxy = r.make(s, WithListener(func(_ context.Context, network, address string) (net.Listener, error) {
			l, err := r.network.Listen(network, address)
			last = &failing{Listener: l}
			last.left.Store(10)
			return last, err
		}))
		if err := r.proxy.Start(); err != nil {
			t.Fatal(err)
		}
		c := r.dial()
		// 5, 10, 20, 40, 80, 160, 320, 640 ms, then a second and a second.
		if got, want := took(func() { r.echo(c, "a") }), 3275*time.Millisecond; got != want {
			t.Errorf("it went on after %v, want %v", got, want)
		}
		if got := r.proxy.Stats().AcceptErrors; got != 10 {
			t.Errorf("%d accept errors, want 10", got)
		}
		last.left.Store(1)
		r.echo(r.dial(), "a") // the accept that waits takes this one
		if got, want := took(func() { r.echo(r.dial(), "b") }), 5*time.Millisecond; got != want {
			t.Errorf("after one that worked, the next failure made it pause for %v, want %v", got, want)
		}
		last.left.Store(10)
		r.proxy.Stop() // and a stop ends the pause
		if err := r.proxy.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		if got := took(r.proxy.Close); got != 0 {
			t.Errorf("Close in a pause took %v, want no time", got)
		}
	})
}

// Half-closes and resets of either peer travel through. See network.md 5.11 5.12.
func TestProxy_ends(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		c := r.dial()
		if _, err := io.WriteString(c, "hello"); err != nil {
			t.Fatal(err)
		}
		if err := c.(interface{ CloseWrite() error }).CloseWrite(); err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(c); string(got) != "hello" || err != nil {
			t.Errorf("after a half-close read %q, %v, want the answer", got, err)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(s *Settings) { s.Upstream = "rude:80" })
		l, err := r.network.Listen("tcp", "rude:80")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		c := r.dial()
		server, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		reset(server)
		if got := ends(c); got != "reset" {
			t.Errorf("the server's reset ended the client with %s, want reset", got)
		}
		c = r.dial()
		if server, err = l.Accept(); err != nil {
			t.Fatal(err)
		}
		reset(c)
		if got := ends(server); got != "reset" {
			t.Errorf("the client's reset ended the server with %s, want reset", got)
		}
	})
}

// decisions returns which of 100 connections a toxic for half of them hits.
func decisions(t *testing.T, seed uint64) (hit [100]bool) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(s *Settings) { s.Seed = seed })
		s := toxic.NewSpec("half", toxic.Downstream, &toxic.Latency{Latency: time.Millisecond})
		s.Toxicity = 0.5
		if err := r.proxy.Add(s); err != nil {
			t.Fatal(err)
		}
		for i := range hit {
			c := r.dial()
			hit[i] = took(func() { r.echo(c, "x") }) > 0
			// Another toxic changes nobody's mind.
			r.add("other", toxic.Downstream, &toxic.Noop{})
			if again := took(func() { r.echo(c, "x") }) > 0; again != hit[i] {
				t.Errorf("connection %d was hit: %v, and with another toxic: %v", i, hit[i], again)
			}
			if err := r.proxy.Remove("other"); err != nil {
				t.Fatal(err)
			}
		}
	})
	return hit
}

// The same seed hits the same connections. See network.md 5.9 5.10.
func TestProxy_seed(t *testing.T) {
	t.Parallel()
	first := decisions(t, 42)
	if decisions(t, 42) != first {
		t.Error("the same seed hits other connections")
	}
	if decisions(t, 43) == first {
		t.Error("another seed hits the same connections")
	}
	n := 0
	for _, h := range first {
		if h {
			n++
		}
	}
	if n < 30 || n > 70 {
		t.Errorf("%d of 100 are hit with toxicity 0.5", n)
	}
}

// Each hit is reported, with the connection's place.
func TestProxy_hits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		s := toxic.NewSpec("every_third", toxic.Upstream, &toxic.Noop{})
		s.Select.Connections = toxic.Ordinals{First: 2, Every: 3}
		if err := r.proxy.Add(s); err != nil {
			t.Fatal(err)
		}
		for range 9 {
			r.echo(r.dial(), "x")
		}
		r.mu.Lock()
		var hits []uint64
		for _, e := range r.events {
			if e.Type == ToxicHit && e.Toxic == "every_third" && e.Stream == toxic.Upstream && e.Proxy == "p" {
				hits = append(hits, e.Connection)
			}
		}
		r.mu.Unlock()
		if len(hits) != 3 || hits[0] != 2 || hits[1] != 5 || hits[2] != 8 {
			t.Errorf("hits of connections %v, want 2, 5, 8", hits)
		}
		if a, err := r.proxy.Toxic("every_third"); err != nil || a.Hits != 3 {
			t.Errorf("Toxic = %+v, %v, want 3 hits", a, err)
		}
	})
}

// An update that fails, for whatever reason, changes nothing. See network.md 5.21.
func TestProxy_update(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.add("slow", toxic.Upstream, &toxic.Latency{Latency: time.Second})
		no := errors.New("no")
		if err := r.proxy.Update("slow", func(s toxic.Spec) (toxic.Spec, error) { return s, no }); !errors.Is(err, no) {
			t.Errorf("Update = %v, want %v", err, no)
		}
		if err := r.proxy.Update("fast", nil); !errors.Is(err, toxic.ErrNotFound) {
			t.Errorf("Update of none = %v, want %v", err, toxic.ErrNotFound)
		}
		c := r.dial()
		if got := took(func() { r.echo(c, "a") }); got != time.Second {
			t.Errorf("an echo took %v, want 1s still", got)
		}
		if err := r.proxy.Update("slow", func(s toxic.Spec) (toxic.Spec, error) {
			s.Toxic = &toxic.Latency{Latency: 2 * time.Second}
			return s, nil
		}); err != nil {
			t.Fatal(err)
		}
		if got := took(func() { r.echo(c, "b") }); got != 2*time.Second {
			t.Errorf("an echo took %v, want 2s", got)
		}
		if err := r.proxy.Reset(); err != nil || len(r.proxy.Toxics()) != 0 {
			t.Errorf("Reset = %v with %v left", err, r.proxy.Toxics())
		}
	})
}
