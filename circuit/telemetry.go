package circuit

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"

	"github.com/brunt-go/brunt/fit"
)

// The names of what the package emits.
const (
	scopeName = "github.com/brunt-go/brunt/circuit"

	stateKey    = attribute.Key("brunt.circuit.state")
	previousKey = attribute.Key("brunt.circuit.previous_state")
	outcomeKey  = attribute.Key("brunt.circuit.outcome")
	attemptKey  = attribute.Key("brunt.retry.attempt")
)

// transition is a change of state, and what was reported before it.
type transition struct {
	from, to State
	tally    tally
}

// transitions are those that have not been told. They come up under the machine's lock,
// and a log or an exporter that is slow must not hold that.
type transitions struct {
	some atomic.Bool // whether there are any: a call must not wait for others to find that out
	mu   sync.Mutex
	all  []transition
}

func (t *transitions) add(one transition) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.all = append(t.all, one)
	t.some.Store(true)
}

func (t *transitions) take() []transition {
	if !t.some.Load() {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	all := t.all
	t.all = nil
	t.some.Store(false)
	return all
}

// tell logs and counts the transitions there were. ctx is that of the call by which they
// came.
func (b *Breaker) tell(ctx context.Context) {
	for _, t := range b.passed.take() {
		b.counted.transitions.Add(ctx, 1, b.counted.transition[t.from][t.to]...)
		level, message := slog.LevelInfo, "circuit breaker closed"
		switch t.to {
		case Open:
			level, message = slog.LevelWarn, "circuit breaker open"
		case HalfOpen:
			message = "circuit breaker half open"
		case Closed:
		}
		b.log.LogAttrs(ctx, level, message, b.record(t)...) //nolint:sloglint // one of three
	}
}

func (b *Breaker) record(t transition) []slog.Attr {
	attrs := []slog.Attr{
		slog.String("brunt.circuit.name", b.name), //nolint:sloglint // OpenTelemetry's form of names
		slog.String(string(stateKey), string(t.to)),
		slog.String(string(previousKey), string(t.from)),
	}
	for _, n := range []struct {
		key   string
		value int
	}{
		{"brunt.circuit.successes", t.tally.successes},
		{"brunt.circuit.failures", t.tally.failures},
		{"brunt.circuit.consecutive_successes", t.tally.consecutiveSuccesses},
		{"brunt.circuit.consecutive_failures", t.tally.consecutiveFailures},
		{"brunt.circuit.timed_out", t.tally.timedOut},
	} {
		attrs = append(attrs, slog.Int(n.key, n.value))
	}
	for _, kv := range b.attributes {
		attrs = append(attrs, slog.Any(string(kv.Key), kv.Value.AsInterface()))
	}
	return attrs
}

// reportRejection tells the span of the call.
func reportRejection(ctx context.Context, s State) {
	if span := trace.SpanFromContext(ctx); span.IsRecording() {
		span.AddEvent("brunt.circuit.rejected", trace.WithAttributes(
			stateKey.String(string(s)), attemptKey.Int(fit.AttemptFromContext(ctx))))
	}
}

// instruments measure a Breaker. What is added with is made once, so that counting a
// call allocates nothing.
type instruments struct {
	calls       metric.Int64Counter
	transitions metric.Int64Counter
	outcome     map[Outcome][]metric.AddOption
	transition  map[State]map[State][]metric.AddOption
}

func newInstruments(b *Breaker) (instruments, error) {
	with := func(attributes ...attribute.KeyValue) metric.MeasurementOption {
		return metric.WithAttributeSet(attribute.NewSet(append(slices.Clone(b.attributes), attributes...)...))
	}
	i := instruments{outcome: map[Outcome][]metric.AddOption{}, transition: map[State]map[State][]metric.AddOption{}}
	for _, o := range outcomes {
		i.outcome[o] = []metric.AddOption{with(outcomeKey.String(string(o)))}
	}
	observed := map[State][]metric.ObserveOption{}
	for _, from := range states {
		observed[from] = []metric.ObserveOption{with(stateKey.String(string(from)))}
		i.transition[from] = map[State][]metric.AddOption{}
		for _, to := range states {
			i.transition[from][to] = []metric.AddOption{with(stateKey.String(string(to)), previousKey.String(string(from)))}
		}
	}
	meter := b.meters.Meter(scopeName)
	var err error
	if i.calls, err = meter.Int64Counter("brunt.circuit.calls", metric.WithUnit("{call}"),
		metric.WithDescription("Calls, by what they meant to the breaker.")); err != nil {
		return i, err
	}
	if i.transitions, err = meter.Int64Counter("brunt.circuit.transitions", metric.WithUnit("{transition}"),
		metric.WithDescription("Changes of a breaker's state.")); err != nil {
		return i, err
	}
	_, err = meter.Int64ObservableUpDownCounter("brunt.circuit.state", metric.WithUnit("{breaker}"),
		metric.WithDescription("Breakers in each state, as their last call left them."),
		metric.WithInt64Callback(func(_ context.Context, o metric.Int64Observer) error {
			for _, s := range states {
				var n int64
				if s == b.shown.Load() {
					n = 1
				}
				o.Observe(n, observed[s]...)
			}
			return nil
		}))
	return i, err
}

func (i instruments) count(ctx context.Context, o Outcome) { i.calls.Add(ctx, 1, i.outcome[o]...) }
