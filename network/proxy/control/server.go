package control

import (
	"cmp"
	"log/slog"
	"maps"
	"slices"
	"sync"

	"github.com/brunt-go/brunt/network/proxy"
)

// Server keeps proxies. It is safe for concurrent use, and no call waits for a
// connection.
type Server struct {
	settings Settings
	options  []proxy.Option
	log      *slog.Logger
	events   *hub
	work     sync.WaitGroup // proxies that end, leases that expire

	mu      sync.Mutex
	proxies map[key]*held
	leases  map[string]*lease
	closed  bool
}

// key is what a proxy is found by.
type key struct{ session, name string }

// held is a proxy in the list.
type held struct {
	key

	server *Server
	proxy  *proxy.Proxy
	change sync.Mutex // one change of its toxics at a time; taken before Server.mu

	// By Server.mu:
	ready  bool              // it was made: before, only its name is taken
	moving chan struct{}     // closed when it is made or gone, nil in between
	leases map[string]*lease // by toxic, the proxy's own by ""
}

// seen reports whether it may be. It is called with Server.mu held.
func (h *held) seen() bool { return h.ready && h.moving == nil }

// NewServer returns a Server without proxies, or what CheckSettings finds wrong
// with s. Close must follow. The options are for every proxy.
func NewServer(s Settings, options ...Option) (*Server, error) {
	if err := CheckSettings(s); err != nil {
		return nil, err
	}
	server := &Server{
		settings: s,
		log:      slog.New(slog.DiscardHandler),
		events:   newHub(),
		proxies:  make(map[key]*held),
		leases:   make(map[string]*lease),
	}
	for _, o := range options {
		o.apply(server)
	}
	return server, nil
}

// Option gives a Server a collaborator. Of several of a kind the last one wins.
type Option interface{ apply(*Server) }

type optionFunc func(*Server)

func (f optionFunc) apply(s *Server) { f(s) }

// WithLogger makes a server and its proxies log to l. Default: nothing is logged.
func WithLogger(l *slog.Logger) Option {
	return optionFunc(func(s *Server) {
		s.log = l
		s.options = append(s.options, proxy.WithLogger(l))
	})
}

// WithListener makes the proxies listen by f. Default: TCP sockets.
func WithListener(f proxy.ListenFunc) Option {
	return optionFunc(func(s *Server) { s.options = append(s.options, proxy.WithListener(f)) })
}

// WithDialer makes the proxies dial by f. Default: TCP sockets.
func WithDialer(f proxy.DialFunc) Option {
	return optionFunc(func(s *Server) { s.options = append(s.options, proxy.WithDialer(f)) })
}

// Seed returns the seed of the server's proxies.
func (s *Server) Seed() uint64 { return s.settings.Proxy.Seed }

// Close closes every proxy and waits until their connections have ended.
func (s *Server) Close() {
	s.mu.Lock()
	s.closed = true
	var all []*held
	for _, h := range s.proxies {
		if h.ready { // one that is being made sees closed
			all = append(all, h)
		}
	}
	s.mu.Unlock()
	for _, h := range all {
		s.remove(h)
	}
	s.mu.Lock()
	for _, l := range s.leases { // of sessions
		l.timer.Stop()
	}
	clear(s.leases)
	s.mu.Unlock()
	s.work.Wait()
	s.events.close()
}

// find returns a proxy.
func (s *Server) find(session, name string) (*held, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.proxies[key{session, name}]
	if h == nil || !h.seen() {
		return nil, noProxy()
	}
	return h, nil
}

// of returns the proxies of a session by name.
func (s *Server) of(session string) []*held {
	return slices.DeleteFunc(s.all(), func(h *held) bool { return h.session != session })
}

// all returns every proxy, by session and name.
func (s *Server) all() []*held {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := slices.Collect(maps.Values(s.proxies))
	all = slices.DeleteFunc(all, func(h *held) bool { return !h.seen() })
	slices.SortFunc(all, func(a, b *held) int {
		return cmp.Or(cmp.Compare(a.session, b.session), cmp.Compare(a.name, b.name))
	})
	return all
}

// settled returns the proxy with a name, nil if there is none, with mu held. While
// one is being made or removed it waits, without mu.
func (s *Server) settled(k key) *held {
	s.mu.Lock()
	for {
		h := s.proxies[k]
		if h == nil || h.moving == nil {
			return h
		}
		moving := h.moving
		s.mu.Unlock()
		<-moving
		s.mu.Lock()
	}
}

// remove takes a proxy off the list and closes it, in the background as far as
// that may wait. It does nothing if it was removed before. Its name is free when
// its address is, so that whoever gets the one can have the other.
func (s *Server) remove(h *held) {
	if s.settled(h.key) != h {
		s.mu.Unlock()
		return
	}
	h.moving = make(chan struct{})
	for _, l := range h.leases {
		s.drop(l)
	}
	s.mu.Unlock()
	h.proxy.Retire()
	s.mu.Lock()
	delete(s.proxies, h.key)
	s.work.Go(h.proxy.Close)
	close(h.moving)
	s.mu.Unlock()
	s.events.publish(h.session, proxy.Event{Type: Deleted, Proxy: h.name})
}
