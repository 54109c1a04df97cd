package brunttest

import (
	"time"

	"go.opentelemetry.io/otel/attribute"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// Span is a span that has ended.
type Span struct{ sdktrace.ReadOnlySpan }

// Duration returns how long it took.
func (s Span) Duration() time.Duration { return s.EndTime().Sub(s.StartTime()) }

// Attribute returns the value of an attribute as a string, or "" without it.
func (s Span) Attribute(key attribute.Key) string { return valueOf(s.Attributes(), key) }

// EventsNamed returns its events of that name, in order.
func (s Span) EventsNamed(name string) []Event {
	var all []Event
	for _, e := range s.Events() {
		if e.Name == name {
			all = append(all, Event(e))
		}
	}
	return all
}

// Event is an event of a span.
type Event sdktrace.Event

// Attribute returns the value of an attribute as a string, or "" without it.
func (e Event) Attribute(key attribute.Key) string { return valueOf(e.Attributes, key) }

// Spans returns the spans that have ended, in the order in which they did.
func (tel *Telemetry) Spans() []Span { return tel.spansThat(func(Span) bool { return true }) }

// SpansNamed returns the spans of that name that have ended, in order.
func (tel *Telemetry) SpansNamed(name string) []Span {
	return tel.spansThat(func(s Span) bool { return s.Name() == name })
}

// SpansOfKind returns the spans of that kind that have ended, in order.
func (tel *Telemetry) SpansOfKind(kind trace.SpanKind) []Span {
	return tel.spansThat(func(s Span) bool { return s.SpanKind() == kind })
}

// EventsNamed returns the events of that name on all spans that have ended, in order.
func (tel *Telemetry) EventsNamed(name string) []Event {
	var all []Event
	for _, s := range tel.Spans() {
		all = append(all, s.EventsNamed(name)...)
	}
	return all
}

func (tel *Telemetry) spansThat(match func(Span) bool) []Span {
	var all []Span
	for _, ended := range tel.spans.Ended() {
		if s := (Span{ended}); match(s) {
			all = append(all, s)
		}
	}
	return all
}

func valueOf(attributes []attribute.KeyValue, key attribute.Key) string {
	for _, kv := range attributes {
		if kv.Key == key {
			return kv.Value.String()
		}
	}
	return ""
}
