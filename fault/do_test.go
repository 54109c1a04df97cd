package fault_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/brunt-go/brunt/fault"
	"github.com/brunt-go/brunt/fit"
)

var errReal = errors.New("connection refused")

// R87, R88: a point of one's own fails as the clients do.
func TestDo(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name  string
		fault fit.Fault
		fails error // of the call itself
		want  string
		value string
		calls int
		took  time.Duration
	}{
		{"nothing", fit.Fault{}, nil, "", "row", 1, 0},
		{"the_calls_own_error", fit.Fault{}, errReal, "connection refused", "row", 1, 0},
		{"delay", fit.Fault{Delay: second}, nil, "", "row", 1, second},
		{"abort", fit.Fault{Abort: true}, nil, "fit: injected failure at postgresql:orders", "", 0, 0},
		{"delay_and_abort", fit.Fault{Delay: second, Abort: true}, nil, "fit: injected failure at postgresql:orders", "", 0, second},
		{"cut", fit.Fault{Delay: 9 * second}, nil, "fit: injected delay at postgresql:orders cut short: context deadline exceeded", "", 0, 5 * second},
		{"reply", fit.Fault{Reply: fit.Reply{Status: 503}}, nil, "fit: injected failure at postgresql:orders", "", 0, 0}, // X3
		{"lost", fit.Fault{Lost: true}, nil, "fit: injected loss of the answer at postgresql:orders", "", 1, 0},          // X4
		{"lost_but_it_failed", fit.Fault{Lost: true}, errReal, "connection refused", "row", 1, 0},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				in, ctx := injecting(t, row.fault)
				ctx, cancel := context.WithTimeout(ctx, 5*second)
				defer cancel()
				calls := 0
				start := time.Now()
				value, err := fault.Do(ctx, in, point, func(context.Context) (string, error) {
					calls++
					return "row", row.fails
				})
				if message(err) != row.want || value != row.value || calls != row.calls {
					t.Errorf("Do = %q, %v after %d calls, want %q, %q after %d", value, err, calls, row.value, row.want, row.calls)
				}
				if took := time.Since(start); took != row.took {
					t.Errorf("Do took %v, want %v", took, row.took)
				}
				var ie *fault.InjectedError
				if injected := row.fails == nil && row.want != ""; errors.As(err, &ie) != injected {
					t.Errorf("Do fails with an InjectedError: %v, want %v", !injected, injected)
				}
			})
		})
	}
}

// R87: the same without a value.
func TestInjector_Do(t *testing.T) {
	t.Parallel()
	in, ctx := injecting(t, fit.Fault{Abort: true})
	err := in.Do(ctx, point, func(context.Context) error { t.Error("called"); return nil })
	if !errors.Is(err, fit.ErrInjected) {
		t.Errorf("Do = %v, want an abort", err)
	}
	if err := in.Do(t.Context(), point, func(context.Context) error { return errReal }); err != errReal { //nolint:errorlint // the call's own
		t.Errorf("without a scenario Do = %v, want the call's own error", err)
	}
}
