package control

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/brunt-go/brunt/network/proxy"
)

// ProxySpec is what is asked for of a proxy.
type ProxySpec struct {
	// Name is unique in its session. Required.
	Name string `json:"name"`
	// Listen is the address to listen on. Default: any free port of all
	// addresses of the machine.
	Listen string `json:"listen,omitempty"`
	// Upstream is the address connections are carried to. Required.
	Upstream string `json:"upstream"`
	// Enabled says whether it is started. Default: true.
	Enabled *bool `json:"enabled,omitempty"`
	// Toxics are its toxics, in order. Only Populate and files take them.
	// Default, nil: those it has.
	Toxics []ToxicSpec `json:"toxics,omitempty"`
	// Seed decides which connections are hit. Default: the server's.
	Seed *uint64 `json:"seed,omitempty"`
	// Lease, when set, is for how long it stays when nobody renews it.
	Lease Length `json:"lease,omitzero"`

	proxyShown
}

// proxyShown is what a proxy is shown with and can't be asked for. It is taken and
// ignored, so that what was shown can be sent back.
type proxyShown struct {
	Session json.RawMessage `json:"session,omitempty"`
}

// anywhere is where a proxy listens that was told nothing, as Toxiproxy does it.
const anywhere = ":0"

// Create makes a proxy and starts it. On an error there is none.
func (s *Server) Create(session string, spec ProxySpec) (Proxy, error) {
	h, err := s.create(session, spec)
	if err != nil {
		return Proxy{}, asError(err)
	}
	s.logCreated(h)
	return h.view(), nil
}

// logCreated logs h when it listens, if it is to: of port 0 the log says which it is.
func (s *Server) logCreated(h *held) {
	s.log.Info("proxy created", "proxy", h.name, "session", h.session, "listen", h.proxy.Addr(), "upstream", h.proxy.Upstream())
	s.warnOfUpstream(h.name, h.proxy.Upstream())
}

func (s *Server) create(session string, spec ProxySpec) (*held, error) {
	if err := checkProxy(spec); err != nil {
		return nil, err
	}
	if err := checkName("session", session); err != nil {
		return nil, errorf(http.StatusBadRequest, "%s", err)
	}
	h := &held{key: key{session, spec.Name}, server: s, moving: make(chan struct{}), leases: make(map[string]*lease)}
	if err := s.reserve(h); err != nil {
		return nil, err
	}
	// From here on nobody else can take the name, and nothing is locked: the
	// address may have to be looked up.
	p, err := s.build(h, spec)
	s.mu.Lock()
	close(h.moving)
	h.moving = nil
	if err == nil && s.closed {
		s.work.Go(p.Close)
		err = errorf(http.StatusServiceUnavailable, "the server is shutting down")
	}
	if err != nil {
		delete(s.proxies, h.key)
		s.mu.Unlock()
		return nil, err
	}
	h.proxy, h.ready = p, true
	if spec.Lease > 0 {
		s.lease(&lease{length: time.Duration(spec.Lease), holder: h, session: session})
	}
	s.mu.Unlock()
	s.events.publish(session, proxy.Event{Type: Created, Proxy: h.name})
	return h, nil
}

// reserve takes a name.
func (s *Server) reserve(h *held) error {
	other := s.settled(h.key)
	defer s.mu.Unlock()
	if other != nil {
		return errTaken
	}
	if len(s.proxies) >= s.settings.MaxProxies {
		return errorf(http.StatusForbidden, "too many proxies: at most %d", s.settings.MaxProxies)
	}
	s.proxies[h.key] = h
	return nil
}

// build makes a proxy and starts it, unless it is not to be.
func (s *Server) build(h *held, spec ProxySpec) (*proxy.Proxy, error) {
	settings := s.settings.Proxy
	settings.Name, settings.Listen, settings.Upstream = spec.Name, spec.Listen, spec.Upstream
	if settings.Listen == "" {
		settings.Listen = anywhere
	}
	if spec.Seed != nil {
		settings.Seed = *spec.Seed
	}
	tell := proxy.WithEventFunc(func(e proxy.Event) { s.events.publish(h.session, e) })
	p, err := proxy.New(settings, append([]proxy.Option{tell}, s.options...)...)
	if err != nil {
		return nil, err
	}
	if spec.Enabled == nil || *spec.Enabled {
		if err := p.Start(); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// checkProxy reports the first thing wrong with a spec, as Toxiproxy does.
func checkProxy(spec ProxySpec) error {
	switch {
	case spec.Name == "":
		return missing("name")
	case spec.Upstream == "":
		return missing("upstream")
	}
	if err := checkName("name", spec.Name); err != nil {
		return errorf(http.StatusBadRequest, "%s", err)
	}
	return nil
}

// longest is how long a name may be.
const longest = 256

// checkName reports why a name could not be used in a path, a metric or a page.
func checkName(what, name string) error {
	switch {
	case name == "." || name == ".." || name == "/":
		return fmt.Errorf("%s: %q, can't be asked for in a URL", what, name)
	case len(name) > longest:
		return fmt.Errorf("%s: %d bytes, must be at most %d", what, len(name), longest)
	case strings.ContainsFunc(name, unicode.IsControl):
		return fmt.Errorf("%s: %q, must have no control characters", what, name)
	case !utf8.ValidString(name):
		return fmt.Errorf("%s: %q, must be UTF-8", what, name)
	}
	return nil
}

// Change changes a proxy. What is empty in the spec stays, its name and toxics do
// in any case. On an error nothing has changed.
func (s *Server) Change(session, name string, spec ProxySpec) (Proxy, error) {
	h, err := s.find(session, name)
	if err == nil {
		err = h.apply(spec)
	}
	if err != nil {
		return Proxy{}, asError(err)
	}
	return h.view(), nil
}

// apply makes a proxy's addresses, and whether it listens, what a spec says.
func (h *held) apply(spec ProxySpec) error {
	before := h.proxy.Upstream()
	err := h.proxy.Change(proxy.Change{Listen: spec.Listen, Upstream: spec.Upstream, Enabled: spec.Enabled})
	if now := h.proxy.Upstream(); now != before {
		h.server.warnOfUpstream(h.name, now)
	}
	return err
}

// Delete removes a proxy: its listener is closed when Delete returns, its
// connections a moment later.
func (s *Server) Delete(session, name string) error {
	h, err := s.find(session, name)
	if err != nil {
		return asError(err)
	}
	s.remove(h)
	return nil
}

// Proxy returns a proxy by its name.
func (s *Server) Proxy(session, name string) (Proxy, error) {
	h, err := s.find(session, name)
	if err != nil {
		return Proxy{}, asError(err)
	}
	return h.view(), nil
}

// Proxies returns the proxies of a session by name.
func (s *Server) Proxies(session string) []Proxy {
	return views(s.of(session))
}

// All returns the proxies of every session, by session and name.
func (s *Server) All() []Proxy { return views(s.all()) }

func views(all []*held) []Proxy {
	proxies := make([]Proxy, len(all))
	for i, h := range all {
		proxies[i] = h.view()
	}
	return proxies
}

// Reset takes every toxic of a session's proxies away and starts them. It goes on
// after an error.
func (s *Server) Reset(session string) error {
	var first error
	for _, h := range s.of(session) {
		if err := h.reset(); err != nil && first == nil {
			first = asError(err)
		}
	}
	return first
}
