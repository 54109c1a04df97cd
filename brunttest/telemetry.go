package brunttest

import (
	"context"
	"log/slog"
	"sync"

	sdklog "go.opentelemetry.io/otel/sdk/log"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/brunt-go/brunt/telemetry"
)

// Telemetry records what Apps emit, for a test to look at while they run and after they
// have ended. Every trace is recorded, and log records of every level. It has no
// goroutine. It may be used concurrently.
type Telemetry struct {
	spans *tracetest.SpanRecorder

	mu      sync.Mutex
	logs    []Log
	readers []*reader
}

// NewTelemetry returns an empty Telemetry.
func NewTelemetry() *Telemetry { return &Telemetry{spans: tracetest.NewSpanRecorder()} }

// Builder returns what builds an App's telemetry: brunt.WithTelemetry(tel.Builder()).
// Several Apps may be given it; what they emit is in one record then.
func (tel *Telemetry) Builder() telemetry.Builder {
	return func(context.Context, telemetry.Surroundings) (telemetry.SDK, error) {
		r := &reader{ManualReader: sdkmetric.NewManualReader()}
		tel.mu.Lock()
		tel.readers = append(tel.readers, r)
		tel.mu.Unlock()
		t := telemetry.Noop() // for its propagator
		t.Level = slog.Level(-100)
		t.TracerProvider = sdktrace.NewTracerProvider(
			sdktrace.WithSampler(sdktrace.AlwaysSample()), sdktrace.WithSpanProcessor(tel.spans))
		meters := sdkmetric.NewMeterProvider(sdkmetric.WithReader(r))
		t.MeterProvider = meters
		t.LoggerProvider = sdklog.NewLoggerProvider(sdklog.WithProcessor(logKeeper{tel}))
		return telemetry.SDK{Telemetry: t, Shutdown: r.keepLast}, nil
	}
}

// reader reads the metrics of one App, the last of which it keeps when the App ends: a
// gauge that is observed has nobody left to ask then.
type reader struct {
	*sdkmetric.ManualReader
	mu   sync.Mutex
	last *metricdata.ResourceMetrics
}

func (r *reader) keepLast(ctx context.Context) error {
	all, err := r.read(ctx)
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last = all
	return nil
}

func (r *reader) read(ctx context.Context) (*metricdata.ResourceMetrics, error) {
	r.mu.Lock()
	last := r.last
	r.mu.Unlock()
	if last != nil {
		return last, nil
	}
	all := new(metricdata.ResourceMetrics)
	return all, r.Collect(ctx, all)
}

// logKeeper keeps each log record as it comes.
type logKeeper struct{ tel *Telemetry }

var _ sdklog.Processor = logKeeper{}

// Enabled implements sdklog.Processor.
func (logKeeper) Enabled(context.Context, sdklog.EnabledParameters) bool { return true }

// OnEmit implements sdklog.Processor.
func (k logKeeper) OnEmit(_ context.Context, r *sdklog.Record) error {
	l := newLog(r)
	k.tel.mu.Lock()
	defer k.tel.mu.Unlock()
	k.tel.logs = append(k.tel.logs, l)
	return nil
}

// Shutdown implements sdklog.Processor.
func (logKeeper) Shutdown(context.Context) error { return nil }

// ForceFlush implements sdklog.Processor.
func (logKeeper) ForceFlush(context.Context) error { return nil }
