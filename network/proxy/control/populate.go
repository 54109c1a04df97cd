package control

import (
	"errors"
	"net/http"
	"reflect"
	"slices"

	"github.com/brunt-go/brunt/network/proxy"
	"github.com/brunt-go/brunt/network/toxic"
)

// Populate makes every proxy of a list as it says there: those that are missing are
// made, others changed. It may be called again and again: what is so already is
// left alone, with its connections. Toxics are made so too if there are any in the
// list; a proxy whose addresses change and whose toxics are not said loses them. A
// lease that is asked for renews the one there is.
//
// A list that can't be carried out, whatever happens, is an error before anything
// is done. After that, the first error ends it; the proxies before it are returned
// with the error.
func (s *Server) Populate(session string, specs []ProxySpec, strict bool) ([]Proxy, error) {
	toxics, err := s.checkList(specs, strict || s.settings.Strict)
	if err != nil {
		return nil, err
	}
	var done []Proxy
	for i, spec := range specs {
		h, err := s.make(session, spec, toxics[i])
		for errors.Is(err, errTaken) || errors.Is(err, proxy.ErrClosed) { // made or removed in that moment
			h, err = s.make(session, spec, toxics[i])
		}
		if err != nil {
			return done, asError(err)
		}
		done = append(done, h.view())
	}
	return done, nil
}

// checkList reports the first thing wrong with a list, or returns the toxics of
// each proxy.
func (s *Server) checkList(specs []ProxySpec, strict bool) ([][]toxic.Spec, error) {
	toxics := make([][]toxic.Spec, len(specs))
	for i, spec := range specs {
		err := checkProxy(spec)
		for j, t := range spec.Toxics {
			if err != nil {
				break
			}
			var parsed toxic.Spec
			if parsed, err = t.parse(strict); err != nil {
				err = errorf(asError(err).Status, "toxic %d: %s", j+1, err)
			} else if slices.ContainsFunc(toxics[i], func(o toxic.Spec) bool { return o.Name == parsed.Name }) {
				err = errorf(http.StatusConflict, "toxic %d: toxic already exists", j+1)
			}
			toxics[i] = append(toxics[i], parsed)
		}
		if err == nil && len(spec.Toxics) > s.settings.MaxToxics {
			err = errorf(http.StatusForbidden, "too many toxics: at most %d", s.settings.MaxToxics)
		}
		if err != nil {
			return nil, errorf(asError(err).Status, "%s at proxy %d", err, i+1)
		}
	}
	return toxics, nil
}

// make makes a proxy as the spec says.
func (s *Server) make(session string, spec ProxySpec, toxics []toxic.Spec) (*held, error) {
	h := s.settled(key{session, spec.Name})
	s.mu.Unlock()
	if h == nil {
		return s.makeNew(session, spec, toxics)
	}
	h.extend("", spec.Lease)
	given, upstream := h.proxy.Given(), h.proxy.Upstream()
	if err := h.apply(spec); err != nil {
		return nil, err
	}
	// Not by Addr: that of a proxy that is started for the first time changes too.
	moved := h.proxy.Given() != given || h.proxy.Upstream() != upstream
	if spec.Toxics == nil && !moved {
		return h, nil
	}
	return h, h.replace(spec.Toxics, toxics)
}

// makeNew makes a proxy that has its toxics from the first connection on.
func (s *Server) makeNew(session string, spec ProxySpec, toxics []toxic.Spec) (*held, error) {
	enabled, no := spec.Enabled == nil || *spec.Enabled, false
	spec.Enabled = &no
	h, err := s.create(session, spec)
	if err != nil {
		return nil, err
	}
	err = h.replace(spec.Toxics, toxics)
	if err == nil && enabled {
		err = h.proxy.Start()
	}
	if err != nil {
		s.remove(h)
		return nil, err
	}
	s.logCreated(h)
	return h, nil
}

// replace makes the toxics of a proxy those of a list, in its order. What is there
// already is changed in its place, so that connections notice only what is
// different.
func (h *held) replace(asked []ToxicSpec, specs []toxic.Spec) error {
	h.change.Lock()
	defer h.change.Unlock()
	kept := 0
	before := h.proxy.Toxics()
	for i, a := range before {
		if i == kept && i < len(specs) && specs[i].Name == a.Spec.Name && specs[i].Stream == a.Spec.Stream {
			kept++
			continue
		}
		if err := h.remove(a.Spec.Name); err != nil {
			return err
		}
	}
	for i, s := range specs {
		var err error
		if i < kept {
			h.extend(s.Name, asked[i].Lease)
			if reflect.DeepEqual(before[i].Spec, s) {
				continue // a change begins what it counts anew, such as a burst
			}
			err = h.proxy.Update(s.Name, func(toxic.Spec) (toxic.Spec, error) { return s, nil })
		} else {
			err = h.add(s, asked[i].Lease)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
