package telemetry

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// shutdown flushes all signals at the same time. Whatever they are at when the time
// is over is cancelled.
func (b *build) shutdown(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, b.ShutdownTimeout,
		fmt.Errorf("telemetry could not be sent within %v", b.ShutdownTimeout))
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- b.flush(ctx) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		b.stop()
		return context.Cause(ctx)
	}
}

// flush shuts the providers down, then the connections. A processor may keep a
// context that is over waiting, so that is left to shutdown.
func (b *build) flush(ctx context.Context) error {
	errs := make([]error, len(b.ends))
	var all sync.WaitGroup
	for i, end := range b.ends {
		all.Go(func() { errs[i] = end(ctx) })
	}
	all.Wait()
	b.stop()
	b.close()
	return errors.Join(errs...)
}

func (b *build) close() {
	for _, c := range b.closers {
		c()
	}
}
