package retry

import (
	"context"
	"fmt"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/metric/noop"
)

// Policy decides about the calls of one dependency, which share its Budget. It is safe
// for concurrent use.
type Policy struct {
	settings   Settings
	budget     *Budget
	meters     metric.MeterProvider
	attributes []attribute.KeyValue
	decisions  instrument
}

// Option changes a Policy that is being made.
type Option interface{ apply(*Policy) }

type optionFunc func(*Policy)

func (f optionFunc) apply(p *Policy) { f(p) }

// WithBudget has the Policy use b, which others may use too, instead of one of its own.
// Nil is ignored.
func WithBudget(b *Budget) Option {
	return optionFunc(func(p *Policy) {
		if b != nil {
			p.budget = b
		}
	})
}

// WithMeterProvider sets where decisions are counted. Default: nowhere. Nil is ignored.
func WithMeterProvider(m metric.MeterProvider) Option {
	return optionFunc(func(p *Policy) {
		if m != nil {
			p.meters = m
		}
	})
}

// WithAttributes adds attributes that name the dependency to what is counted, such as
// server.address. Default: none.
func WithAttributes(attributes ...attribute.KeyValue) Option {
	return optionFunc(func(p *Policy) { p.attributes = append(p.attributes, attributes...) })
}

// New checks settings, reporting every bad field in one error that names each, and
// returns the Policy.
func New(settings Settings, opts ...Option) (*Policy, error) {
	if err := CheckSettings(settings); err != nil {
		return nil, fmt.Errorf("retry settings: %w", err)
	}
	p := &Policy{settings: settings, meters: noop.NewMeterProvider()}
	for _, o := range opts {
		o.apply(p)
	}
	var err error
	if p.budget == nil {
		if p.budget, err = NewBudget(settings.Budget); err != nil {
			return nil, err
		}
	}
	p.decisions, err = newInstrument(p.meters, p.attributes)
	return p, err
}

// Budget returns the Policy's.
func (p *Policy) Budget() *Budget { return p.budget }

// Do calls f until its result stands, and returns the last one. classify, which gets
// the result, says Retry or Stop of each error; it is not asked about nil, nor once ctx
// is done. f's context tells points of package fit which attempt it is.
func (p *Policy) Do(ctx context.Context, f func(context.Context) error, classify func(error) Decision) error {
	for call := p.Begin(); ; {
		err := f(call.Context(ctx))
		wish := Stop
		if err != nil && ctx.Err() != nil {
			wish = Retry // the Policy knows that it is over
		} else if err != nil {
			wish = classify(err)
		}
		if call.Next(ctx, Result{Wish: wish, Err: err}) != Retry {
			return err
		}
	}
}
