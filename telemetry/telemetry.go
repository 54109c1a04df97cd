package telemetry

import (
	"log/slog"

	"go.opentelemetry.io/contrib/bridges/otelslog"
	"go.opentelemetry.io/otel/log"
	lognoop "go.opentelemetry.io/otel/log/noop"
	"go.opentelemetry.io/otel/metric"
	metricnoop "go.opentelemetry.io/otel/metric/noop"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
	tracenoop "go.opentelemetry.io/otel/trace/noop"
)

// Telemetry is what a package needs to be observed. It is a value: copy it freely.
// All its methods and providers may be used concurrently.
type Telemetry struct {
	// TracerProvider makes the tracers.
	TracerProvider trace.TracerProvider
	// MeterProvider makes the meters.
	MeterProvider metric.MeterProvider
	// LoggerProvider makes the loggers. Most code wants Logger instead.
	LoggerProvider log.LoggerProvider
	// Propagator carries a request's trace context and baggage.
	Propagator propagation.TextMapPropagator
	// Level is the least level that Logger's loggers emit; nil means
	// slog.LevelInfo. A *slog.LevelVar changes it while the App runs.
	Level slog.Leveler
}

// Noop returns a Telemetry that records nothing. Its Propagator still carries W3C
// trace context and baggage, so what a request brings goes on with it.
func Noop() Telemetry {
	return Telemetry{
		TracerProvider: tracenoop.NewTracerProvider(),
		MeterProvider:  metricnoop.NewMeterProvider(),
		LoggerProvider: lognoop.NewLoggerProvider(),
		Propagator:     w3c(),
	}
}

// w3c is the propagator of New and Noop.
func w3c() propagation.TextMapPropagator {
	return propagation.NewCompositeTextMapPropagator(propagation.TraceContext{}, propagation.Baggage{})
}

// Logger returns a logger whose records go to the LoggerProvider under the scope
// name, such as "github.com/acme/orders". A record logged with a context, as
// slog.Logger.InfoContext does, carries the trace id and span id of the span in it.
// Records below Level are dropped before they are made. It is cheap, but meant to be
// called once for each package and not for each request.
func (t Telemetry) Logger(name string) *slog.Logger {
	if t.LoggerProvider == nil {
		return slog.New(slog.DiscardHandler)
	}
	level := t.Level
	if level == nil {
		level = slog.LevelInfo
	}
	return slog.New(leveled{otelslog.NewHandler(name, otelslog.WithLoggerProvider(t.LoggerProvider)), level})
}
