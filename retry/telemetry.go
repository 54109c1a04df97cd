package retry

import (
	"context"
	"slices"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"
)

// The names of what the package emits.
const (
	scopeName   = "github.com/brunt-go/brunt/retry"
	counterName = "brunt.retry.decisions"
	eventName   = "brunt.retry.decision"

	decisionKey = attribute.Key("brunt.retry.decision")
	attemptKey  = attribute.Key("brunt.retry.attempt")
	delayKey    = attribute.Key("brunt.retry.delay")
)

// instrument counts decisions. What is added with is made once, so that counting
// allocates nothing.
type instrument struct {
	counter metric.Int64Counter
	options map[Decision][]metric.AddOption
}

func newInstrument(meters metric.MeterProvider, attributes []attribute.KeyValue) (instrument, error) {
	counter, err := meters.Meter(scopeName).Int64Counter(counterName,
		metric.WithUnit("{decision}"), metric.WithDescription("Decisions whether a call is tried again, one after each attempt."))
	options := map[Decision][]metric.AddOption{}
	for _, d := range decisions {
		set := attribute.NewSet(append(slices.Clone(attributes), decisionKey.String(string(d)))...)
		options[d] = []metric.AddOption{metric.WithAttributeSet(set)}
	}
	return instrument{counter, options}, err
}

// record counts d and tells the span in ctx. A call that succeeds at once tells nothing:
// nothing was decided about it that could have been decided otherwise.
func (i instrument) record(ctx context.Context, attempt int, d Decision, wait time.Duration, failed error) {
	i.counter.Add(ctx, 1, i.options[d]...)
	if d == Stop && attempt == 1 && failed == nil {
		return
	}
	span := trace.SpanFromContext(ctx)
	if !span.IsRecording() {
		return
	}
	attributes := []attribute.KeyValue{decisionKey.String(string(d)), attemptKey.Int(attempt)}
	if d == Retry {
		attributes = append(attributes, delayKey.Float64(wait.Seconds()))
	}
	span.AddEvent(eventName, trace.WithAttributes(attributes...))
}
