package memnet

import (
	"context"
	"net"
	"os"
	"sync"
	"syscall"
)

// Network is a set of listeners and a way to reach them. It is safe for
// concurrent use.
type Network struct {
	settings Settings

	mu        sync.Mutex
	listeners map[Addr]*listener
	free      int // the port last picked for a listener
	caller    int // the port of the last dial
}

// New returns an empty network with the default settings.
func New() *Network { return newNetwork(DefaultSettings()) }

// NewWith returns an empty network with settings s, or what CheckSettings finds
// wrong with them.
func NewWith(s Settings) (*Network, error) {
	if err := CheckSettings(s); err != nil {
		return nil, err
	}
	return newNetwork(s), nil
}

func newNetwork(s Settings) *Network {
	return &Network{settings: s, listeners: make(map[Addr]*listener), free: firstFree - 1, caller: firstCaller - 1}
}

// Ports that are picked, for listeners and for callers.
const (
	firstFree, lastFree     = 20000, 32767
	firstCaller, lastCaller = 32768, 65535
)

// after is the port that follows, counting from first to last and again.
func after(port, first, last int) int {
	if port >= last {
		return first
	}
	return port + 1
}

// Listen returns a listener on address, "host:port". network is "tcp"; "tcp4"
// and "tcp6" are taken for the same. Port 0 takes the next free one, counting
// from 20000 to 32767 and again. An address that is taken is an error that matches syscall.EADDRINUSE.
func (n *Network) Listen(network, address string) (net.Listener, error) {
	addr, err := parse(network, address)
	if err != nil {
		return nil, &net.OpError{Op: "listen", Net: network, Err: err}
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if addr.Port == 0 {
		addr.Port = n.freePort(addr.Host)
	}
	if n.listeners[addr] != nil {
		return nil, &net.OpError{Op: "listen", Net: network, Addr: addr.public(), Err: os.NewSyscallError("bind", syscall.EADDRINUSE)}
	}
	l := newListener(n, addr)
	n.listeners[addr] = l
	return l, nil
}

// freePort returns the next port of host nobody listens on. When all are taken
// it returns one that is. The caller holds n.mu.
func (n *Network) freePort(host string) int {
	for range lastFree - firstFree + 1 {
		n.free = after(n.free, firstFree, lastFree)
		if n.listeners[Addr{host, n.free}] == nil {
			break
		}
	}
	return n.free
}

// Dial is DialContext without a context.
func (n *Network) Dial(network, address string) (net.Conn, error) {
	return n.DialContext(context.Background(), network, address)
}

// DialContext connects to the listener on address; it fits
// http.Transport.DialContext. The connection is a *Conn, ready for use whether
// or not the listener has accepted it yet. While the listener's backlog is full
// DialContext waits, until ctx is done. Nobody listening is an error that
// matches syscall.ECONNREFUSED. Every error is a *net.OpError.
func (n *Network) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	addr, err := parse(network, address)
	if err != nil {
		return nil, &net.OpError{Op: "dial", Net: network, Err: err}
	}
	conn, err := n.dial(ctx, addr)
	if err != nil {
		return nil, &net.OpError{Op: "dial", Net: network, Addr: addr.public(), Err: err}
	}
	return conn, nil
}

func (n *Network) dial(ctx context.Context, addr Addr) (*Conn, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	n.mu.Lock()
	l := n.listeners[addr]
	if l == nil {
		n.mu.Unlock()
		return nil, errRefused()
	}
	// Nothing is looked up by the caller's port, so coming round to one that
	// is still in use does no harm.
	n.caller = after(n.caller, firstCaller, lastCaller)
	from := Addr{self, n.caller}
	n.mu.Unlock()

	client, server := newConns(from.public(), l.Addr(), n.settings.Buffer)
	if err := l.offer(ctx, server); err != nil {
		return nil, err
	}
	return client, nil
}

func errRefused() error { return os.NewSyscallError("connect", syscall.ECONNREFUSED) }

// forget frees the address of l.
func (n *Network) forget(l *listener) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.listeners, l.addr)
}
