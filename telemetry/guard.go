package telemetry

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	sdklog "go.opentelemetry.io/otel/sdk/log"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

// guard watches over the exports of one signal. It ends them with Shutdown's time,
// which the SDK's processors don't, and says on stderr what the SDK would tell
// OpenTelemetry's global error handler.
type guard struct {
	until func(context.Context) (context.Context, context.CancelFunc)
	tell  func(error)
}

func (b *build) guard(signal, endpoint string) guard {
	return guard{b.until, b.reporter.of(signal, endpoint)}
}

// export runs one export. Its error is reported here, so there is none to return.
func (g guard) export(ctx context.Context, export func(context.Context) error) {
	ctx, cancel := g.until(ctx)
	defer cancel()
	g.tell(export(ctx))
}

type guardedTraces struct {
	sdktrace.SpanExporter
	guard
}

// ExportSpans implements sdktrace.SpanExporter.
func (e guardedTraces) ExportSpans(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	e.export(ctx, func(ctx context.Context) error { return e.SpanExporter.ExportSpans(ctx, spans) })
	return nil
}

type guardedMetrics struct {
	sdkmetric.Exporter
	guard
}

// Export implements sdkmetric.Exporter.
func (e guardedMetrics) Export(ctx context.Context, metrics *metricdata.ResourceMetrics) error {
	e.export(ctx, func(ctx context.Context) error { return e.Exporter.Export(ctx, metrics) })
	return nil
}

type guardedLogs struct {
	sdklog.Exporter
	guard
}

// Export implements sdklog.Exporter.
func (e guardedLogs) Export(ctx context.Context, records []sdklog.Record) error {
	e.export(ctx, func(ctx context.Context) error { return e.Exporter.Export(ctx, records) })
	return nil
}

// reporter says when a signal can no longer be sent, and when it can again.
type reporter struct{ out io.Writer }

// of returns a func that is called with the outcome of each export.
func (r *reporter) of(signal, endpoint string) func(error) {
	var mu sync.Mutex
	failing := false
	return func(err error) {
		mu.Lock()
		defer mu.Unlock()
		switch {
		case err != nil && !failing && !errors.Is(err, context.Canceled):
			fmt.Fprintf(r.out, "telemetry: %s cannot be sent to %s, and what waits is dropped: %v\n", signal, endpoint, err)
		case err == nil && failing:
			fmt.Fprintf(r.out, "telemetry: %s are sent to %s again\n", signal, endpoint)
		}
		failing = err != nil
	}
}
