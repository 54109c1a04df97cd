package brunt

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"
)

// stopServing stops the services that still run: first the drain delay, then their
// Shutdown, from the last to the first.
func (l *life) stopServing(ctx context.Context, all []*served) {
	l.report.info(ctx, "app stopping", slog.String("reason", context.Cause(ctx).Error()),
		slog.String("drain_delay", l.times.drain.String()), slog.String("grace_period", l.times.grace.String()))
	l.drain(all)

	deadline := time.Now().Add(l.times.grace)
	grace, cancel := context.WithDeadline(context.WithoutCancel(ctx), deadline)
	defer cancel()
	for i, s := range slices.Backward(all) {
		go s.stop(grace)
		// One that hangs must not take the time of those before it: each has its share
		// before the next one is told, and all have the whole grace period to end.
		within(time.Until(deadline)/time.Duration(i+1), s.stopped)
	}
	for _, s := range slices.Backward(all) {
		within(soonAfter(time.Until(deadline)), s.stopped)
		l.reportStopped(ctx, s)
	}
}

// drain goes on serving for the drain delay, while there is something that serves.
func (l *life) drain(all []*served) {
	if l.times.drain <= 0 {
		return
	}
	over := time.NewTimer(l.times.drain)
	defer over.Stop()
	for _, s := range all {
		select {
		case <-s.gone:
		case <-over.C:
			return
		}
	}
}

// stop shuts s down, unless it has returned by itself, and waits for it.
func (s *served) stop(ctx context.Context) {
	defer close(s.stopped)
	select {
	case <-s.gone:
		return
	default:
	}
	done := <-call(func() (struct{}, error) { return struct{}{}, s.service.Shutdown(ctx) })
	s.shutdownErr = done.err
	<-s.gone
}

// reportStopped takes down how s stopped, if it did.
func (l *life) reportStopped(ctx context.Context, s *served) {
	select {
	case <-s.stopped:
		l.reportGone(ctx, s)
		if s.shutdownErr != nil {
			l.fail(ctx, s.name+": shutdown", s.shutdownErr)
		}
	default:
		l.fail(ctx, s.name, fmt.Errorf("still running after the grace period of %v", l.times.grace))
	}
}

// release calls the functions of OnStop, the last registered first.
func (l *life) release(ctx context.Context) {
	deadline := time.Now().Add(releaseTime)
	ctx, cancel := context.WithDeadline(ctx, deadline)
	defer cancel()
	for {
		r, ok := l.setup.popRelease()
		if !ok {
			return
		}
		// A function's turn comes also when one before it took all the time.
		left := soonAfter(max(0, time.Until(deadline)))
		done, returned := within(left, call(func() (struct{}, error) { return struct{}{}, r.f(ctx) }))
		if !returned {
			done.err = fmt.Errorf("still running after %v", releaseTime)
		}
		if done.err != nil {
			l.fail(ctx, "OnStop function of "+r.at, done.err)
		}
	}
}

// flush ends the telemetry. That it can't be sent is told, and is no failure of the
// App: an App does its work whether or not its collector is there.
func (l *life) flush(ctx context.Context) {
	if l.sdk.Shutdown == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, flushTime)
	defer cancel()
	done, returned := within(soonAfter(flushTime), call(func() (struct{}, error) { return struct{}{}, l.sdk.Shutdown(ctx) }))
	if !returned {
		done.err = fmt.Errorf("still running after %v", flushTime)
	}
	if done.err != nil {
		l.report.unflushed(ctx, done.err)
	}
}
