package health

import (
	"context"
	"errors"
	"sync/atomic"
)

// Monitor says whether one thing is well. It may be asked concurrently.
type Monitor interface {
	// Healthy reports whether the thing is well. An error means that this can't be
	// told, which counts as not well; its text is for the App's logs, not for whoever
	// asks. It returns when ctx is done at the latest.
	Healthy(ctx context.Context) (bool, error)
}

// MonitorFunc is a function that is a Monitor.
type MonitorFunc func(ctx context.Context) (bool, error)

var _ Monitor = MonitorFunc(nil)

// Healthy calls f.
func (f MonitorFunc) Healthy(ctx context.Context) (bool, error) { return f(ctx) }

// Binary is a Monitor with a switch. The zero Binary is not healthy. It must not be
// copied, and is safe for concurrent use.
type Binary struct{ healthy atomic.Bool }

var _ Monitor = (*Binary)(nil)

// Set says whether the thing is well from now on.
func (b *Binary) Set(healthy bool) { b.healthy.Store(healthy) }

// Healthy reports what was Set. It never fails.
func (b *Binary) Healthy(context.Context) (bool, error) { return b.healthy.Load(), nil }

// AndMonitor is what And returns.
type AndMonitor []Monitor

var _ Monitor = AndMonitor(nil)

// And is well when all of monitors are. Without any it is well. It asks them in their
// order, and those after one that is not well are not asked.
func And(monitors ...Monitor) AndMonitor { return monitors }

// Healthy implements Monitor.
func (a AndMonitor) Healthy(ctx context.Context) (bool, error) {
	for _, m := range a {
		if healthy, err := m.Healthy(ctx); err != nil || !healthy {
			return false, err
		}
	}
	return true, nil
}

// OrMonitor is what Or returns.
type OrMonitor []Monitor

var _ Monitor = OrMonitor(nil)

// Or is well when one of monitors is. Without any it is not well. It asks them in
// their order, and those after one that is well are not asked. When none is, the
// errors of all are joined.
func Or(monitors ...Monitor) OrMonitor { return monitors }

// Healthy implements Monitor.
func (o OrMonitor) Healthy(ctx context.Context) (bool, error) {
	var errs []error
	for _, m := range o {
		healthy, err := m.Healthy(ctx)
		if err == nil && healthy {
			return true, nil
		}
		errs = append(errs, err)
	}
	return false, errors.Join(errs...)
}
