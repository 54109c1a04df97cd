package telemetry

import (
	"context"
	"log/slog"
	"testing"

	"go.opentelemetry.io/otel/log"
	"go.opentelemetry.io/otel/log/logtest"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

func TestNoop_recordsNothing(t *testing.T) {
	t.Parallel()
	noop := Noop()
	ctx, span := noop.TracerProvider.Tracer("test").Start(t.Context(), "work")
	defer span.End()
	if span.IsRecording() || trace.SpanContextFromContext(ctx).IsValid() {
		t.Errorf("a span of Noop records, as %v", span.SpanContext())
	}
	if noop.Logger("test").Enabled(ctx, slog.LevelError) {
		t.Error("a logger of Noop is enabled")
	}
}

func TestNoop_propagates(t *testing.T) {
	t.Parallel()
	in := propagation.MapCarrier{
		"traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
		"baggage":     "tenant=acme",
	}
	p := Noop().Propagator
	out := propagation.MapCarrier{}
	p.Inject(p.Extract(t.Context(), in), out)
	for key, want := range in {
		if out[key] != want {
			t.Errorf("%s = %q, want %q", key, out[key], want)
		}
	}
}

func TestNoopBuilder(t *testing.T) {
	t.Parallel()
	sdk, err := NoopBuilder(t.Context(), Surroundings{})
	if err != nil {
		t.Fatal(err)
	}
	if err := sdk.Shutdown(t.Context()); err != nil {
		t.Errorf("Shutdown() = %v", err)
	}
}

func TestTelemetry_Logger(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name  string
		level slog.Leveler
		want  []string
	}{
		{"default", nil, []string{"info", "warn", "error"}},
		{"debug", slog.LevelDebug, []string{"debug", "info", "warn", "error"}},
		{"error", slog.LevelError, []string{"error"}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			recorder := logtest.NewRecorder()
			logger := Telemetry{LoggerProvider: recorder, Level: row.level}.Logger("test").With("a", 1).WithGroup("g")
			logger.Debug("debug")
			logger.Info("info")
			logger.Warn("warn")
			logger.Error("error")
			var got []string
			for _, records := range recorder.Result() {
				for _, r := range records {
					got = append(got, r.Body.AsString())
				}
			}
			if len(got) != len(row.want) {
				t.Errorf("logged %q, want %q", got, row.want)
			}
		})
	}
}

// The level may change under a logger that is in use.
func TestTelemetry_Logger_levelVar(t *testing.T) {
	t.Parallel()
	var level slog.LevelVar
	logger := Telemetry{LoggerProvider: logtest.NewRecorder(), Level: &level}.Logger("test")
	before := logger.Enabled(t.Context(), slog.LevelDebug)
	level.Set(slog.LevelDebug)
	if after := logger.Enabled(t.Context(), slog.LevelDebug); before || !after {
		t.Errorf("debug is enabled: %v, after the change %v", before, after)
	}
}

// A record belongs to the span its context has.
func TestTelemetry_Logger_span(t *testing.T) {
	t.Parallel()
	recorder := logtest.NewRecorder()
	want := trace.NewSpanContext(trace.SpanContextConfig{TraceID: trace.TraceID{1}, SpanID: trace.SpanID{2}})
	ctx := trace.ContextWithSpanContext(t.Context(), want)
	Telemetry{LoggerProvider: recorder}.Logger("test").InfoContext(ctx, "hello")
	for _, records := range recorder.Result() {
		for _, r := range records {
			if got := trace.SpanContextFromContext(r.Context); !got.Equal(want) {
				t.Errorf("the record's span is %v, want %v", got, want)
			}
		}
	}
}

// A Telemetry somebody forgot to fill in logs nothing, and not to a global.
func TestTelemetry_Logger_zero(t *testing.T) {
	t.Parallel()
	var provider log.LoggerProvider
	if (Telemetry{LoggerProvider: provider}).Logger("test").Enabled(context.Background(), slog.LevelError) {
		t.Error("a logger without a provider is enabled")
	}
}
