package telemetry

import (
	"context"
	"log/slog"
	"time"

	"go.opentelemetry.io/otel/attribute"
	sdklog "go.opentelemetry.io/otel/sdk/log"

	"github.com/brunt-go/brunt/internal/console"
)

// everything is below every level: what reaches an exporter is to be exported.
const everything = slog.Level(-1000)

// lines returns a handler that writes a line for each record, and below it what has
// several lines if people are to read it.
func (b *build) lines(e Exporter) slog.Handler {
	options := &slog.HandlerOptions{Level: everything}
	if e == ExporterJSON {
		return slog.NewJSONHandler(b.stdout, options)
	}
	return console.NewHandler(b.stdout, options)
}

// consoleLogs writes log records as slog's own handlers do, which people and what
// collects an App's output can read, and not in the far longer form of the SDK.
func (b *build) consoleLogs(e Exporter) sdklog.Exporter { return logLines{b.lines(e)} }

type logLines struct{ to slog.Handler }

var _ sdklog.Exporter = logLines{}

// Export implements sdklog.Exporter.
func (l logLines) Export(ctx context.Context, records []sdklog.Record) error {
	for i := range records {
		if err := l.to.Handle(ctx, line(&records[i])); err != nil {
			return err
		}
	}
	return nil
}

// Shutdown implements sdklog.Exporter.
func (logLines) Shutdown(context.Context) error { return nil }

// ForceFlush implements sdklog.Exporter.
func (logLines) ForceFlush(context.Context) error { return nil }

// line returns the record that a slog.Logger made, with its logger and its span.
func line(r *sdklog.Record) slog.Record {
	at := r.Timestamp()
	if at.IsZero() {
		at = r.ObservedTimestamp()
	}
	l := slog.NewRecord(at.UTC(), level(r), r.Body().String(), 0)
	l.AddAttrs(slog.String("logger", r.InstrumentationScope().Name))
	r.WalkAttributes(func(kv attribute.KeyValue) bool {
		l.AddAttrs(attr(kv))
		return true
	})
	if id := r.TraceID(); id.IsValid() {
		l.AddAttrs(slog.String("trace_id", id.String()))
	}
	if id := r.SpanID(); id.IsValid() {
		l.AddAttrs(slog.String("span_id", id.String()))
	}
	return l
}

// level undoes what the bridge from slog does: severity 9, INFO, is slog's 0.
func level(r *sdklog.Record) slog.Level { return slog.Level(r.Severity() - 9) }

// attr returns kv as slog has it.
func attr(kv attribute.KeyValue) slog.Attr {
	if kv.Value.Type() != attribute.MAP {
		return slog.Any(string(kv.Key), kv.Value.AsInterface())
	}
	var members []slog.Attr
	for _, member := range kv.Value.AsMap() {
		members = append(members, attr(member))
	}
	return slog.Attr{Key: string(kv.Key), Value: slog.GroupValue(members...)}
}

// write writes a line that is not a log record.
func write(ctx context.Context, to slog.Handler, at time.Time, what string, attrs ...slog.Attr) error {
	l := slog.NewRecord(at.UTC(), slog.LevelInfo, what, 0)
	l.AddAttrs(attrs...)
	return to.Handle(ctx, l)
}
