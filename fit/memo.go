package fit

import (
	"context"

	"go.opentelemetry.io/otel/baggage"
)

type memoKey struct{}

// memo is a request's scenario, decoded once. It never changes, so points read
// it without a lock.
type memo struct {
	evaluator *evaluator
	members   []member // of the evaluator's keys, from which the rest follows
	scenario  Scenario
	ok        bool
	err       error
}

// member is a member as a KeyedDecoder may see it. An absent one has no key.
type member struct{ key, value string }

func read(b baggage.Baggage, key string) member {
	m := b.Member(key)
	return member{m.Key(), m.Value()}
}

// Remember returns ctx with the request's scenario decoded, so that the points
// the request passes need not decode it again. A server calls it once it has
// decided to trust a request. Every evaluation has the same result as without:
// once the scenario in ctx's baggage is another, or gone, what was remembered no
// longer counts. It does nothing when ctx carries no scenario, and for a Decoder
// that is no [KeyedDecoder].
func (e Evaluator) Remember(ctx context.Context) context.Context {
	if e.evaluator == nil || len(e.keys) == 0 {
		return ctx
	}
	b := baggage.FromContext(ctx)
	if !e.present(b) {
		return ctx
	}
	m := &memo{evaluator: e.evaluator, members: make([]member, len(e.keys))}
	for i, key := range e.keys {
		m.members[i] = read(b, key)
	}
	m.scenario, m.ok, m.err = e.decoder.Decode(b)
	return context.WithValue(ctx, memoKey{}, m)
}

// of reports whether m is what e's Decoder makes of b, whose first member of
// e's keys, at place at, is found: reading a member is most of what an
// evaluation costs.
func (m *memo) of(e *evaluator, b baggage.Baggage, at int, found member) bool {
	if m.evaluator != e {
		return false
	}
	for i, key := range e.keys {
		var now member
		switch {
		case i == at:
			now = found
		case i > at:
			now = read(b, key)
		}
		if now != m.members[i] {
			return false
		}
	}
	return true
}
