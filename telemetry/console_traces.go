package telemetry

import (
	"context"
	"log/slog"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/stdout/stdouttrace"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

// consoleTraces writes each span when it ends: a line for the span, one for each of
// its events.
func (b *build) consoleTraces(e Exporter) sdktrace.SpanExporter {
	if e == ExporterJSON {
		if exporter, err := stdouttrace.New(stdouttrace.WithWriter(b.stdout)); err == nil { // it has no other way to fail
			return exporter
		}
	}
	return spanLines{b.lines(e)}
}

type spanLines struct{ to slog.Handler }

var _ sdktrace.SpanExporter = spanLines{}

// ExportSpans implements sdktrace.SpanExporter.
func (l spanLines) ExportSpans(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	for _, s := range spans {
		if err := l.export(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

func (l spanLines) export(ctx context.Context, s sdktrace.ReadOnlySpan) error {
	ids := []slog.Attr{
		slog.String("trace_id", s.SpanContext().TraceID().String()),
		slog.String("span_id", s.SpanContext().SpanID().String()),
	}
	for _, e := range s.Events() {
		attrs := append([]slog.Attr{slog.String("name", e.Name)}, list(e.Attributes)...)
		if err := write(ctx, l.to, e.Time, "event", append(attrs, ids...)...); err != nil {
			return err
		}
	}
	attrs := []slog.Attr{
		slog.String("name", s.Name()),
		slog.String("kind", s.SpanKind().String()),
		slog.Duration("duration", s.EndTime().Sub(s.StartTime())),
	}
	if s.Status().Code != codes.Unset {
		attrs = append(attrs, slog.String("status", s.Status().Code.String()), slog.String("description", s.Status().Description))
	}
	attrs = append(attrs, list(s.Attributes())...)
	attrs = append(attrs, ids...)
	if s.Parent().SpanID().IsValid() {
		attrs = append(attrs, slog.String("parent_span_id", s.Parent().SpanID().String()))
	}
	return write(ctx, l.to, s.EndTime(), "span", attrs...)
}

// Shutdown implements sdktrace.SpanExporter.
func (spanLines) Shutdown(context.Context) error { return nil }

func list(kvs []attribute.KeyValue) []slog.Attr {
	attrs := make([]slog.Attr, len(kvs))
	for i, kv := range kvs {
		attrs[i] = attr(kv)
	}
	return attrs
}
