package control

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/brunt-go/brunt/network/proxy"
	"github.com/brunt-go/brunt/network/toxic"
)

// ToxicSpec is what is asked for of a toxic. The selection's fields stand beside
// the others in JSON.
type ToxicSpec struct {
	// Name is unique in its proxy. Default: its type and stream, such as
	// "latency_downstream".
	Name string `json:"name,omitempty"`
	// Type is what it does, such as "latency". Required.
	Type string `json:"type"`
	// Stream is the direction it works on, in any case. Default: downstream.
	Stream *string `json:"stream,omitempty"`
	// Toxicity is the share of the selected connections it hits, from 0 to 1.
	// Default: 1.
	Toxicity *float64 `json:"toxicity,omitempty"`
	// Attributes are those of its type, a JSON object.
	Attributes json.RawMessage `json:"attributes,omitempty"`
	// Selection narrows the connections down. Default: all.
	toxic.Selection

	// Lease, when set, is for how long it stays when nobody renews it.
	Lease Length `json:"lease,omitzero"`

	toxicShown
}

// toxicShown is what a toxic is shown with and can't be asked for. It is taken and
// ignored, so that what was shown can be sent back.
type toxicShown struct {
	Hits json.RawMessage `json:"hits,omitempty"`
}

// parse is the spec as the engine takes it.
func (t ToxicSpec) parse(strict bool) (toxic.Spec, error) {
	given := string(toxic.Downstream)
	if t.Stream != nil {
		given = *t.Stream
	}
	stream := toxic.Stream(strings.ToLower(given))
	if stream != toxic.Upstream && stream != toxic.Downstream {
		return toxic.Spec{}, errorf(http.StatusBadRequest, "stream was invalid, can be either upstream or downstream")
	}
	if t.Name == "" {
		t.Name = t.Type + "_" + given
	}
	if err := checkName("name", t.Name); err != nil {
		return toxic.Spec{}, badBody(err)
	}
	parse := toxic.ParseLax
	if strict {
		parse = toxic.Parse
	}
	it, err := parse(t.Type, t.Attributes)
	if errors.Is(err, toxic.ErrKind) {
		return toxic.Spec{}, errorf(http.StatusBadRequest, "invalid toxic type")
	}
	if err != nil {
		return toxic.Spec{}, badBody(err)
	}
	spec := toxic.NewSpec(t.Name, stream, it)
	spec.Select = t.Selection
	set(&spec.Toxicity, t.Toxicity)
	return checked(spec)
}

func checked(spec toxic.Spec) (toxic.Spec, error) {
	if err := cmp.Or(toxic.CheckSpec(spec), proxy.CheckToxic(spec)); err != nil {
		return toxic.Spec{}, badBody(err)
	}
	return spec, nil
}

// AddToxic puts a toxic behind those a proxy has. With strict, unknown attributes
// are an error.
func (s *Server) AddToxic(session, proxyName string, t ToxicSpec, strict bool) (Toxic, error) {
	h, err := s.find(session, proxyName)
	if err != nil {
		return Toxic{}, asError(err)
	}
	spec, err := t.parse(strict || s.settings.Strict)
	if err != nil {
		return Toxic{}, asError(err)
	}
	h.change.Lock()
	defer h.change.Unlock()
	if err := h.add(spec, t.Lease); err != nil {
		return Toxic{}, asError(err)
	}
	return h.toxic(spec.Name)
}

// add adds a toxic. It is called with change held.
func (h *held) add(spec toxic.Spec, length Length) error {
	if most := h.server.settings.MaxToxics; len(h.proxy.Toxics()) >= most {
		return errorf(http.StatusForbidden, "too many toxics: at most %d", most)
	}
	if err := h.proxy.Add(spec); err != nil {
		return err
	}
	if length > 0 {
		h.server.mu.Lock()
		defer h.server.mu.Unlock()
		if h.server.proxies[h.key] == h && h.moving == nil { // else it is being removed anyway
			h.server.lease(&lease{length: time.Duration(length), holder: h, session: h.session, toxic: spec.Name})
		}
	}
	return nil
}

// toxic shows a toxic.
func (h *held) toxic(name string) (Toxic, error) {
	a, err := h.proxy.Toxic(name)
	if err != nil {
		return Toxic{}, asError(err)
	}
	return h.show(a), nil
}

// ToxicChange is what to change about a toxic. What is nil stays.
type ToxicChange struct {
	// Toxicity is the share of the selected connections it hits.
	Toxicity *float64 `json:"toxicity,omitempty"`
	// Attributes are those to change, a JSON object.
	Attributes json.RawMessage `json:"attributes,omitempty"`
	// Connections, AfterBytes, Source and Count are of the selection.
	Connections *toxic.Ordinals `json:"connections,omitempty"`
	AfterBytes  *int64          `json:"after_bytes,omitempty"`
	Source      *netip.Prefix   `json:"source,omitempty"`
	Count       *int64          `json:"count,omitempty"`
}

// apply is the selection with what is to change.
func (c ToxicChange) apply(s toxic.Selection) toxic.Selection {
	set(&s.Connections, c.Connections)
	set(&s.AfterBytes, c.AfterBytes)
	set(&s.Source, c.Source)
	set(&s.Count, c.Count)
	return s
}

func set[T any](field, value *T) {
	if value != nil {
		*field = *value
	}
}

// ChangeToxic changes a toxic, all of it or, on an error, nothing.
func (s *Server) ChangeToxic(session, proxyName, name string, c ToxicChange, strict bool) (Toxic, error) {
	h, err := s.find(session, proxyName)
	if err != nil {
		return Toxic{}, asError(err)
	}
	h.change.Lock()
	defer h.change.Unlock()
	err = h.proxy.Update(name, func(spec toxic.Spec) (toxic.Spec, error) {
		merge := toxic.MergeLax
		if strict || s.settings.Strict {
			merge = toxic.Merge
		}
		var err error
		if spec.Toxic, err = merge(spec.Toxic, c.Attributes); err != nil {
			return spec, badBody(err)
		}
		set(&spec.Toxicity, c.Toxicity)
		spec.Select = c.apply(spec.Select)
		return checked(spec)
	})
	if err != nil {
		return Toxic{}, asError(err)
	}
	return h.toxic(name)
}

// RemoveToxic takes a toxic away.
func (s *Server) RemoveToxic(session, proxyName, name string) error {
	h, err := s.find(session, proxyName)
	if err != nil {
		return asError(err)
	}
	h.change.Lock()
	defer h.change.Unlock()
	if err := h.remove(name); err != nil {
		return asError(err)
	}
	return nil
}

// remove takes a toxic away. It is called with change held.
func (h *held) remove(name string) error {
	if err := h.proxy.Remove(name); err != nil {
		return err
	}
	h.server.mu.Lock()
	defer h.server.mu.Unlock()
	h.server.drop(h.leases[name])
	return nil
}

// Toxic returns a toxic by its name.
func (s *Server) Toxic(session, proxyName, name string) (Toxic, error) {
	h, err := s.find(session, proxyName)
	if err != nil {
		return Toxic{}, asError(err)
	}
	return h.toxic(name)
}

// Toxics returns a proxy's toxics: upstream ones first, each direction in its
// order.
func (s *Server) Toxics(session, proxyName string) ([]Toxic, error) {
	h, err := s.find(session, proxyName)
	if err != nil {
		return nil, asError(err)
	}
	return h.toxics(), nil
}

// reset takes every toxic away and starts the proxy.
func (h *held) reset() error {
	h.change.Lock()
	defer h.change.Unlock()
	if err := h.proxy.Reset(); err != nil {
		return err
	}
	h.server.mu.Lock()
	defer h.server.mu.Unlock()
	for name, l := range h.leases {
		if name != "" {
			h.server.drop(l)
		}
	}
	return nil
}
