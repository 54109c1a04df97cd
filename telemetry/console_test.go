package telemetry

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"
)

// story records a little of everything, at 2000-01-01.
func story(t *testing.T, tel Telemetry) {
	t.Helper()
	meter := tel.MeterProvider.Meter("shop/orders")
	stock, err := meter.Int64Gauge("stock", metric.WithUnit("{item}"))
	if err != nil {
		t.Fatal(err)
	}
	took, err := meter.Float64Histogram("took", metric.WithUnit("s"))
	if err != nil {
		t.Fatal(err)
	}
	stock.Record(t.Context(), 7, metric.WithAttributes(attribute.String("shelf", "a b")))
	took.Record(t.Context(), 0.5)
	took.Record(t.Context(), 1)

	ctx, span := tel.TracerProvider.Tracer("shop/orders").Start(t.Context(), "charge", trace.WithSpanKind(trace.SpanKindClient))
	_, child := tel.TracerProvider.Tracer("shop/orders").Start(ctx, "look up")
	time.Sleep(20 * time.Millisecond)
	child.End()
	span.AddEvent("retry", trace.WithAttributes(attribute.Int("attempt", 2)))
	span.SetStatus(codes.Error, "no money")
	span.SetAttributes(attribute.String("server.address", "payments"))
	log := tel.Logger("shop/orders").With("tenant", "acme")
	log.WarnContext(ctx, "charge failed", "error", errors.New("no money"), "attempt", 2)
	log.WithGroup("http").Info("served", "status", 200)
	log.Debug("never seen")
	span.End()
}

// What each exporter writes, to the letter but for the random ids.
func TestNew_console(t *testing.T) {
	t.Parallel()
	rows := []struct {
		to   Exporter
		want []string // parts of lines, in order
	}{
		{ExporterConsole, []string{
			`time=2000-01-01T00:00:00.020Z level=INFO msg=span name="look up" kind=internal duration=20ms trace_id=`,
			`time=2000-01-01T00:00:00.020Z level=WARN msg="charge failed" logger=shop/orders tenant=acme attempt=2 exception.message="no money" exception.type=*errors.errorString trace_id=`,
			`time=2000-01-01T00:00:00.020Z level=INFO msg=served logger=shop/orders tenant=acme http.status=200` + "\n",
			`time=2000-01-01T00:00:00.020Z level=INFO msg=event name=retry attempt=2 trace_id=`,
			`time=2000-01-01T00:00:00.020Z level=INFO msg=span name=charge kind=client duration=20ms status=Error description="no money" server.address=payments trace_id=`,
			`time=2000-01-01T00:00:00.020Z level=INFO msg=metric name=stock unit={item} value=7 shelf="a b"`,
			`time=2000-01-01T00:00:00.020Z level=INFO msg=metric name=took unit=s count=2 sum=1.5`,
		}},
		{ExporterJSON, []string{
			`{"Name":"look up","SpanContext":{"TraceID":"`,
			`{"time":"2000-01-01T00:00:00.02Z","level":"WARN","msg":"charge failed","logger":"shop/orders","tenant":"acme","attempt":2,`,
			`{"time":"2000-01-01T00:00:00.02Z","level":"INFO","msg":"served","logger":"shop/orders","tenant":"acme","http":{"status":200}}` + "\n",
			`{"Name":"charge","SpanContext":{"TraceID":"`,
			`"ScopeMetrics":[{"Scope":{"Name":"shop/orders"`,
		}},
	}
	for _, row := range rows {
		t.Run(string(row.to), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				settings := DefaultSettings()
				settings.Traces, settings.Metrics, settings.Logs = []Exporter{row.to}, []Exporter{row.to}, []Exporter{row.to}
				var out lockedBuilder
				sdk, err := New(t.Context(), settings, Surroundings{Stdout: &out})
				if err != nil {
					t.Fatal(err)
				}
				story(t, sdk.Telemetry)
				if err := sdk.Shutdown(t.Context()); err != nil {
					t.Fatal(err)
				}
				rest := out.String()
				for _, want := range row.want {
					_, after, found := strings.Cut(rest, want)
					if !found {
						t.Fatalf("no %s\nin what is left of\n%s", want, out.String())
					}
					rest = after
				}
				if strings.Contains(out.String(), "never seen") {
					t.Errorf("a debug record was written:\n%s", out.String())
				}
			})
		})
	}
}

// A record says in which span it was logged.
func TestNew_logsHaveTheirSpan(t *testing.T) {
	t.Parallel()
	var out lockedBuilder
	sdk, err := New(t.Context(), DefaultSettings(), Surroundings{Stdout: &out})
	if err != nil {
		t.Fatal(err)
	}
	ctx, span := sdk.TracerProvider.Tracer("test").Start(t.Context(), "work")
	sdk.Logger("test").InfoContext(ctx, "hello")
	span.End()
	want := "msg=hello logger=test trace_id=" + span.SpanContext().TraceID().String() + " span_id=" + span.SpanContext().SpanID().String() + "\n"
	if !strings.HasSuffix(out.String(), want) {
		t.Errorf("logged %s, want …%s", out.String(), want)
	}
	if err := sdk.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
}
