package fit_test

import (
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/brunt-go/brunt/fit"
)

var errCaller = errors.New("the caller went away")

// R12: Wait waits exactly the delay, or gives the cause.
func TestFault_Wait(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name  string
		delay time.Duration
		ctx   func(context.Context) (context.Context, context.CancelFunc)
		want  error
		took  time.Duration
	}{
		{"nothing", 0, live, nil, 0},
		{"waits", time.Hour, live, nil, time.Hour},
		{"negative", -time.Second, live, nil, 0},
		{"cut_by_the_deadline", 8 * time.Second, timeout(5 * time.Second), context.DeadlineExceeded, 5 * time.Second},
		{"ends_with_the_deadline", 5 * time.Second, timeout(5 * time.Second), context.DeadlineExceeded, 5 * time.Second},
		{"ends_before_the_deadline", 5*time.Second - 1, timeout(5 * time.Second), nil, 5*time.Second - 1},
		{"cut_by_the_caller", 8 * time.Second, cancelAfter(2 * time.Second), errCaller, 2 * time.Second},
		{"done_before", 8 * time.Second, cancelAfter(0), errCaller, 0},
		// A fault without a delay leaves the attempt to find out for itself.
		{"nothing_to_cut", 0, cancelAfter(0), nil, 0},
		{"never_done", 8 * time.Second, func(ctx context.Context) (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
			return detached{ctx}, cancel
		}, nil, 8 * time.Second},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := row.ctx(t.Context())
				defer cancel()
				synctest.Wait()
				start := time.Now()
				err := fit.Fault{Delay: row.delay}.Wait(ctx)
				if took := time.Since(start); err != row.want || took != row.took { //nolint:errorlint // the cause itself
					t.Errorf("Wait = %v after %v, want %v after %v", err, took, row.want, row.took)
				}
			})
		})
	}
}

// detached outlives the context inside, whose deadline it still tells.
type detached struct{ context.Context }

func (detached) Done() <-chan struct{} { return nil }
func (detached) Err() error            { return nil }

func live(ctx context.Context) (context.Context, context.CancelFunc) { return context.WithCancel(ctx) }

func timeout(d time.Duration) func(context.Context) (context.Context, context.CancelFunc) {
	return func(ctx context.Context) (context.Context, context.CancelFunc) {
		return context.WithTimeout(ctx, d)
	}
}

func cancelAfter(d time.Duration) func(context.Context) (context.Context, context.CancelFunc) {
	return func(ctx context.Context) (context.Context, context.CancelFunc) {
		ctx, cancel := context.WithCancelCause(ctx)
		if d == 0 {
			cancel(errCaller)
		} else {
			time.AfterFunc(d, func() { cancel(errCaller) })
		}
		return ctx, func() { cancel(nil) }
	}
}

// R13, R14: an abort, after its delay, and nothing else is ErrInjected.
func TestFault_Inject(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name string
		in   fit.Fault
		want error
		took time.Duration
	}{
		{"nothing", fit.Fault{}, nil, 0},
		{"delay", fit.Fault{Delay: time.Second}, nil, time.Second},
		{"abort", fit.Fault{Abort: true}, fit.ErrInjected, 0},
		{"both", fit.Fault{Delay: time.Second, Abort: true}, fit.ErrInjected, time.Second},
		{"cut", fit.Fault{Delay: time.Minute, Abort: true}, context.DeadlineExceeded, 5 * time.Second},
		{"reply", fit.Fault{Reply: fit.Reply{Status: 503}}, fit.ErrInjected, 0}, // X3: no answer to give here
		{"lost", fit.Fault{Lost: true}, fit.ErrInjected, 0},                     // X4: no answer to lose here
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
				defer cancel()
				start := time.Now()
				err := row.in.Inject(ctx)
				if took := time.Since(start); err != row.want || took != row.took { //nolint:errorlint // the error itself
					t.Errorf("Inject = %v after %v, want %v after %v", err, took, row.want, row.took)
				}
				if row.name == "cut" && errors.Is(err, fit.ErrInjected) {
					t.Error("a delay cut short must not be ErrInjected")
				}
			})
		})
	}
}

// X4: a lost answer looks like a connection lost in the middle of one.
func TestErrLost(t *testing.T) {
	t.Parallel()
	if !errors.Is(fit.ErrLost, io.ErrUnexpectedEOF) || errors.Is(fit.ErrLost, fit.ErrInjected) {
		t.Errorf("ErrLost is %q, want it to match io.ErrUnexpectedEOF and not ErrInjected", fit.ErrLost)
	}
}
