package circuit_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/brunt-go/brunt/circuit"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var errDown = errors.New("down")

func newBreaker(t testing.TB, policy circuit.Policy, opts ...circuit.Option) *circuit.Breaker {
	t.Helper()
	b, err := circuit.New("payments:8443", policy, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// report makes a call with that outcome and returns its error.
func report(ctx context.Context, b *circuit.Breaker, o circuit.Outcome) error {
	var err error
	if o == circuit.Failure {
		err = errDown
	}
	return b.Do(ctx, func(context.Context) error { return err }, func(error) circuit.Outcome { return o })
}

// The states by what is reported: s, f and i are outcomes, r a call that must be
// rejected, . a second. D4.
func TestBreaker_states(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name   string
		change func(*circuit.Policy)
		calls  string
		want   circuit.State
	}{
		{"new", nil, "", circuit.Closed},
		{"four_failures", nil, "ffff", circuit.Closed},
		{"five_failures", nil, "fffffr", circuit.Open},
		{"not_in_a_row", nil, "ffffsffff", circuit.Closed},
		{"ignored_between", nil, "ffiiffifr", circuit.Open},
		{"ignored_alone", nil, "iiiiiiiiii", circuit.Closed},
		{"just_open", nil, "fffffr....r", circuit.Open},
		{"half_open", nil, "fffffr.....", circuit.HalfOpen},
		{"probe_succeeds", nil, "fffff.....s", circuit.Closed},
		{"probe_fails", nil, "fffff.....fr....r", circuit.Open},
		{"probe_ignored", nil, "fffff.....i", circuit.HalfOpen},
		{"probe_after_ignored", nil, "fffff.....iis", circuit.Closed},
		{"opens_again", nil, "fffff.....sfffffr", circuit.Open},
		{"probe_fails_then_not", nil, "fffff.....f.....s", circuit.Closed},
		{"one_failure", func(p *circuit.Policy) { p.Failures = 1 }, "fr", circuit.Open},
		{"open_for_two", func(p *circuit.Policy) { p.OpenFor = 2 * time.Second }, "fffff.r.s", circuit.Closed},
		{"two_probes", func(p *circuit.Policy) { p.Probes = 2 }, "fffff.....s", circuit.HalfOpen},
		{"two_probes_succeed", func(p *circuit.Policy) { p.Probes = 2 }, "fffff.....ss", circuit.Closed},
		{"second_probe_fails", func(p *circuit.Policy) { p.Probes = 2 }, "fffff.....sfr", circuit.Open},
	}
	outcomes := map[rune]circuit.Outcome{'s': circuit.Success, 'f': circuit.Failure, 'i': circuit.Ignored}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				policy := circuit.DefaultPolicy()
				if row.change != nil {
					row.change(&policy)
				}
				b := newBreaker(t, policy)
				for i, c := range row.calls {
					switch c {
					case '.':
						time.Sleep(time.Second)
					case 'r':
						if err := report(t.Context(), b, circuit.Success); !errors.Is(err, circuit.ErrRejected) {
							t.Errorf("call %d: %v, want a rejection", i, err)
						}
					default:
						if err := report(t.Context(), b, outcomes[c]); errors.Is(err, circuit.ErrRejected) {
							t.Errorf("call %d: %v", i, err)
						}
					}
				}
				if got := b.State(); got != row.want {
					t.Errorf("%q leaves it %s, want %s", row.calls, got, row.want)
				}
			})
		})
	}
}

// Half open, one probe is let through, and what it leaves undecided nobody else decides.
func TestBreaker_oneProbe(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBreaker(t, circuit.DefaultPolicy())
		slow, err := b.Allow(t.Context()) // still under way when the breaker opens
		if err != nil {
			t.Fatal(err)
		}
		for range 5 {
			_ = report(t.Context(), b, circuit.Failure)
		}
		time.Sleep(5 * time.Second)
		var mu sync.Mutex
		var permits []circuit.Permit
		var rejections []string
		var wg sync.WaitGroup
		for range 10 {
			wg.Go(func() {
				p, err := b.Allow(t.Context())
				mu.Lock()
				defer mu.Unlock()
				if err != nil {
					rejections = append(rejections, err.Error())
				} else {
					permits = append(permits, p)
				}
			})
		}
		wg.Wait()
		const want = "circuit: call of payments:8443 rejected: its breaker is half open, and probes are under way"
		if len(permits) != 1 || len(rejections) != 9 || rejections[0] != want {
			t.Fatalf("%d probes, rejections %q", len(permits), rejections)
		}
		slow.Done(t.Context(), circuit.Success, nil)
		if got := b.State(); got != circuit.HalfOpen {
			t.Errorf("a call from before it opened leaves it %s", got)
		}
		permits[0].Done(t.Context(), circuit.Success, nil)
		if got := b.State(); got != circuit.Closed {
			t.Errorf("the probe leaves it %s", got)
		}
	})
}

// A call that panics keeps no probe's place.
func TestBreaker_panic(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		policy := circuit.DefaultPolicy()
		policy.Failures = 1
		b := newBreaker(t, policy)
		_ = report(t.Context(), b, circuit.Failure)
		time.Sleep(policy.OpenFor)
		func() {
			defer func() {
				if recover() == nil {
					t.Error("the panic is gone")
				}
			}()
			_ = b.Do(t.Context(), func(context.Context) error { panic("oh") }, nil)
		}()
		if err := report(t.Context(), b, circuit.Success); err != nil || b.State() != circuit.Closed {
			t.Errorf("%v, %s, want the next probe to close it", err, b.State())
		}
	})
}

func TestBreaker_Do(t *testing.T) {
	t.Parallel()
	policy := circuit.DefaultPolicy()
	policy.Failures = 1
	b := newBreaker(t, policy)
	ok := func(context.Context) error { return nil }
	bad := func(context.Context) error { return errDown }
	if err := b.Do(t.Context(), ok, nil); err != nil {
		t.Error(err)
	}
	if err := b.Do(t.Context(), bad, nil); !errors.Is(err, errDown) || b.State() != circuit.Open {
		t.Errorf("%v, %s", err, b.State())
	}
	var rejected *circuit.RejectedError
	err := b.Do(t.Context(), ok, nil)
	if !errors.As(err, &rejected) || rejected.Name != "payments:8443" || rejected.State != circuit.Open ||
		err.Error() != "circuit: call of payments:8443 rejected: its breaker is open, for 5s" ||
		rejected.ErrorType() != "github.com/brunt-go/brunt/circuit.RejectedError" {
		t.Errorf("%v", err)
	}
}

func TestCheckPolicy(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name string
		in   circuit.Policy
		want []string
	}{
		{"default", circuit.DefaultPolicy(), nil},
		{"zero", circuit.Policy{}, []string{"Failures: 0, must be from 1 to 1073741824", "Probes: 0, must be from 1 to 1073741824", "OpenFor: 0s, must be positive"}},
		{"negative", circuit.Policy{Failures: 1, Probes: 1, OpenFor: -1}, []string{"OpenFor: -1ns, must be positive"}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			if err := circuit.CheckPolicy(row.in); err != nil {
				got = strings.Split(err.Error(), "\n")
			}
			if !slices.Equal(got, row.want) {
				t.Errorf("CheckPolicy(%+v) = %q, want %q", row.in, got, row.want)
			}
			if _, err := circuit.New("x", row.in); (err != nil) != (row.want != nil) {
				t.Errorf("New = %v", err)
			}
		})
	}
}

// The calls of many goroutines are all counted, whatever the state does meanwhile.
func TestBreaker_concurrent(t *testing.T) {
	t.Parallel()
	b := newBreaker(t, circuit.Policy{Failures: 3, OpenFor: time.Microsecond, Probes: 2})
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range 500 {
				o := circuit.Success
				if (i+j)%3 > 0 {
					o = circuit.Failure
				}
				if err := report(t.Context(), b, o); err != nil && !errors.Is(err, errDown) && !errors.Is(err, circuit.ErrRejected) {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

func ExampleBreaker_Do() {
	policy := circuit.DefaultPolicy()
	policy.Failures = 2
	breaker, err := circuit.New("payments:8443", policy)
	if err != nil {
		fmt.Println(err)
		return
	}
	charge := func(context.Context) error { return errors.New("connection refused") }
	for range 3 {
		fmt.Println(breaker.Do(context.Background(), charge, nil))
	}
	// Output:
	// connection refused
	// connection refused
	// circuit: call of payments:8443 rejected: its breaker is open, for 5s
}
