package brunttest

import (
	"context"
	"net"
	"runtime/pprof"
	"sync"

	"github.com/brunt-go/brunt/network/memnet"
	"github.com/brunt-go/brunt/network/toxic"
)

// route is from a machine to another, by their names.
type route struct{ from, to string }

func (r route) String() string { return nameOf(r.from) + "→" + nameOf(r.to) }

// Link is all that one machine's programs send another's over connections they open,
// and what comes back on them. Toxics on it work at once, on open connections too, and
// exactly in fake time. Its methods fail the test when they are given a wrong toxic;
// call them from the test's own goroutine.
//
// A toxic on a link that no connection took broke nothing, as with a mistyped name, and
// fails the test when it ends; see AllowUnused.
type Link struct {
	host *Host
	set  *toxic.Set
	ctx  context.Context // it ends with the test
	stop context.CancelFunc
	work sync.WaitGroup

	// Of the network's mutex.
	taken   bool // by a connection
	allowed bool // to have toxics and not be taken
	names   []string
}

// Link returns the link on which programs on the machine from call those on the machine
// to. "test" is the test's own machine, a program on which is called by the name it was
// dialed by. The first call makes the link: connections that were opened before it stay
// as they are. In a toxic.Spec, toxic.Upstream is from from to to.
func (h *Host) Link(from, to string) *Link {
	h.t.Helper()
	r := route{from: machine(from), to: machine(to)}
	n := h.network
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.links[r] == nil {
		settings := toxic.DefaultSettings()
		settings.Name = nameOf(r.from) + "-" + nameOf(r.to)
		set, err := toxic.NewSet(settings)
		if err != nil {
			h.t.Fatalf("brunttest: %v", err)
		}
		ctx, stop := context.WithCancel(context.Background())
		n.links[r] = &Link{host: h, set: set, ctx: ctx, stop: stop}
	}
	return n.links[r]
}

// machine is the name that a test calls a machine by, as addresses have it.
func machine(name string) string {
	a, err := resolve("", net.JoinHostPort(name, "0"))
	if err != nil {
		return name
	}
	return a.host
}

// Add puts toxics behind those that are there.
func (l *Link) Add(specs ...toxic.Spec) {
	l.host.t.Helper()
	for _, s := range specs {
		l.must(l.set.Add(s))
		l.note(s.Name)
	}
}

// Update puts each of specs in the place of the toxic of its name.
func (l *Link) Update(specs ...toxic.Spec) {
	l.host.t.Helper()
	for _, s := range specs {
		l.must(l.set.Update(s))
	}
}

// Remove takes toxics away. What they hold back goes on.
func (l *Link) Remove(names ...string) {
	l.host.t.Helper()
	for _, name := range names {
		l.must(l.set.Remove(name))
	}
}

// Toxics returns the toxics in the order they were added, with their hits.
func (l *Link) Toxics() []toxic.Active { return l.set.Toxics() }

// Status returns what each open connection has carried so far, in the order they were
// opened.
func (l *Link) Status() []toxic.Status {
	var all []toxic.Status
	for _, open := range l.set.Links() {
		all = append(all, open.Status())
	}
	return all
}

func (l *Link) must(err error) {
	l.host.t.Helper()
	if err != nil {
		l.host.t.Fatalf("brunttest: %v", err)
	}
}

// join puts the link between a caller and the connection to whom it calls, and returns
// the caller's end.
func (l *Link) join(upstream *memnet.Conn, to address) (*memnet.Conn, error) {
	caller, front, err := pair(to)
	if err != nil {
		_ = upstream.Close() // the error that counts is err
		return nil, err
	}
	link := l.set.NewLink(front)
	l.work.Go(func() {
		pprof.SetGoroutineLabels(l.ctx) // the network is no part of the App that dials
		_ = link.Run(l.ctx, upstream)   // how it ended, both ends have seen
	})
	return caller, nil
}

// pair returns the two ends of a connection to an address. It is made on a network of its
// own, so that the caller sees the address it dialed and nobody else takes it.
func pair(to address) (caller, front *memnet.Conn, err error) {
	wire := memnet.New()
	listener, err := wire.Listen("tcp", to.String())
	if err != nil {
		return nil, nil, err
	}
	defer listener.Close()
	dialed, err := wire.Dial("tcp", to.String())
	if err != nil {
		return nil, nil, err
	}
	accepted, err := listener.Accept() // does not wait: it was dialed
	if err != nil {
		return nil, nil, err
	}
	return dialed.(*memnet.Conn), accepted.(*memnet.Conn), nil // memnet has no other
}

// end closes what is open on the link.
func (l *Link) end() {
	l.stop()
	l.work.Wait()
}
