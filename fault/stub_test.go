package fault_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/baggage"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/brunt-go/brunt/fault"
	"github.com/brunt-go/brunt/fit"
)

const point = "postgresql:orders"

// R48: any Decoder will do. This one finds a scenario by the name that a member
// carries.
type decoder map[string]fit.Scenario

var errUnknown = errors.New("unknown scenario")

func (d decoder) Decode(b baggage.Baggage) (fit.Scenario, bool, error) {
	m := b.Member("acme.scenario")
	if m.Key() == "" {
		return fit.Scenario{}, false, nil
	}
	s, ok := d[m.Value()]
	if !ok {
		return fit.Scenario{}, false, errUnknown
	}
	return s, true, nil
}

func (decoder) Strip(b baggage.Baggage) baggage.Baggage { return b.DeleteMember("acme.scenario") }

func (decoder) Keys() []string { return []string{"acme.scenario"} }

// injecting returns an Injector whose requests all meet f at every point, and
// the context of such a request.
func injecting(t *testing.T, f fit.Fault) (fault.Injector, context.Context) {
	t.Helper()
	return scenario(t, fit.Scenario{Rules: []fit.Rule{{Point: "*", Fault: f}}})
}

func scenario(t *testing.T, s fit.Scenario) (fault.Injector, context.Context) {
	t.Helper()
	settings := fault.DefaultSettings()
	settings.Decoder = decoder{"it": s}
	in, err := fault.New(settings)
	if err != nil {
		t.Fatal(err)
	}
	return in, carrying(t, t.Context(), "it")
}

// carrying returns ctx with the scenario's name and a tenant in its baggage.
func carrying(t *testing.T, ctx context.Context, name string) context.Context { //nolint:revive // t first, as helpers have it
	t.Helper()
	b, err := baggage.Parse("tenant=acme,acme.scenario=" + name)
	if err != nil {
		t.Fatal(err)
	}
	return baggage.ContextWithBaggage(ctx, b)
}

// recorded runs f in a span and returns the span's events.
func recorded(t *testing.T, ctx context.Context, f func(context.Context)) []sdktrace.Event { //nolint:revive // t first, as helpers have it
	t.Helper()
	recorder := tracetest.NewSpanRecorder()
	provider := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(recorder))
	ctx, span := provider.Tracer("test").Start(ctx, "attempt")
	f(ctx)
	span.End()
	return recorder.Ended()[0].Events()
}

// attributes are an event's, by key.
func attributes(e sdktrace.Event) map[attribute.Key]any {
	all := map[attribute.Key]any{}
	for _, kv := range e.Attributes {
		all[kv.Key] = kv.Value.AsInterface()
	}
	return all
}

const second = time.Second
