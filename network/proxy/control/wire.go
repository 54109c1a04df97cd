package control

import (
	"encoding/json"

	"github.com/brunt-go/brunt/network/proxy"
	"github.com/brunt-go/brunt/network/toxic"
)

// Proxy is a proxy as the API shows it. Toxiproxy has the fields up to Toxics.
type Proxy struct {
	// Name is unique in its session.
	Name string `json:"name"`
	// Listen is the address it listens on, with the real port.
	Listen string `json:"listen"`
	// Upstream is the address connections are carried to.
	Upstream string `json:"upstream"`
	// Enabled says whether it was started and not stopped.
	Enabled bool `json:"enabled"`
	// Toxics are its toxics, upstream ones first, each direction in its order.
	Toxics []Toxic `json:"toxics"`
	// Session is whose it is. Empty for those of no session.
	Session string `json:"session,omitempty"`
	// Seed decides which connections a toxic hits.
	Seed uint64 `json:"seed"`
	// Lease is set if it is gone when nobody renews it.
	Lease *Lease `json:"lease,omitempty"`
}

// Toxic is a toxic as the API shows it. Toxiproxy has the fields up to Toxicity.
type Toxic struct {
	// Attributes are those of its type.
	Attributes json.RawMessage `json:"attributes"`
	// Name is unique in its proxy.
	Name string `json:"name"`
	// Type is what it does.
	Type string `json:"type"`
	// Stream is the direction it works on.
	Stream toxic.Stream `json:"stream"`
	// Toxicity is the share of the selected connections it hits.
	Toxicity float64 `json:"toxicity"`
	// Selection narrows the connections down.
	toxic.Selection

	// Hits is how many connections it has hit.
	Hits int64 `json:"hits"`
	// Lease is set if it is gone when nobody renews it.
	Lease *Lease `json:"lease,omitempty"`
}

// Event is something that happened, with its place in the order of all events.
type Event struct {
	// ID counts events from 1.
	ID uint64 `json:"id"`
	// Session is that of the proxy it is about.
	Session string `json:"session,omitempty"`

	proxy.Event
}

// What happens to the list of proxies, besides what happens to one of them.
const (
	// Created: there is another proxy. Deleted: there is one less.
	Created proxy.EventType = "created"
	Deleted proxy.EventType = "deleted"
	// LeaseExpired: a proxy, a toxic or a session was removed because nobody
	// renewed its lease.
	LeaseExpired proxy.EventType = "lease_expired"
	// Lost: events could not be kept until they were asked for.
	Lost proxy.EventType = "lost"
)

// toxics shows the toxics of a proxy: upstream ones, then downstream ones.
func (h *held) toxics() []Toxic {
	active := h.proxy.Toxics()
	all := make([]Toxic, 0, len(active))
	for _, stream := range []toxic.Stream{toxic.Upstream, toxic.Downstream} {
		for _, a := range active {
			if a.Spec.Stream == stream {
				all = append(all, h.show(a))
			}
		}
	}
	return all
}

func (h *held) show(a toxic.Active) Toxic {
	return Toxic{
		Attributes: attributesOf(a.Spec.Toxic),
		Name:       a.Spec.Name,
		Type:       a.Spec.Toxic.Kind(),
		Stream:     a.Spec.Stream,
		Toxicity:   a.Spec.Toxicity,
		Selection:  a.Spec.Select,
		Hits:       a.Hits,
		Lease:      h.leaseOf(a.Spec.Name),
	}
}

// view shows a proxy.
func (h *held) view() Proxy {
	return Proxy{
		Name:     h.name,
		Listen:   h.proxy.Addr(),
		Upstream: h.proxy.Upstream(),
		Enabled:  h.proxy.Enabled(),
		Toxics:   h.toxics(),
		Session:  h.session,
		Seed:     h.proxy.Seed(),
		Lease:    h.leaseOf(""),
	}
}
