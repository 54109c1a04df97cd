package circuit

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/sony/gobreaker/v2"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/metric/noop"
)

// Breaker is a circuit breaker that the calls of one dependency share. It is safe for
// concurrent use.
type Breaker struct {
	name    string
	openFor time.Duration
	machine *gobreaker.TwoStepCircuitBreaker[struct{}]
	tally   tally // of the machine's present state; under its lock
	passed  transitions
	shown   atomic.Value // State; what the instrument observes

	meters     metric.MeterProvider
	log        *slog.Logger
	attributes []attribute.KeyValue
	counted    instruments
}

// Option changes a Breaker that is being made.
type Option interface{ apply(*Breaker) }

type optionFunc func(*Breaker)

func (f optionFunc) apply(b *Breaker) { f(b) }

// WithMeterProvider sets where calls, transitions and the state are measured. It keeps
// the Breaker as long as it lives itself. Default: nowhere. Nil is ignored.
func WithMeterProvider(m metric.MeterProvider) Option {
	return optionFunc(func(b *Breaker) {
		if m != nil {
			b.meters = m
		}
	})
}

// WithLogger sets where transitions are logged. Default: nowhere. Nil is ignored.
func WithLogger(l *slog.Logger) Option {
	return optionFunc(func(b *Breaker) {
		if l != nil {
			b.log = l
		}
	})
}

// WithAttributes adds attributes that name the dependency to what is measured and
// logged, such as server.address. Default: none.
func WithAttributes(attributes ...attribute.KeyValue) Option {
	return optionFunc(func(b *Breaker) { b.attributes = append(b.attributes, attributes...) })
}

// New checks policy, reporting every bad field in one error that names each, and
// returns a closed Breaker. Errors and logs call it by name, which is that of the
// dependency, such as payments:8443.
func New(name string, policy Policy, opts ...Option) (*Breaker, error) {
	if err := CheckPolicy(policy); err != nil {
		return nil, fmt.Errorf("circuit policy of %s: %w", name, err)
	}
	b := &Breaker{name: name, openFor: policy.OpenFor, meters: noop.NewMeterProvider(), log: slog.New(slog.DiscardHandler)}
	for _, o := range opts {
		o.apply(b)
	}
	b.shown.Store(Closed)
	b.machine = gobreaker.NewTwoStepCircuitBreaker[struct{}](gobreaker.Settings{
		Name:        name,
		MaxRequests: uint32(policy.Probes), //nolint:gosec // checked
		// It is open until this time is over, so a nanosecond less is OpenFor exactly.
		Timeout:     max(policy.OpenFor-time.Nanosecond, time.Nanosecond),
		ReadyToTrip: func(c gobreaker.Counts) bool { return int(c.ConsecutiveFailures) >= policy.Failures },
		IsExcluded:  func(err error) bool { return errors.Is(err, errIgnored) },
		IsSuccessful: func(err error) bool {
			b.tally.add(err)
			return err == nil
		},
		OnStateChange: func(_ string, from, to gobreaker.State) {
			b.shown.Store(stateOf(to)) // here, where transitions are in order
			b.passed.add(transition{stateOf(from), stateOf(to), b.tally})
			b.tally = tally{}
		},
	})
	var err error
	b.counted, err = newInstruments(b)
	return b, err
}

// Name returns the Breaker's name.
func (b *Breaker) Name() string { return b.name }

// State returns what the Breaker would do with a call now.
func (b *Breaker) State() State {
	s := stateOf(b.machine.State())
	b.tell(context.Background())
	return s
}

// Allow asks for a call to be let through. Its error is a [*RejectedError]. Otherwise
// the Permit's Done has to be called, whatever becomes of the call. ctx is the call's;
// a rejection is an event on its span.
func (b *Breaker) Allow(ctx context.Context) (Permit, error) {
	done, err := b.machine.Allow()
	b.tell(ctx)
	if err == nil {
		return Permit{b, done}, nil
	}
	state := Open
	if errors.Is(err, gobreaker.ErrTooManyRequests) {
		state = HalfOpen
	}
	b.counted.count(ctx, Rejected)
	reportRejection(ctx, state)
	return Permit{}, &RejectedError{Name: b.name, State: state, OpenFor: b.openFor}
}

// Do makes the call f, unless the Breaker rejects it. outcome says what f's result
// means; nil is Success for no error, and Failure for any. A call that panics is
// Ignored.
func (b *Breaker) Do(ctx context.Context, f func(context.Context) error, outcome func(error) Outcome) error {
	permit, err := b.Allow(ctx)
	if err != nil {
		return err
	}
	result := Ignored
	defer func() { permit.Done(ctx, result, err) }()
	err = f(ctx)
	switch {
	case outcome != nil:
		result = outcome(err)
	case err == nil:
		result = Success
	default:
		result = Failure
	}
	return err
}
