package brunttest_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/brunttest"
	"github.com/brunt-go/brunt/fault"
	"github.com/brunt-go/brunt/fault/jsonscenario"
	"github.com/brunt-go/brunt/fit"
)

func TestTelemetry(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tel := brunttest.NewTelemetry()
		_, status := brunttest.Start(t, func(ctx context.Context, s *brunt.Setup) ([]brunt.Service, error) {
			return nil, story(ctx, s)
		}, brunttest.WithApp(brunt.WithTelemetry(tel.Builder())))
		if s := <-status; s.Code() != brunt.ExitSuccess {
			t.Fatal(s)
		}
		spans := tel.SpansNamed("charge")
		if len(spans) != 1 || spans[0].Duration() != time.Second || spans[0].Attribute("server.address") != "payments" || spans[0].Attribute("none") != "" {
			t.Fatalf("spans: %v", spans)
		}
		if events := spans[0].EventsNamed("retry"); len(events) != 1 || events[0].Attribute("attempt") != "2" {
			t.Errorf("events: %v", events)
		}
		if n := len(tel.SpansOfKind(trace.SpanKindClient)); n != 1 {
			t.Errorf("%d client spans, want 1", n)
		}
		if all := tel.Spans(); len(all) != 2 || all[0].Name() != "look up" || all[1].Name() != "charge" {
			t.Errorf("spans: %v", all)
		}
		if n := len(tel.EventsNamed("retry")); n != 1 {
			t.Errorf("%d events, want 1", n)
		}
		logs := tel.LogsAt(slog.LevelWarn)
		if len(logs) != 1 {
			t.Fatalf("warnings: %+v", logs)
		}
		if l := logs[0]; l.Message != "charge failed" || l.Logger != "orders" || l.Attribute("tenant") != "acme" ||
			l.TraceID != spans[0].SpanContext().TraceID() || l.SpanID != spans[0].SpanContext().SpanID() || !l.Time.Equal(spans[0].EndTime()) {
			t.Errorf("logged %+v", l)
		}
		if n := len(tel.LogsAt(slog.LevelDebug)); n != 1 {
			t.Errorf("%d debug records, want 1", n)
		}
		eu := attribute.String("region", "eu")
		if sum, all := tel.Sum("orders", eu), tel.Sum("orders"); sum != 3 || all != 8 {
			t.Errorf("orders are %v of %v, want 3 of 8", sum, all)
		}
		if count, sum := tel.Count("took"), tel.Sum("took"); count != 2 || sum != 1.5 {
			t.Errorf("took has %v values, %v together", count, sum)
		}
		// The gauge is observed: it says what it said last before the App ended.
		if points := tel.Points("stock"); len(points) != 1 || points[0].Value != 7 || points[0].Unit != "{item}" {
			t.Errorf("stock is %+v", points)
		}
		if got := tel.Instruments(); !slices.Equal(got, []string{"orders", "stock", "took"}) {
			t.Errorf("instruments: %v", got)
		}
	})
}

// story is a little of everything.
func story(ctx context.Context, s *brunt.Setup) error {
	tracer, meter := s.Telemetry.TracerProvider.Tracer("orders"), s.Telemetry.MeterProvider.Meter("orders")
	ctx, span := tracer.Start(ctx, "charge", trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(attribute.String("server.address", "payments")))
	_, child := tracer.Start(ctx, "look up")
	child.End()
	time.Sleep(time.Second)
	span.AddEvent("retry", trace.WithAttributes(attribute.Int("attempt", 2)))
	log := s.Telemetry.Logger("orders").With("tenant", "acme")
	log.WarnContext(ctx, "charge failed")
	log.Debug("all of it")
	span.End()

	orders, err1 := meter.Int64Counter("orders")
	took, err2 := meter.Float64Histogram("took")
	_, err3 := meter.Int64ObservableGauge("stock", metric.WithUnit("{item}"), metric.WithInt64Callback(func(_ context.Context, o metric.Int64Observer) error {
		o.Observe(7)
		return nil
	}))
	orders.Add(ctx, 3, metric.WithAttributes(attribute.String("region", "eu"), attribute.Bool("new", true)))
	orders.Add(ctx, 5, metric.WithAttributes(attribute.String("region", "us")))
	took.Record(ctx, 0.5)
	took.Record(ctx, 1)
	return errors.Join(err1, err2, err3)
}

// A test reads what a fault left on a span. R180, R181, R195.
func TestTelemetry_faults(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		codec, err := jsonscenario.New("acme.fault")
		if err != nil {
			t.Fatal(err)
		}
		tel := brunttest.NewTelemetry()
		_, status := brunttest.Start(t, func(ctx context.Context, s *brunt.Setup) ([]brunt.Service, error) {
			ctx, err := fit.ContextWithScenario(ctx, codec, fit.Scenario{Rules: []fit.Rule{{Point: "postgresql:*", Fault: fit.Fault{Delay: 250 * time.Millisecond, Abort: true}}}})
			if err != nil {
				return nil, err
			}
			ctx, span := s.Telemetry.TracerProvider.Tracer("orders").Start(ctx, "query")
			defer span.End()
			s.Faults.Eval(ctx, "postgresql:orders")
			return nil, nil
		}, brunttest.WithApp(
			brunt.WithTelemetry(tel.Builder()),
			brunt.WithFaults(func(context.Context, *brunt.Setup) (fault.Settings, error) { // R194
				settings := fault.DefaultSettings()
				settings.Decoder = codec
				return settings, nil
			}),
		))
		if s := <-status; s.Code() != brunt.ExitSuccess {
			t.Fatal(s)
		}
		events := tel.EventsNamed("brunt.fit.evaluation")
		if len(events) != 1 {
			t.Fatalf("events: %v", events)
		}
		for key, want := range map[attribute.Key]string{
			"brunt.fit.point": "postgresql:orders", "brunt.fit.rule": "postgresql:*", "brunt.fit.delay": "0.25", "brunt.fit.abort": "true",
		} {
			if got := events[0].Attribute(key); got != want {
				t.Errorf("%s is %q, want %q", key, got, want)
			}
		}
	})
}

// An instrument that is observed keeps what it said when the App ended, whatever becomes
// of what it looks at.
func TestTelemetry_afterTheEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tel := brunttest.NewTelemetry()
		stock := int64(7)
		p, _ := brunttest.Start(t, func(ctx context.Context, s *brunt.Setup) ([]brunt.Service, error) {
			_, err := s.Telemetry.MeterProvider.Meter("orders").Int64ObservableGauge("stock", metric.WithInt64Callback(func(_ context.Context, o metric.Int64Observer) error {
				o.Observe(stock)
				return nil
			}))
			if err != nil {
				return nil, err
			}
			return newIdle(ctx, s)
		}, brunttest.WithApp(brunt.WithTelemetry(tel.Builder())))
		for _, want := range []int64{7, 5} {
			stock = want
			synctest.Wait()
			if got := tel.Sum("stock"); got != float64(want) {
				t.Errorf("stock is %v, want %d", got, want)
			}
		}
		p.Stop()
		stock = 0
		if got := tel.Sum("stock"); got != 5 {
			t.Errorf("after the end stock is %v, want 5", got)
		}
	})
}

// Two Apps share a record.
func TestTelemetry_shared(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tel := brunttest.NewTelemetry()
		for range 2 {
			_, status := brunttest.Start(t, func(ctx context.Context, s *brunt.Setup) ([]brunt.Service, error) {
				return nil, story(ctx, s)
			}, brunttest.WithApp(brunt.WithTelemetry(tel.Builder())))
			<-status
		}
		if sum, points := tel.Sum("orders"), tel.Points("orders", attribute.String("region", "eu")); sum != 16 || len(points) != 2 {
			t.Errorf("orders are %v in %v", sum, points)
		}
	})
}
