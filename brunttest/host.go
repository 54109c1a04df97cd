package brunttest

import (
	"context"
	"io/fs"
	"maps"
	"net"
	"testing"

	"github.com/brunt-go/brunt"
)

// Host is a machine in memory, on a network of its own or, when it comes from Named,
// on that of another Host. Its methods may be called concurrently.
type Host struct {
	t       testing.TB
	network *network
	name    string // empty for the test's own machine
	files   map[string][]byte
}

// HostOption changes a Host that is being made. A nil one changes nothing.
type HostOption interface{ apply(*Host) }

type hostOptionFunc func(*Host)

func (f hostOptionFunc) apply(h *Host) { f(h) }

// WithFiles gives the Host files, which brunt.Host's ReadFile finds under the very
// names in files. Of a name that comes twice the last counts.
func WithFiles(files map[string][]byte) HostOption {
	return hostOptionFunc(func(h *Host) { maps.Copy(h.files, files) })
}

// NewHost returns the test's own machine on a new network. Its name is "test". A
// program on it may listen on any name, so the Apps of a whole system can share it;
// who listens on no name at all, as on ":8080", is found under every name that has
// no listener of its own on that port. Use Named for Apps that are to have a link
// between them.
//
// When the test ends, each listener and each connection that is still open fails it, and
// each toxic on a link that no connection took.
func NewHost(t testing.TB, opts ...HostOption) *Host {
	t.Helper()
	h := newHost(t, newNetwork(), "", opts)
	t.Cleanup(func() {
		for _, what := range h.network.close() {
			t.Errorf("brunttest: %s", what)
		}
	})
	return h
}

func newHost(t testing.TB, n *network, name string, opts []HostOption) *Host {
	h := &Host{t: t, network: n, name: name, files: map[string][]byte{}}
	for _, o := range opts {
		if o != nil {
			o.apply(h)
		}
	}
	return h
}

// Named returns the machine of that name on h's network, which is made by the first
// call. A program on it listens on that name whatever host its address has, and finds
// itself as localhost.
func (h *Host) Named(name string, opts ...HostOption) *Host {
	h.t.Helper()
	if name == "" || name == testName || isLocal(name) {
		h.t.Fatalf("brunttest: a machine cannot be named %q", name)
	}
	h.network.add(name)
	return newHost(h.t, h.network, name, opts)
}

// Host returns the machine as an App takes it: brunt.WithHost(h.Host()).
func (h *Host) Host() brunt.Host {
	return brunt.Host{
		Dial: h.DialContext,
		Listen: func(_ context.Context, network, address string) (net.Listener, error) {
			return h.Listen(network, address)
		},
		ReadFile: h.readFile,
	}
}

// Listen listens on address, "host:port", as net.Listen does. Port 0 takes a free one.
// An address that is taken is an error that matches syscall.EADDRINUSE.
func (h *Host) Listen(network, address string) (net.Listener, error) {
	return h.network.listen(h.name, network, address)
}

// DialContext connects to address as net.Dialer's does. Nobody listening is an error
// that matches syscall.ECONNREFUSED, and says where somebody does.
func (h *Host) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	return h.network.dial(ctx, h.name, network, address)
}

// Listening returns a channel that is closed once somebody listens where a program on h
// that dials address gets to. If that takes more than 10 s, the test's log says what is
// waited for and where somebody listens; in a bubble that is when nothing else is left
// to happen in 10 s.
func (h *Host) Listening(address string) <-chan struct{} {
	h.t.Helper()
	ready, err := h.network.awaited(h.name, address, h.t.Logf)
	if err != nil {
		h.t.Fatalf("brunttest: Listening(%q): %v", address, err)
	}
	return ready
}

func (h *Host) readFile(name string) ([]byte, error) {
	data, ok := h.files[name]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return append([]byte(nil), data...), nil
}
