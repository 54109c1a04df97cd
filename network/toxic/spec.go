package toxic

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
)

// Stream is a direction of a connection.
type Stream string

// The directions.
const (
	// Upstream is from the client to the server.
	Upstream Stream = "upstream"
	// Downstream is from the server to the client.
	Downstream Stream = "downstream"
)

// Spec is a toxic in its place: which direction, which connections. It is data:
// once given to a Set it must not be changed.
type Spec struct {
	// Name is unique in a Set. Required.
	Name string
	// Stream is the direction it works on. Required.
	Stream Stream
	// Toxicity is the share of the selected connections it hits, from 0 to 1.
	Toxicity float64
	// Select narrows the connections down. Default: all.
	Select Selection
	// Toxic is what happens. Required.
	Toxic Toxic
}

// NewSpec returns a Spec that hits every connection.
func NewSpec(name string, stream Stream, t Toxic) Spec {
	return Spec{Name: name, Stream: stream, Toxicity: 1, Toxic: t}
}

// Selection says which connections a toxic is about. The zero Selection takes
// all of them.
type Selection struct {
	// Connections are ordinals of connections.
	Connections Ordinals `json:"connections,omitzero"`
	// AfterBytes lets so many bytes of the direction pass first. From 0 to
	// MaxBytes. Default: 0.
	AfterBytes int64 `json:"after_bytes,omitempty"`
	// Source is what the client's address must be in, such as 10.0.0.0/8.
	// Default: any.
	Source netip.Prefix `json:"source,omitzero"`
	// Count is how many connections it hits; then it is healed, and hits no
	// more. Must be >= 0. Default: 0, no limit.
	Count int64 `json:"count,omitempty"`
}

// Ordinals are the connections First, First+Every, First+2*Every and so on, up
// to Last. A Set counts its connections from 1.
type Ordinals struct {
	// First is the first. 0 means 1.
	First uint64 `json:"first,omitempty"`
	// Last is where they end. 0 means nowhere.
	Last uint64 `json:"last,omitempty"`
	// Every is the step. 0 means 1.
	Every uint64 `json:"every,omitempty"`
}

// CheckSpec reports everything that is wrong with s, one problem a line.
func CheckSpec(s Spec) error {
	var errs []error
	if s.Name == "" {
		errs = append(errs, errors.New("name: must not be empty"))
	}
	if s.Stream != Upstream && s.Stream != Downstream {
		errs = append(errs, fmt.Errorf("stream: %q, must be upstream or downstream", s.Stream))
	}
	if !(s.Toxicity >= 0 && s.Toxicity <= 1) { // so written that NaN fails
		errs = append(errs, fmt.Errorf("toxicity: %v, must be from 0 to 1", s.Toxicity))
	}
	if o := s.Select.Connections; o.Last != 0 && o.Last < o.First {
		errs = append(errs, fmt.Errorf("connections.last: %d, must be >= first, %d", o.Last, o.First))
	}
	if n := s.Select.AfterBytes; n < 0 || n > MaxBytes {
		errs = append(errs, fmt.Errorf("after_bytes: %d, must be from 0 to %d", n, int64(MaxBytes)))
	}
	if s.Select.Count < 0 {
		errs = append(errs, fmt.Errorf("count: %d, must be >= 0", s.Select.Count))
	}
	if s.Toxic == nil {
		errs = append(errs, errors.New("type: must not be empty"))
	} else {
		errs = append(errs, Check(s.Toxic))
	}
	return errors.Join(errs...)
}

// has reports whether n is one of them.
func (o Ordinals) has(n uint64) bool {
	first := max(o.First, 1)
	return n >= first && (o.Last == 0 || n <= o.Last) && (n-first)%max(o.Every, 1) == 0
}

// takes reports whether the selection is about a connection.
func (s Selection) takes(ordinal uint64, client net.Addr) bool {
	if !s.Connections.has(ordinal) {
		return false
	}
	if !s.Source.IsValid() {
		return true
	}
	if client == nil {
		return false
	}
	from, err := netip.ParseAddrPort(client.String())
	return err == nil && s.Source.Contains(from.Addr().Unmap().WithZone(""))
}
