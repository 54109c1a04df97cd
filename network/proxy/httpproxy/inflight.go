package httpproxy

import (
	"context"
	"sync"
)

// inflight counts requests under way. Unlike a sync.WaitGroup it may be waited
// for while more arrive.
type inflight struct {
	mu   sync.Mutex
	n    int
	idle chan struct{} // made by a waiter, closed when n falls to 0
}

func (f *inflight) add() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.n++
}

func (f *inflight) done() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.n--; f.n == 0 && f.idle != nil {
		close(f.idle)
		f.idle = nil
	}
}

func (f *inflight) wait(ctx context.Context) error {
	f.mu.Lock()
	if f.n == 0 {
		f.mu.Unlock()
		return nil
	}
	if f.idle == nil {
		f.idle = make(chan struct{})
	}
	idle := f.idle
	f.mu.Unlock()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
