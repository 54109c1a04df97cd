package brunttest

import (
	"context"
	"fmt"
	"net"
	"slices"
	"sync"

	"github.com/brunt-go/brunt/network/memnet"
)

// network is what the Hosts of a test share. Bytes move over memnet; this knows who is
// called what, what is open, and which calls go through a link.
type network struct {
	wire *memnet.Network

	mu        sync.Mutex
	machines  map[string]bool
	listeners map[address]*listener
	waiting   map[address][]chan struct{} // for somebody who listens there
	conns     map[*conn]bool
	links     map[route]*Link
	taken     map[route]bool // by a connection, over a link or before there was one
	ended     bool           // the test has, and takes no more logs
	idle      []func()       // what closes idle connections of the test's own clients
}

func newNetwork() *network {
	return &network{
		wire:      memnet.New(),
		machines:  map[string]bool{},
		listeners: map[address]*listener{},
		waiting:   map[address][]chan struct{}{},
		conns:     map[*conn]bool{},
		links:     map[route]*Link{},
		taken:     map[route]bool{},
	}
}

// add makes name a machine.
func (n *network) add(name string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.machines[name] = true
}

func (n *network) listen(from, netw, text string) (net.Listener, error) {
	at, err := resolve(from, text)
	if err != nil {
		return nil, &net.OpError{Op: "listen", Net: netw, Err: err}
	}
	if from != "" {
		at.host = from
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	l, err := n.wire.Listen(netw, at.String())
	if err != nil {
		return nil, err
	}
	if _, at.port, err = net.SplitHostPort(l.Addr().String()); err != nil {
		return nil, err
	}
	kept := &listener{Listener: l, network: n, at: at}
	n.listeners[at] = kept
	for wanted, channels := range n.waiting {
		if _, found := n.find(wanted); found {
			for _, c := range channels {
				close(c)
			}
			delete(n.waiting, wanted)
		}
	}
	return kept, nil
}

// find returns the address that listens for who dials at. The caller holds n.mu.
func (n *network) find(at address) (address, bool) {
	if n.listeners[at] != nil {
		return at, true
	}
	anyName := address{"", at.port}
	if !n.machines[at.host] && n.listeners[anyName] != nil {
		return anyName, true
	}
	return at, false
}

func (n *network) dial(ctx context.Context, from, netw, text string) (net.Conn, error) {
	at, err := resolve(from, text)
	if err != nil {
		return nil, &net.OpError{Op: "dial", Net: netw, Err: err}
	}
	n.mu.Lock()
	to, _ := n.find(at)
	way := route{from, at.host}
	link := n.links[way]
	n.mu.Unlock()
	c, err := n.wire.DialContext(ctx, netw, to.String())
	if err != nil {
		return nil, n.explain(err)
	}
	end := c.(*memnet.Conn) // memnet has no other
	if link != nil {
		if end, err = link.join(end, to); err != nil {
			return nil, err
		}
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.taken[way] = true
	if link != nil {
		link.taken = true
	}
	kept := &conn{Conn: end, network: n, from: from, to: at}
	n.conns[kept] = true
	return kept, nil
}

// close closes what is still open and returns what that was, and which toxics were on
// links nobody took. What is about to be closed by somebody has a moment for it.
func (n *network) close() []string {
	n.mu.Lock()
	idle := n.idle
	n.ended = true
	n.mu.Unlock()
	for _, f := range idle {
		f()
	}
	settle(func() bool {
		n.mu.Lock()
		defer n.mu.Unlock()
		return len(n.listeners)+len(n.conns) == 0
	})
	var left []string
	n.mu.Lock()
	var open []interface{ Close() error }
	for at, l := range n.listeners {
		left = append(left, fmt.Sprintf("%v was still listened on when the test ended", at))
		open = append(open, l)
	}
	for c := range n.conns {
		left = append(left, fmt.Sprintf("a connection from %s to %v was still open when the test ended", nameOf(c.from), c.to))
		open = append(open, c)
	}
	links := n.links
	left = append(left, n.unused()...)
	n.mu.Unlock()
	for _, o := range open {
		_ = o.Close() // it may be closed by now
	}
	for _, l := range links {
		l.end()
	}
	slices.Sort(left)
	return left
}

func nameOf(machine string) string {
	if machine == "" {
		return testName
	}
	return machine
}

// listener is one that the network knows to be open.
type listener struct {
	net.Listener
	network *network
	at      address
}

// Close implements net.Listener.
func (l *listener) Close() error {
	l.network.mu.Lock()
	if l.network.listeners[l.at] == l {
		delete(l.network.listeners, l.at)
	}
	l.network.mu.Unlock()
	return l.Listener.Close()
}

// conn is the caller's end of a connection that the network knows to be open.
type conn struct {
	*memnet.Conn
	network *network
	from    string
	to      address
}

// Close implements net.Conn.
func (c *conn) Close() error {
	c.network.mu.Lock()
	delete(c.network.conns, c)
	c.network.mu.Unlock()
	return c.Conn.Close()
}
