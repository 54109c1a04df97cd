package circuit_test

import (
	"context"
	"log/slog"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"go.opentelemetry.io/otel/attribute"

	"github.com/brunt-go/brunt/brunttest"
	"github.com/brunt-go/brunt/circuit"
	"github.com/brunt-go/brunt/fit"
	"github.com/brunt-go/brunt/telemetry"
)

// What a breaker emits in a life of opening, probing and closing. D5.
func TestBreaker_telemetry(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tel := brunttest.NewTelemetry()
		sdk, err := tel.Builder()(t.Context(), telemetry.Surroundings{})
		if err != nil {
			t.Fatal(err)
		}
		peer := attribute.String("server.address", "payments")
		b := newBreaker(t, circuit.DefaultPolicy(), circuit.WithMeterProvider(sdk.MeterProvider),
			circuit.WithLogger(sdk.Logger("test")), circuit.WithAttributes(peer))
		ctx, span := sdk.TracerProvider.Tracer("test").Start(t.Context(), "call")
		state := func(want circuit.State) {
			t.Helper()
			for _, s := range []circuit.State{circuit.Closed, circuit.Open, circuit.HalfOpen} {
				n := 0.0
				if s == want {
					n = 1
				}
				if got := tel.Sum("brunt.circuit.state", peer, attribute.String("brunt.circuit.state", string(s))); got != n {
					t.Errorf("brunt.circuit.state %s is %v, want %v", s, got, n)
				}
			}
		}
		state(circuit.Closed)
		_ = report(ctx, b, circuit.Success)
		_ = report(ctx, b, circuit.Ignored)
		for i := range 5 {
			permit, err := b.Allow(ctx)
			if err != nil {
				t.Fatal(err)
			}
			failed := errDown
			if i == 2 {
				failed = context.DeadlineExceeded
			}
			permit.Done(ctx, circuit.Failure, failed)
		}
		state(circuit.Open)
		_ = report(fit.ContextWithAttempt(ctx, 2), b, circuit.Success) // rejected
		time.Sleep(5 * time.Second)
		permit, err := b.Allow(ctx)
		if err != nil {
			t.Fatal(err)
		}
		state(circuit.HalfOpen)
		permit.Done(ctx, circuit.Success, nil)
		state(circuit.Closed)
		span.End()

		for outcome, want := range map[string]float64{"success": 2, "failure": 5, "ignored": 1, "rejected": 1} {
			if n := tel.Sum("brunt.circuit.calls", peer, attribute.String("brunt.circuit.outcome", outcome)); n != want {
				t.Errorf("%v calls %s, want %v", n, outcome, want)
			}
		}
		for _, step := range [][2]string{{"closed", "open"}, {"open", "half_open"}, {"half_open", "closed"}} {
			if n := tel.Sum("brunt.circuit.transitions", peer, attribute.String("brunt.circuit.previous_state", step[0]), attribute.String("brunt.circuit.state", step[1])); n != 1 {
				t.Errorf("%v transitions from %s to %s, want 1", n, step[0], step[1])
			}
		}
		events := tel.EventsNamed("brunt.circuit.rejected")
		if len(events) != 1 || events[0].Attribute("brunt.retry.attempt") != "2" || events[0].Attribute("brunt.circuit.state") != "open" {
			t.Errorf("rejections %+v", events)
		}
		wantLogs(t, tel, span.SpanContext().TraceID().String())
	})
}

func wantLogs(t *testing.T, tel *brunttest.Telemetry, traceID string) {
	t.Helper()
	var got []string
	for _, l := range tel.Logs() {
		line := l.Level.String() + " " + l.Message
		for _, key := range []attribute.Key{"successes", "failures", "consecutive_successes", "consecutive_failures", "timed_out"} {
			line += " " + l.Attribute("brunt.circuit."+key)
		}
		got = append(got, line)
		if l.TraceID.String() != traceID || l.Attribute("server.address") != "payments" || l.Attribute("brunt.circuit.name") != "payments:8443" {
			t.Errorf("record %+v", l)
		}
	}
	want := []string{
		"WARN circuit breaker open 1 5 0 5 1",
		"INFO circuit breaker half open 0 0 0 0 0",
		"INFO circuit breaker closed 1 0 1 0 0",
	}
	if !slices.Equal(got, want) {
		t.Errorf("logs\n%q, want\n%q", got, want)
	}
}

// A logger that asks the breaker, or takes its time, holds nothing up.
func TestBreaker_slowLogger(t *testing.T) {
	t.Parallel()
	var b *circuit.Breaker
	asked := make(chan circuit.State, 1)
	logger := slog.New(handlerFunc(func() { asked <- b.State() }))
	b = newBreaker(t, circuit.Policy{Failures: 1, OpenFor: time.Hour, Probes: 1}, circuit.WithLogger(logger))
	_ = report(t.Context(), b, circuit.Failure)
	if got := <-asked; got != circuit.Open {
		t.Errorf("the logger sees %s, want open", got)
	}
}

type handlerFunc func()

func (handlerFunc) Enabled(context.Context, slog.Level) bool    { return true }
func (f handlerFunc) Handle(context.Context, slog.Record) error { f(); return nil }
func (f handlerFunc) WithAttrs([]slog.Attr) slog.Handler        { return f }
func (f handlerFunc) WithGroup(string) slog.Handler             { return f }
