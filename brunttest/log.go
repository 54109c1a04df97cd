package brunttest

import (
	"log/slog"
	"slices"
	"time"

	"go.opentelemetry.io/otel/attribute"
	sdklog "go.opentelemetry.io/otel/sdk/log"
	"go.opentelemetry.io/otel/trace"
)

// Log is a log record.
type Log struct {
	Time    time.Time
	Level   slog.Level
	Message string
	// Logger is the name its logger was made with.
	Logger     string
	Attributes []attribute.KeyValue
	// TraceID and SpanID are those of the span it was logged in, or invalid.
	TraceID trace.TraceID
	SpanID  trace.SpanID
}

// Attribute returns the value of an attribute as a string, or "" without it.
func (l Log) Attribute(key attribute.Key) string { return valueOf(l.Attributes, key) }

func newLog(r *sdklog.Record) Log {
	l := Log{
		Time:    r.Timestamp(),
		Level:   slog.Level(r.Severity() - infoSeverity),
		Message: r.Body().String(),
		Logger:  r.InstrumentationScope().Name,
		TraceID: r.TraceID(),
		SpanID:  r.SpanID(),
	}
	r.WalkAttributes(func(kv attribute.KeyValue) bool {
		l.Attributes = append(l.Attributes, kv)
		return true
	})
	return l
}

// infoSeverity is OpenTelemetry's number for slog.LevelInfo, which is 0.
const infoSeverity = 9

// Logs returns the log records so far, in order.
func (tel *Telemetry) Logs() []Log {
	tel.mu.Lock()
	defer tel.mu.Unlock()
	return slices.Clone(tel.logs)
}

// LogsAt returns the log records of that level so far, in order.
func (tel *Telemetry) LogsAt(level slog.Level) []Log {
	return slices.DeleteFunc(tel.Logs(), func(l Log) bool { return l.Level != level })
}
