package retry_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.uber.org/goleak"

	"github.com/brunt-go/brunt/brunttest"
	"github.com/brunt-go/brunt/fit"
	"github.com/brunt-go/brunt/retry"
	"github.com/brunt-go/brunt/telemetry"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const ms = time.Millisecond

var errDown = errors.New("down")

func always(error) retry.Decision { return retry.Retry }

// exact is settings whose waits are not drawn: 100, 200, 400 ms and so on.
func exact(change func(*retry.Settings)) retry.Settings {
	s := retry.DefaultSettings()
	s.Jitter = 0
	if change != nil {
		change(&s)
	}
	return s
}

func newPolicy(t testing.TB, s retry.Settings, opts ...retry.Option) *retry.Policy {
	t.Helper()
	p, err := retry.New(s, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Each way a call can end, at the nanosecond. R80: attempts run out, or the budget stops
// them; D5: the decisions.
func TestPolicy_decisions(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name     string
		settings retry.Settings
		timeout  time.Duration
		after    time.Duration
		fails    int // attempts, from the first
		wish     retry.Decision
		want     []string
		took     time.Duration
	}{
		{"at_once", exact(nil), 0, 0, 0, retry.Retry, []string{"stop 1"}, 0},
		{"in_the_end", exact(nil), 0, 0, 2, retry.Retry, []string{"retry 1", "retry 2", "stop 3"}, 300 * ms},
		{"exhausted", exact(nil), 0, 0, 9, retry.Retry, []string{"retry 1", "retry 2", "exhausted 3"}, 300 * ms},
		{"stopped", exact(nil), 0, 0, 9, retry.Stop, []string{"stop 1"}, 0},
		{"one_attempt", exact(func(s *retry.Settings) { s.MaxAttempts = 1 }), 0, 0, 9, retry.Retry, []string{"exhausted 1"}, 0},
		{"no_budget", exact(func(s *retry.Settings) { s.Budget = retry.BudgetSettings{} }), 0, 0, 9, retry.Retry, []string{"over_budget 1"}, 0},
		{"budget_for_one", exact(func(s *retry.Settings) { s.Budget.Start = 1 }), 0, 0, 9, retry.Retry, []string{"retry 1", "over_budget 2"}, 100 * ms},
		{"no_time_to_wait", exact(nil), 250 * ms, 0, 9, retry.Retry, []string{"retry 1", "expired 2"}, 100 * ms},
		{"no_backoff", exact(func(s *retry.Settings) { s.BackoffBase = 0 }), 0, 0, 9, retry.Retry, []string{"retry 1", "retry 2", "exhausted 3"}, 0},
		{"longest_backoff", exact(func(s *retry.Settings) { s.BackoffMax = 150 * ms }), 0, 0, 9, retry.Retry, []string{"retry 1", "retry 2", "exhausted 3"}, 250 * ms},
		{"asked_for", exact(nil), 0, 2 * time.Second, 1, retry.Retry, []string{"retry 1", "stop 2"}, 2 * time.Second},
		{"asked_for_less", exact(nil), 0, ms, 1, retry.Retry, []string{"retry 1", "stop 2"}, 100 * ms},
		{"asked_for_too_much", exact(nil), 0, time.Hour, 1, retry.Retry, []string{"retry 1", "stop 2"}, 5 * time.Second},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx := t.Context()
				if row.timeout > 0 {
					limited, cancel := context.WithTimeout(ctx, row.timeout)
					defer cancel()
					ctx = limited
				}
				policy := newPolicy(t, row.settings)
				start := time.Now()
				var got []string
				for call := policy.Begin(); ; {
					result := retry.Result{Wish: row.wish, After: row.after, Err: errDown}
					if call.Attempt() > row.fails {
						result = retry.Result{Wish: retry.Stop}
					}
					n := call.Attempt()
					decision := call.Next(ctx, result)
					got = append(got, string(decision)+" "+string(rune('0'+n)))
					if decision != retry.Retry {
						break
					}
				}
				if took := time.Since(start); !slices.Equal(got, row.want) || took != row.took {
					t.Errorf("%q after %v, want %q after %v", got, took, row.want, row.took)
				}
			})
		})
	}
}

// A wait that the caller ends is no attempt.
func TestPolicy_cancelledWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(30*ms, cancel)
		calls := 0
		start := time.Now()
		err := newPolicy(t, exact(nil)).Do(ctx, func(context.Context) error { calls++; return errDown }, always)
		if !errors.Is(err, errDown) || calls != 1 || time.Since(start) != 30*ms {
			t.Errorf("%v after %d calls and %v, want the attempt's error after 1 and 30ms", err, calls, time.Since(start))
		}
	})
}

// Once the context is done nobody is asked what an error means.
func TestPolicy_doneContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	err := newPolicy(t, exact(nil)).Do(ctx,
		func(context.Context) error { cancel(); return errDown },
		func(error) retry.Decision { t.Error("classify was asked"); return retry.Retry })
	if !errors.Is(err, errDown) {
		t.Error(err)
	}
}

// X1: points of package fit are told which attempt it is.
func TestPolicy_ordinal(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var got []int
		_ = newPolicy(t, exact(nil)).Do(t.Context(), func(ctx context.Context) error {
			got = append(got, fit.AttemptFromContext(ctx))
			return errDown
		}, always)
		if !slices.Equal(got, []int{1, 2, 3}) {
			t.Errorf("attempts %v, want 1 to 3", got)
		}
		// A call made within another's third attempt begins anew.
		_ = newPolicy(t, exact(nil)).Do(fit.ContextWithAttempt(t.Context(), 3), func(ctx context.Context) error {
			got = append(got, fit.AttemptFromContext(ctx))
			return nil
		}, always)
		if got[3] != 1 {
			t.Errorf("the first attempt of a call inside is %d, want 1", got[3])
		}
	})
}

// R83 in part: what is counted, and what the span in the call's context is told.
func TestPolicy_telemetry(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tel := brunttest.NewTelemetry()
		sdk, err := tel.Builder()(t.Context(), telemetry.Surroundings{})
		if err != nil {
			t.Fatal(err)
		}
		peer := attribute.String("server.address", "payments")
		policy := newPolicy(t, exact(nil), retry.WithMeterProvider(sdk.MeterProvider), retry.WithAttributes(peer))
		for _, fails := range []int{0, 1, 9} {
			ctx, span := sdk.TracerProvider.Tracer("test").Start(t.Context(), "call")
			calls := 0
			_ = policy.Do(ctx, func(context.Context) error {
				if calls++; calls > fails {
					return nil
				}
				return errDown
			}, always)
			span.End()
		}
		for decision, want := range map[string]float64{"retry": 3, "stop": 2, "exhausted": 1, "expired": 0, "over_budget": 0} {
			if n := tel.Sum("brunt.retry.decisions", peer, attribute.String("brunt.retry.decision", decision)); n != want {
				t.Errorf("%v decisions %s, want %v", n, decision, want)
			}
		}
		var got []string
		for _, e := range tel.EventsNamed("brunt.retry.decision") {
			got = append(got, e.Attribute("brunt.retry.attempt")+" "+e.Attribute("brunt.retry.decision")+" "+e.Attribute("brunt.retry.delay"))
		}
		// The call that went well at once says nothing.
		want := []string{"1 retry 0.1", "2 stop ", "1 retry 0.1", "2 retry 0.2", "3 exhausted "}
		if !slices.Equal(got, want) {
			t.Errorf("events\n%q, want\n%q", got, want)
		}
	})
}
