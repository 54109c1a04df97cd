package fit_test

import (
	"context"
	"errors"
	"testing"

	"go.opentelemetry.io/otel/baggage"
	"go.opentelemetry.io/otel/trace"

	"github.com/brunt-go/brunt/fit"
)

// key is the member the codecs of these tests read.
const key = "test.scenario"

// registry is a Decoder that knows scenarios by name.
type registry map[string]fit.Scenario

var errUnknown = errors.New("unknown scenario")

func (r registry) Decode(b baggage.Baggage) (fit.Scenario, bool, error) {
	m := b.Member(key)
	if m.Key() == "" {
		return fit.Scenario{}, false, nil
	}
	s, ok := r[m.Value()]
	if !ok {
		return fit.Scenario{}, false, errUnknown
	}
	return s, true, nil
}

func (registry) Strip(b baggage.Baggage) baggage.Baggage { return b.DeleteMember(key) }

// keyed is a registry that counts how often it decodes, and says what it reads.
type keyed struct {
	registry
	decodes *int
}

func (k keyed) Keys() []string { return []string{key} }

func (k keyed) Decode(b baggage.Baggage) (fit.Scenario, bool, error) {
	*k.decodes++
	return k.registry.Decode(b)
}

// with returns ctx with the members key, value, key, value, ... in its baggage.
func with(t testing.TB, ctx context.Context, members ...string) context.Context { //nolint:revive // t first, as helpers have it
	t.Helper()
	b := baggage.FromContext(ctx)
	for i := 0; i < len(members); i += 2 {
		m, err := baggage.NewMemberRaw(members[i], members[i+1])
		if err != nil {
			t.Fatal(err)
		}
		if b, err = b.SetMember(m); err != nil {
			t.Fatal(err)
		}
	}
	return baggage.ContextWithBaggage(ctx, b)
}

// traced returns a context in the trace that n identifies.
func traced(n int) context.Context {
	id := trace.TraceID{15: byte(n), 14: byte(n >> 8), 0: 0x4b}
	sc := trace.NewSpanContext(trace.SpanContextConfig{TraceID: id, SpanID: trace.SpanID{1}})
	return trace.ContextWithSpanContext(context.Background(), sc)
}
