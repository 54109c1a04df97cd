package control

import (
	"github.com/brunt-go/brunt/network/proxy"
)

// Stats are the counters of one proxy.
type Stats struct {
	// Proxy is its name, Session whose it is.
	Proxy   string `json:"proxy"`
	Session string `json:"session,omitempty"`
	// Listen and UpstreamAddress are its addresses.
	Listen          string `json:"listen"`
	UpstreamAddress string `json:"upstream_address"`

	proxy.Stats

	// Hits is how many connections each toxic has hit.
	Hits map[string]int64 `json:"hits"`
}

func (h *held) stats() Stats {
	s := Stats{
		Proxy:           h.name,
		Session:         h.session,
		Listen:          h.proxy.Addr(),
		UpstreamAddress: h.proxy.Upstream(),
		Stats:           h.proxy.Stats(),
		Hits:            make(map[string]int64),
	}
	for _, a := range h.proxy.Toxics() {
		s.Hits[a.Spec.Name] = a.Hits
	}
	return s
}

// Stats returns a proxy's counters as they are now.
func (s *Server) Stats(session, name string) (Stats, error) {
	h, err := s.find(session, name)
	if err != nil {
		return Stats{}, asError(err)
	}
	return h.stats(), nil
}

// AllStats returns the counters of every proxy of every session, by session and
// name.
func (s *Server) AllStats() []Stats {
	all := s.all()
	stats := make([]Stats, len(all))
	for i, h := range all {
		stats[i] = h.stats()
	}
	return stats
}

// Connections returns the connections of a proxy that are open, and of those that
// have ended the last 256, in the order they were opened.
func (s *Server) Connections(session, name string) ([]proxy.Connection, error) {
	h, err := s.find(session, name)
	if err != nil {
		return nil, asError(err)
	}
	return h.proxy.Connections(), nil
}
