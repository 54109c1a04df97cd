package brunt

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/brunt-go/brunt/telemetry"
)

// Main runs the App that init and opts describe on the process, and ends the process
// with the App's status. It never returns. It panics when init is nil.
//
// It starts from these defaults, which opts change in their order:
//
//   - Host: [OSHost].
//   - Telemetry: [telemetry.New] with [telemetry.DefaultSettings].
//   - ShutdownGracePeriod: 20s.
//   - Drain: none.
//   - Faults: none.
//
// SIGINT and SIGTERM stop the App, a second one ends it at once. The environment
// variables BRUNT_SHUTDOWN_GRACE_PERIOD and BRUNT_SHUTDOWN_DRAIN_DELAY override the
// grace period and the drain delay, as for any App.
func Main(init func(ctx context.Context, s *Setup) ([]Service, error), opts ...Option) {
	app := NewApp(init, opts...)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	p := OSProcess()
	p.Signals = signals
	os.Exit(app.Run(context.Background(), p).Code())
}

// NewApp returns the App that [Main] would run. It panics when init is nil.
func NewApp(init func(ctx context.Context, s *Setup) ([]Service, error), opts ...Option) App {
	if init == nil {
		panic("brunt: init is nil")
	}
	a := App{
		Host:                OSHost(),
		ShutdownGracePeriod: 20 * time.Second,
		Telemetry: func(ctx context.Context, s telemetry.Surroundings) (telemetry.SDK, error) {
			return telemetry.New(ctx, telemetry.DefaultSettings(), s)
		},
		Init: init,
	}
	for _, o := range opts {
		if o != nil {
			o.apply(&a)
		}
	}
	return a
}
