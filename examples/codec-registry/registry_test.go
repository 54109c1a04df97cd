package main

import (
	"bytes"
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"go.opentelemetry.io/otel/baggage"

	"github.com/brunt-go/brunt/fault"
	"github.com/brunt-go/brunt/fit"
)

func Example() {
	main()
	// Output:
	// payments-down  waits 0s, aborts true
	// slow-morning   waits 250ms, aborts false
	// watch          waits 0s, aborts false
	// made-up        waits 0s, aborts false
}

func loaded(t *testing.T) *Registry {
	t.Helper()
	r := NewRegistry("acme.scenario")
	if err := r.Load(bytes.NewReader(scenarios)); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRegistry_roundTrip(t *testing.T) {
	t.Parallel()
	r := loaded(t)
	down := fit.Scenario{Rules: []fit.Rule{{Point: "http:payments:8443", Fault: fit.Fault{Abort: true}}}}
	ctx, err := fit.ContextWithScenario(t.Context(), r, down)
	if err != nil {
		t.Fatal(err)
	}
	b := baggage.FromContext(ctx)
	if b.String() != "acme.scenario=payments-down" {
		t.Errorf("the request carries %q, want the ID alone", b)
	}
	if s, ok, err := r.Decode(b); err != nil || !ok || len(s.Rules) != 1 || s.Rules[0] != down.Rules[0] {
		t.Errorf("Decode = %+v, %v, %v", s, ok, err)
	}
	if got := r.Strip(b); got.Len() != 0 {
		t.Errorf("Strip left %q", got)
	}
	if _, err := fit.ContextWithScenario(t.Context(), r, fit.Scenario{Rules: []fit.Rule{{Point: "*"}}}); err == nil {
		t.Error("a scenario that is not written down was encoded")
	}
}

// A request of an unknown ID is served, and an empty registry turns injection
// off.
func TestRegistry_unknown(t *testing.T) {
	t.Parallel()
	b, err := baggage.Parse("acme.scenario=payments-down")
	if err != nil {
		t.Fatal(err)
	}
	ctx := baggage.ContextWithBaggage(context.Background(), b)
	faults, err := fault.New(fault.Settings{Decoder: NewRegistry("acme.scenario"), MaxDelay: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	if got := faults.Eval(ctx, "http:payments:8443"); got != (fit.Fault{}) {
		t.Errorf("an empty registry injects %+v", got)
	}
	if !faults.Carries(ctx) {
		t.Error("a request with an unknown ID carries none, and would not be stripped")
	}
}

func TestRegistry_Load_refuses(t *testing.T) {
	t.Parallel()
	r := loaded(t)
	err := r.Load(strings.NewReader(`{"b": {"rules": [{"point": "a", "delay_ms": -1}]}, "a": {"rules": [{}]}, "c": {"rules": []}}`))
	want := "scenario \"a\": jsonscenario: rules[0].point: missing, must name a point\n" +
		"scenario \"b\": jsonscenario: rules[0].delay_ms: -1, must be a whole number of milliseconds, 0 to 9223372036854"
	if err == nil || err.Error() != want {
		t.Errorf("Load = %v, want %s", err, want)
	}
	if err := r.Load(strings.NewReader(`[]`)); err == nil {
		t.Error("Load took a list")
	}
	if _, ok, _ := r.Decode(mustParse(t, "acme.scenario=watch")); !ok {
		t.Error("a failed Load lost the scenarios there were")
	}
}

func mustParse(t *testing.T, header string) baggage.Baggage {
	t.Helper()
	b, err := baggage.Parse(header)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Loading while requests are served: the race detector is the judge.
func TestRegistry_reload(t *testing.T) {
	t.Parallel()
	r := loaded(t)
	b := mustParse(t, "acme.scenario=watch")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 100 {
				if _, ok, err := r.Decode(b); !ok || err != nil {
					t.Error("a request saw no scenario during a load")
				}
			}
		})
		wg.Go(func() {
			if err := r.Load(bytes.NewReader(scenarios)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}
