package proxy

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"sync"

	"github.com/brunt-go/brunt/network/toxic"
)

// ErrStopped is why connections end when their proxy is stopped.
var ErrStopped = errors.New("proxy stopped")

// ErrMoved is why connections end when their proxy gets another upstream.
var ErrMoved = errors.New("proxy has another upstream")

// ErrClosed is in the error of a call on a proxy that was closed.
var ErrClosed = errors.New("proxy closed")

// Proxy listens on one address and carries connections to another, through its
// toxics. It is safe for concurrent use.
type Proxy struct {
	settings Settings
	listen   ListenFunc
	dial     DialFunc // nil for tcp
	tcp      net.Dialer
	log      *slog.Logger
	onEvent  func(Event)
	toxics   *toxic.Set
	work     sync.WaitGroup // every goroutine
	arrivals chan arrival   // connections for dialers that wait
	retired  chan struct{}  // closed with closed
	refused  chan struct{}  // tells the mirror that the upstream refused a connection

	elsewhere bool // listens by a ListenFunc, whose addresses only it understands

	admission sync.Mutex // one connection enters at a time
	telling   sync.Mutex
	entering  net.Conn // by telling
	announced uint64   // by telling: the last connection that was told of

	change    sync.Mutex         // one change at a time
	closed    bool               // by change
	unmirror  context.CancelFunc // by change: ends the mirror, nil if there is none
	mirroring bool               // by change: the upstream refuses, and so do we

	mu       sync.Mutex
	given    string // the address to listen on as it was asked for
	address  string // as it is once it was listened on
	upstream string
	enabled  bool
	front    *front // what listens, nil while nothing does
	session  *session
	tally    tally
}

// session is the time from a start to a stop. Its end ends its connections.
type session struct {
	ctx  context.Context //nolint:containedctx // it is a context and its end
	stop context.CancelCauseFunc
}

func newSession() *session {
	ctx, stop := context.WithCancelCause(context.Background())
	return &session{ctx: ctx, stop: stop}
}

// New returns a Proxy that does not listen yet, or what CheckSettings finds wrong
// with s. Close must follow.
func New(s Settings, options ...Option) (*Proxy, error) {
	if err := CheckSettings(s); err != nil {
		return nil, err
	}
	p := &Proxy{
		settings: s,
		listen:   listenTCP,
		log:      slog.New(slog.DiscardHandler),
		arrivals: make(chan arrival),
		retired:  make(chan struct{}),
		// Not DialTCP: it binds a local port first, even of the zero AddrPort, and then no two
		// connections of the machine may share it, wherever they go.
		tcp:      net.Dialer{KeepAlive: -1},
		refused:  make(chan struct{}, 1),
		given:    s.Listen,
		address:  s.Listen,
		upstream: s.Upstream,
	}
	for _, o := range options {
		o.apply(p)
	}
	p.tally.init()
	set, err := toxic.NewSet(toxic.Settings{Name: s.Name, Seed: s.Seed, Buffer: s.Buffer}, toxic.WithHitFunc(p.hit))
	if err != nil {
		return nil, err
	}
	p.toxics = set
	return p, nil
}

// Name returns the proxy's name.
func (p *Proxy) Name() string { return p.settings.Name }

// Seed returns the seed that decides which connections are hit.
func (p *Proxy) Seed() uint64 { return p.settings.Seed }

// Addr returns the address the proxy listens on, or last did, with the real port;
// before the first start, the one that was asked for.
func (p *Proxy) Addr() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.address
}

// Given returns the address to listen on as it was asked for.
func (p *Proxy) Given() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.given
}

// Upstream returns the address connections are carried to.
func (p *Proxy) Upstream() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.upstream
}

// Enabled reports whether the proxy was started and not stopped.
func (p *Proxy) Enabled() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.enabled
}

// Start listens. A proxy that does already is left as it is. On an error nothing
// has changed.
func (p *Proxy) Start() error {
	yes := true
	return p.Change(Change{Enabled: &yes})
}

// start starts the proxy. It is called with change held.
func (p *Proxy) start(upstream string) error {
	var l net.Listener
	if !p.refuses() {
		var err error
		if l, err = p.open(p.Addr()); err != nil {
			return err
		}
	}
	p.mu.Lock()
	p.upstream = upstream
	p.mu.Unlock()
	p.begin(l)
	return nil
}

// begin begins a session that accepts from l, if it is not nil. It is called with
// change held.
func (p *Proxy) begin(l net.Listener) {
	p.mu.Lock()
	p.enabled = true
	p.session = newSession()
	p.mu.Unlock()
	if l != nil {
		p.expose(l)
	}
	p.mirror()
	p.tell(Event{Type: Started})
}

// Stop stops listening and closes every connection. It waits for none of them.
// Toxics stay. A proxy that is stopped is left as it is.
func (p *Proxy) Stop() {
	p.change.Lock()
	defer p.change.Unlock()
	p.stop()
}

// stop stops the proxy. It is called with change held.
func (p *Proxy) stop() {
	p.mu.Lock()
	s := p.session
	p.enabled, p.session = false, nil
	p.mu.Unlock()
	if s == nil {
		return
	}
	p.mirror()
	p.conceal()
	p.end(s, ErrStopped)
	p.tell(Event{Type: Stopped})
}

// Retire stops the proxy for good: nothing starts it again. Like Stop it waits for
// no connection, which Close does.
func (p *Proxy) Retire() {
	p.change.Lock()
	defer p.change.Unlock()
	if !p.closed {
		p.closed = true
		close(p.retired)
	}
	p.stop()
}

// Close stops the proxy for good and waits until its connections have ended.
func (p *Proxy) Close() {
	p.Retire()
	p.work.Wait()
}
