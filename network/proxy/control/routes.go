package control

import (
	"io"
	"net/http"
	"time"
)

// version is the whole answer of Toxiproxy 2.12 built from its source.
const version = `{"version": "git"}` + "\n"

func getVersion(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json;charset=utf-8")
	_, _ = io.WriteString(w, version) // fails when the client is gone
}

func (s *Server) getServer(*request) (any, error) { return s.Info(), nil }

// Info is what a Server says about itself.
type Info struct {
	// Seed is the seed of its proxies.
	Seed uint64 `json:"seed"`
	// Strict says that it refuses what Toxiproxy ignores.
	Strict bool `json:"strict"`
	// Proxies is how many there are, in every session.
	Proxies int `json:"proxies"`
}

// Info returns what the server says about itself.
func (s *Server) Info() Info {
	return Info{Seed: s.Seed(), Strict: s.settings.Strict, Proxies: len(s.all())}
}

func (s *Server) getProxies(r *request) (any, error) {
	proxies := make(map[string]Proxy)
	for _, p := range s.Proxies(r.session()) {
		proxies[p.Name] = p
	}
	return proxies, nil
}

func (s *Server) postProxy(r *request) (any, error) {
	spec, toxics, err := r.proxySpec()
	if err != nil {
		return nil, err
	}
	if r.strict && toxics {
		return nil, errorf(http.StatusBadRequest, "toxics: not taken here, use /populate or add them one by one")
	}
	return s.Create(r.session(), spec)
}

// proxySpec reads a proxy without its toxics, and whether there are any. Toxiproxy
// does not look at them: its clients send those they have seen, in their own form.
func (r *request) proxySpec() (spec ProxySpec, toxics bool, err error) {
	var in struct {
		ProxySpec

		Toxics any `json:"toxics"`
	}
	err = r.decode(&in, "Proxy")
	list, isList := in.Toxics.([]any)
	return in.ProxySpec, len(list) > 0 || in.Toxics != nil && !isList, err
}

func (s *Server) postPopulate(w http.ResponseWriter, from *http.Request) {
	r := s.request(w, from)
	var specs []ProxySpec
	var proxies []Proxy
	err := r.decode(&specs, "[]Proxy")
	if err == nil {
		proxies, err = s.Populate(r.session(), specs, r.strict)
	}
	if err != nil {
		e := asError(err)
		writeJSON(w, e.Status, struct {
			*Error

			Proxies []Proxy `json:"proxies"`
		}{e, proxies})
		return
	}
	writeJSON(w, http.StatusCreated, struct {
		Proxies []Proxy `json:"proxies"`
	}{proxies})
}

func (s *Server) postReset(r *request) (any, error) { return nil, s.Reset(r.session()) }

func (s *Server) getProxy(r *request) (any, error) { return s.Proxy(r.session(), r.proxy()) }

func (s *Server) patchProxy(r *request) (any, error) {
	if _, err := s.find(r.session(), r.proxy()); err != nil {
		return nil, err // before anything about the body
	}
	spec, _, err := r.proxySpec()
	if err != nil {
		return nil, err
	}
	return s.Change(r.session(), r.proxy(), spec)
}

func (s *Server) deleteProxy(r *request) (any, error) { return nil, s.Delete(r.session(), r.proxy()) }

func (s *Server) getToxics(r *request) (any, error) { return s.Toxics(r.session(), r.proxy()) }

func (s *Server) postToxic(r *request) (any, error) {
	if _, err := s.find(r.session(), r.proxy()); err != nil {
		return nil, err
	}
	var spec ToxicSpec
	if err := r.decode(&spec, "Toxic"); err != nil {
		return nil, err
	}
	return s.AddToxic(r.session(), r.proxy(), spec, r.strict)
}

func (s *Server) getToxic(r *request) (any, error) {
	return s.Toxic(r.session(), r.proxy(), r.toxic())
}

func (s *Server) patchToxic(r *request) (any, error) {
	if _, err := s.Toxic(r.session(), r.proxy(), r.toxic()); err != nil {
		return nil, err
	}
	var change struct {
		ToxicChange

		// Toxiproxy's clients send these too. They can't be changed.
		Name   any `json:"name"`
		Type   any `json:"type"`
		Stream any `json:"stream"`
	}
	if err := r.decode(&change, "Toxic"); err != nil {
		return nil, err
	}
	return s.ChangeToxic(r.session(), r.proxy(), r.toxic(), change.ToxicChange, r.strict)
}

func (s *Server) deleteToxic(r *request) (any, error) {
	return nil, s.RemoveToxic(r.session(), r.proxy(), r.toxic())
}

func (s *Server) getConnections(r *request) (any, error) {
	return s.Connections(r.session(), r.proxy())
}

func (s *Server) getStats(r *request) (any, error) { return s.Stats(r.session(), r.proxy()) }

func (s *Server) getAllStats(*request) (any, error) { return s.AllStats(), nil }

func (s *Server) postLease(r *request) (any, error) { return s.Renew(r.PathValue("lease")) }

func (s *Server) deleteLease(r *request) (any, error) {
	return nil, s.Release(r.PathValue("lease"))
}

func (s *Server) postSession(r *request) (any, error) {
	var in struct {
		Lease Length `json:"lease"`
	}
	if err := r.decode(&in, "Session"); err != nil {
		return nil, err
	}
	return s.LeaseSession(r.session(), time.Duration(in.Lease))
}

func (s *Server) deleteSession(r *request) (any, error) {
	s.EndSession(r.session())
	return nil, nil //nolint:nilnil // nothing to send
}
