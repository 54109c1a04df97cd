// Command codec-registry shows a codec of your own: requests carry the ID of a
// scenario, and the scenarios themselves stay with the service. Nothing a caller
// can write fails a request in a way you have not written down.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync/atomic"

	"go.opentelemetry.io/otel/baggage"

	"github.com/brunt-go/brunt/fault/jsonscenario"
	"github.com/brunt-go/brunt/fit"
)

// Registry is a codec that carries the ID of one of its scenarios. It is safe
// for concurrent use, and may be loaded anew while it serves.
//
// It is no fit.KeyedDecoder: what an ID means may change between two points of
// one request, and then the later point shall know.
type Registry struct {
	member    string
	scenarios atomic.Pointer[map[string]fit.Scenario]
}

var (
	_ fit.Decoder = (*Registry)(nil)
	_ fit.Encoder = (*Registry)(nil)
)

// NewRegistry returns an empty Registry whose IDs travel in the baggage member
// named so. It rejects every scenario, which turns injection off.
func NewRegistry(member string) *Registry {
	r := &Registry{member: member}
	r.scenarios.Store(&map[string]fit.Scenario{})
	return r
}

// Load replaces all scenarios by those in the JSON object read, from IDs to
// scenarios. When any is wrong it keeps the ones it has, and says which is.
func (r *Registry) Load(from io.Reader) error {
	var texts map[string]json.RawMessage
	if err := json.NewDecoder(from).Decode(&texts); err != nil {
		return fmt.Errorf("read registry: %w", err)
	}
	scenarios := make(map[string]fit.Scenario, len(texts))
	var problems []error
	for _, id := range slices.Sorted(maps.Keys(texts)) {
		s, err := jsonscenario.Parse(string(texts[id]))
		if err != nil {
			problems = append(problems, fmt.Errorf("scenario %q: %w", id, err))
		}
		scenarios[id] = s
	}
	if len(problems) > 0 {
		return errors.Join(problems...)
	}
	r.scenarios.Store(&scenarios)
	return nil
}

// Decode returns the scenario of the ID in b.
func (r *Registry) Decode(b baggage.Baggage) (fit.Scenario, bool, error) {
	m := b.Member(r.member)
	if m.Key() == "" {
		return fit.Scenario{}, false, nil
	}
	s, ok := (*r.scenarios.Load())[m.Value()]
	if !ok {
		return fit.Scenario{}, false, fmt.Errorf("unknown scenario %q", m.Value())
	}
	return s, true, nil
}

// Strip removes the ID from b.
func (r *Registry) Strip(b baggage.Baggage) baggage.Baggage { return b.DeleteMember(r.member) }

// Encode writes the ID of s into b. It fails when s is none of the registry's.
func (r *Registry) Encode(b baggage.Baggage, s fit.Scenario) (baggage.Baggage, error) {
	for id, known := range *r.scenarios.Load() {
		if slices.Equal(known.Rules, s.Rules) {
			m, err := baggage.NewMemberRaw(r.member, id)
			if err != nil {
				return b, fmt.Errorf("scenario %q: %w", id, err)
			}
			return b.SetMember(m)
		}
	}
	return b, errors.New("the registry doesn't hold this scenario")
}
