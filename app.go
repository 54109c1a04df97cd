package brunt

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"go.opentelemetry.io/otel/baggage"

	"github.com/brunt-go/brunt/config"
	"github.com/brunt-go/brunt/fault"
	"github.com/brunt-go/brunt/telemetry"
)

// App is a program: what it needs, and the Services it runs. [NewApp] returns one with
// the defaults of [Main]. An App is not changed by running it.
type App struct {
	// Host is the machine it runs on. The zero Host is that of OSHost.
	Host Host

	// ShutdownGracePeriod is how long the Services have to stop, all of them together,
	// after the drain delay. The environment variable BRUNT_SHUTDOWN_GRACE_PERIOD
	// overrides it. Valid: positive. Check: CheckShutdownGracePeriod.
	ShutdownGracePeriod time.Duration

	// Drain is how long the App goes on serving after it was told to stop, so that
	// load balancers notice that it is not ready any more. The environment variable
	// BRUNT_SHUTDOWN_DRAIN_DELAY overrides it. Valid: not negative. Check: CheckDrain.
	Drain time.Duration

	// Telemetry builds the App's telemetry, before anything else. Nil: no telemetry,
	// and what fails is reported on Stderr.
	Telemetry telemetry.Builder

	// Init builds the App's Services. ctx is done when the App is told to stop before
	// Init has returned; afterwards it stays alive until the App has ended. Init must
	// be set.
	Init func(ctx context.Context, s *Setup) ([]Service, error)

	// Faults returns the App's failure injection settings. It is called once, after
	// the telemetry is built and before Init, with the Setup that Init is then given.
	// The Injector that fault.New makes of them is put into Setup.Faults. An error of
	// either fails the start as one of Init does. Nil: no failure injection. See
	// docs/concepts/request-faults.md.
	Faults func(ctx context.Context, s *Setup) (fault.Settings, error)
}

// CheckShutdownGracePeriod says what is wrong with d, without naming the field.
func CheckShutdownGracePeriod(d time.Duration) error {
	if d <= 0 {
		return fmt.Errorf("%v, must be positive", d)
	}
	return nil
}

// CheckDrain says what is wrong with d, without naming the field.
func CheckDrain(d time.Duration) error {
	if d < 0 {
		return fmt.Errorf("%v, must not be negative", d)
	}
	return nil
}

// Run runs the App until it ends and says how it did. It is what [Main] calls; tests
// and programs that hold an App inside call it themselves. It panics when Init is nil.
//
// The start is, in this order: Telemetry, Faults, Init, and the Serve of every
// Service, all at the same time. The App ends when every Service has returned. It is
// stopped by the first of p's signals, by the end of ctx, and by a Service that fails.
// Then Setup.Stopping is closed and the Services' contexts are done; the drain delay
// passes; each Service is shut down, the last of Init's list first; the functions of
// OnStop are called, the last registered first; and the telemetry is flushed.
//
// A second signal makes Run return at once. What still runs then is left running: a
// process ends it by exiting.
//
// ctx's values reach Init and the Services, except for its baggage.
func (a App) Run(ctx context.Context, p Process) Status {
	if a.Init == nil {
		panic("brunt: App.Init is nil")
	}
	ctx, stop := context.WithCancelCause(baggage.ContextWithoutBaggage(ctx))
	defer stop(nil)
	l := newLife(a, p.complete(), stop)
	over, again := make(chan struct{}), make(chan os.Signal, 1)
	defer close(over)
	go obey(p.Signals, over, stop, again)
	ended := call(func() (Status, error) { return l.run(ctx), nil })
	select {
	case e := <-ended:
		if e.err != nil { // such as a panic of the logs' handler, which no one else takes
			l.report.use(slog.New(slog.DiscardHandler))
			l.fail(ctx, "the runtime", e.err)
			return statusOf(l.problems)
		}
		return e.value
	case sig := <-again:
		status := killedBy(sig)
		l.report.killed(ctx, status)
		return status
	}
}

// obey turns signals into orders: the first stops the App, the second ends it at once.
func obey(signals <-chan os.Signal, over <-chan struct{}, stop context.CancelCauseFunc, again chan<- os.Signal) {
	for first := true; ; first = false {
		select {
		case <-over:
			return
		case sig, open := <-signals:
			switch {
			case !open:
				return
			case first:
				stop(fmt.Errorf("signal: %v", sig))
			default:
				again <- sig
				return
			}
		}
	}
}

// shutdownTimes are how long an App may take to stop.
type shutdownTimes struct{ grace, drain time.Duration }

// shutdownTimes are the App's own, and what the environment has in place of them.
func (a App) shutdownTimes(ctx context.Context, environment map[string]string) (shutdownTimes, error) {
	if err := errors.Join(
		named("ShutdownGracePeriod", CheckShutdownGracePeriod(a.ShutdownGracePeriod)),
		named("Drain", CheckDrain(a.Drain)),
	); err != nil {
		return shutdownTimes{}, err
	}
	return config.Struct(func(r *config.Resolver) shutdownTimes {
		return shutdownTimes{
			grace: config.Get(r, config.Duration(config.Env(environment, "BRUNT_SHUTDOWN_GRACE_PERIOD")).
				Validate(CheckShutdownGracePeriod).Default(a.ShutdownGracePeriod)),
			drain: config.Get(r, config.Duration(config.Env(environment, "BRUNT_SHUTDOWN_DRAIN_DELAY")).
				Validate(CheckDrain).Default(a.Drain)),
		}
	}).Read(ctx)
}

func named(field string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", field, err)
}
