package proxy

import (
	"context"
	"errors"
	"io"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/brunt-go/brunt/network/memnet"
	"github.com/brunt-go/brunt/network/toxic"
)

// rig is a proxy at "proxy:80" before a server at "server:80" that sends back what
// it gets, all in memory.
type rig struct {
	t       *testing.T
	network *memnet.Network
	proxy   *Proxy

	mu     sync.Mutex
	events []Event
}

// newRig returns a rig whose proxy was started.
func newRig(t *testing.T, change ...func(*Settings)) *rig {
	t.Helper()
	r := &rig{t: t, network: memnet.New()}
	r.serve("server:80")
	s := DefaultSettings()
	s.Name, s.Listen, s.Upstream = "p", "proxy:80", "server:80"
	for _, c := range change {
		c(&s)
	}
	r.proxy = r.make(s)
	if err := r.proxy.Start(); err != nil {
		t.Fatal(err)
	}
	return r
}

func (r *rig) make(s Settings, options ...Option) *Proxy {
	r.t.Helper()
	options = append([]Option{WithListener(r.listen), WithDialer(r.network.DialContext), WithEventFunc(r.note)}, options...)
	p, err := New(s, options...)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(p.Close)
	return p
}

func (r *rig) listen(_ context.Context, network, address string) (net.Listener, error) {
	return r.network.Listen(network, address)
}

func (r *rig) note(e Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events = append(r.events, e)
}

// told returns the types of the events so far, but for those of connections.
func (r *rig) told() []EventType {
	r.mu.Lock()
	defer r.mu.Unlock()
	var types []EventType
	for _, e := range r.events {
		if e.Connection == 0 {
			types = append(types, e.Type)
		}
	}
	return types
}

// serve echoes at an address, and returns what stops it.
func (r *rig) serve(address string) (stop func()) {
	r.t.Helper()
	l, err := r.network.Listen("tcp", address)
	if err != nil {
		r.t.Fatal(err)
	}
	var all sync.WaitGroup
	all.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			all.Go(func() {
				defer c.Close()
				_, _ = io.Copy(c, c) // until the peer has ended, however
			})
		}
	})
	stop = sync.OnceFunc(func() {
		l.Close()
	})
	r.t.Cleanup(func() { stop(); r.proxy.Close(); all.Wait() })
	return stop
}

// dial connects to the proxy.
func (r *rig) dial() net.Conn {
	r.t.Helper()
	c, err := r.network.Dial("tcp", r.proxy.Addr())
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { c.Close() })
	return c
}

// echo sends a word and waits for it to come back.
func (r *rig) echo(c net.Conn, word string) {
	r.t.Helper()
	if _, err := io.WriteString(c, word); err != nil {
		r.t.Errorf("write: %v", err)
	}
	got := make([]byte, len(word))
	if _, err := io.ReadFull(c, got); err != nil || string(got) != word {
		r.t.Errorf("read %q, %v, want %q back", got, err, word)
	}
}

// add adds a toxic that hits every connection.
func (r *rig) add(name string, stream toxic.Stream, t toxic.Toxic) {
	r.t.Helper()
	if err := r.proxy.Add(toxic.NewSpec(name, stream, t)); err != nil {
		r.t.Fatal(err)
	}
}

// took returns how long f takes.
func took(f func()) time.Duration {
	begin := time.Now()
	f()
	return time.Since(begin)
}

// ends reports how a connection ends.
func ends(c net.Conn) string {
	_, err := io.Copy(io.Discard, struct{ io.Reader }{c})
	switch {
	case err == nil:
		return "fin"
	case isReset(err):
		return "reset"
	case errors.Is(err, io.ErrClosedPipe), errors.Is(err, net.ErrClosed):
		return "closed"
	default:
		return err.Error()
	}
}
