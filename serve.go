package brunt

import (
	"context"
	"errors"
	"fmt"
)

// served is a Service that runs.
type served struct {
	service Service
	name    string // such as "service 2 of 3 (*orders.API)"
	// gone is closed when Serve has returned; err is what it returned.
	gone chan struct{}
	err  error
	// stopped is closed when Shutdown has returned as well; shutdownErr is what it
	// returned.
	stopped     chan struct{}
	shutdownErr error
	reported    bool
}

// serve runs services until all of them have returned, or until the App is told to
// stop and they had their time to.
func (l *life) serve(ctx context.Context, services []Service) {
	ended := make(chan *served, len(services))
	all := make([]*served, len(services))
	for i, s := range services {
		all[i] = begin(ctx, s, fmt.Sprintf("service %d of %d (%s)", i+1, len(services), nameOf(s)), ended)
	}
	for range all {
		select {
		case s := <-ended:
			if l.reportGone(ctx, s); s.err != nil {
				l.stop(fmt.Errorf("%s failed", s.name))
			}
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			l.stopServing(ctx, all)
			return
		}
	}
}

// begin has s serve.
func begin(ctx context.Context, s Service, name string, ended chan<- *served) *served {
	this := &served{service: s, name: name, gone: make(chan struct{}), stopped: make(chan struct{})}
	done := call(func() (struct{}, error) { return struct{}{}, s.Serve(ctx) })
	go func() {
		this.err = (<-done).err
		close(this.gone)
		ended <- this
	}()
	return this
}

// reportGone takes down, once, how a Service ended that is gone.
func (l *life) reportGone(ctx context.Context, s *served) {
	if s.err != nil && !s.reported {
		err := s.err
		if cause := context.Cause(ctx); cause != nil && errors.Is(err, cause) {
			err = fmt.Errorf("stopped before it was done: %w", err) // or it reads like another failure
		}
		l.fail(ctx, s.name, err)
	}
	s.reported = true
}

// nameOf is what a report calls s. A String method that panics is fmt's to bear.
func nameOf(s Service) string {
	if s, ok := s.(fmt.Stringer); ok {
		return fmt.Sprint(s)
	}
	return fmt.Sprintf("%T", s)
}
