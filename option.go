package brunt

import (
	"context"
	"time"

	"github.com/brunt-go/brunt/fault"
	"github.com/brunt-go/brunt/telemetry"
)

// Option changes one field of an App. Of several that change the same, the last counts.
// A nil Option changes nothing.
type Option interface{ apply(*App) }

type optionFunc func(*App)

func (f optionFunc) apply(a *App) { f(a) }

// WithFaults sets App.Faults, which turns failure injection on. Nil turns it off.
func WithFaults(f func(ctx context.Context, s *Setup) (fault.Settings, error)) Option {
	return optionFunc(func(a *App) { a.Faults = f })
}

// WithHost sets App.Host.
func WithHost(h Host) Option { return optionFunc(func(a *App) { a.Host = h }) }

// WithTelemetry sets App.Telemetry.
func WithTelemetry(b telemetry.Builder) Option { return optionFunc(func(a *App) { a.Telemetry = b }) }

// WithShutdownGracePeriod sets App.ShutdownGracePeriod.
func WithShutdownGracePeriod(d time.Duration) Option {
	return optionFunc(func(a *App) { a.ShutdownGracePeriod = d })
}

// WithDrain sets App.Drain.
func WithDrain(d time.Duration) Option { return optionFunc(func(a *App) { a.Drain = d }) }
