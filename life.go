package brunt

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/brunt-go/brunt/fault"
	"github.com/brunt-go/brunt/telemetry"
)

// With the default grace period of 20 s these make 30 s, which is how long Kubernetes
// waits before it kills a container.
const (
	releaseTime = 5 * time.Second // for all functions of OnStop
	flushTime   = 5 * time.Second // for the telemetry
)

// life is one run of an App.
type life struct {
	app    App
	setup  *Setup
	sdk    telemetry.SDK
	times  shutdownTimes
	report *reporter
	// stop makes the App stop. The first cause counts.
	stop context.CancelCauseFunc
	// problems is all that failed. It belongs to the goroutine of run.
	problems []error
}

func newLife(a App, p Process, stop context.CancelCauseFunc) *life {
	if a.Telemetry == nil {
		a.Telemetry = telemetry.NoopBuilder
	}
	return &life{
		app:    a,
		setup:  &Setup{Process: p, Host: a.Host.complete(), Telemetry: telemetry.Noop(), stopping: make(chan struct{})},
		report: newReporter(p.Stderr),
		stop:   stop,
	}
}

// run is the whole life, from top to bottom. ctx is done when the App is told to stop.
func (l *life) run(ctx context.Context) Status {
	context.AfterFunc(ctx, func() { close(l.setup.stopping) })
	alive, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	if services, ok := l.start(ctx, alive); ok {
		l.report.info(alive, "app started", slog.Int("services", len(services)))
		l.serve(ctx, services)
	}
	l.stop(errDone)
	l.release(alive)
	status := statusOf(l.problems)
	l.report.info(alive, "app ended", slog.Int("status", status.Code()))
	l.flush(alive)
	return status
}

// errDone is why an App stops of which nothing runs any more.
var errDone = errors.New("nothing runs any more")

// start builds what the App consists of. It reports whether there is something to
// serve: the start did not fail, and nobody has told the App to stop meanwhile. What
// is built may live on alive, which ends with the App.
func (l *life) start(ctx, alive context.Context) ([]Service, bool) {
	times, timesErr := l.app.shutdownTimes(ctx, l.setup.Process.Environment)
	l.times = times // zero, when they are wrong; then nothing starts that takes time to stop

	ok := step(ctx, alive, l, "telemetry", &l.sdk, func(ctx context.Context) (telemetry.SDK, error) {
		sdk, err := l.app.Telemetry(ctx, telemetry.Surroundings{
			Environment: l.setup.Process.Environment,
			Stdout:      l.setup.Process.Stdout,
			Stderr:      l.setup.Process.Stderr,
			Dial:        l.setup.Host.Dial,
			ReadFile:    l.setup.Host.ReadFile,
		})
		if err != nil {
			err = errors.Join(err, timesErr) // one report of all variables that are wrong
		}
		return sdk, err
	})
	if !ok {
		return nil, false
	}
	l.setup.Telemetry = l.sdk.Telemetry
	l.report.use(l.sdk.Logger(scopeName))

	if timesErr != nil {
		l.fail(ctx, "shutdown settings", timesErr)
		return nil, false
	}
	if l.app.Faults != nil {
		ok = step(ctx, alive, l, "failure injection", &l.setup.Faults, func(ctx context.Context) (fault.Injector, error) {
			settings, err := l.app.Faults(ctx, l.setup)
			if err != nil {
				return fault.Injector{}, err
			}
			return fault.New(settings)
		})
		if !ok {
			return nil, false
		}
	}
	var services []Service
	ok = step(ctx, alive, l, "init", &services, func(ctx context.Context) ([]Service, error) {
		services, err := l.app.Init(ctx, l.setup)
		if i := slices.Index(services, nil); i >= 0 && err == nil {
			err = fmt.Errorf("service %d of %d is nil", i+1, len(services))
		}
		return services, err
	})
	return services, ok
}

// step does one step of the start and puts what it made into result. It reports
// whether the next step may follow. A step that is under way when the App is told to
// stop, and whose context is then done, has the grace period to return.
func step[T any](ctx, alive context.Context, l *life, where string, result *T, f func(context.Context) (T, error)) bool {
	// What the step makes may live on its context, so once the step has returned that
	// does not end with the order to stop.
	stepCtx, cancel := context.WithCancelCause(alive)
	detach := context.AfterFunc(ctx, func() { cancel(context.Cause(ctx)) })
	defer detach()

	done := call(func() (T, error) { return f(stepCtx) })
	var out outcome[T]
	select {
	case out = <-done:
	case <-ctx.Done():
		var returned bool
		if out, returned = within(soonAfter(l.times.grace), done); !returned {
			out.err = fmt.Errorf("still running %v after it was told to stop", l.times.grace)
		}
	}
	stopped := ctx.Err() != nil
	switch {
	case out.err == nil:
		*result = out.value
	case !stopped || !isStop(ctx, out.err):
		l.fail(ctx, where, out.err)
	}
	return out.err == nil && !stopped
}

// isStop reports whether err only says that ctx ended.
func isStop(ctx context.Context, err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.Cause(ctx))
}

// fail takes down what failed and where, and reports it.
func (l *life) fail(ctx context.Context, where string, err error) {
	l.problems = append(l.problems, fmt.Errorf("%s: %w", where, err))
	l.report.failed(ctx, where, err)
}
