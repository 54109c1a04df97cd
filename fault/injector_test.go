package fault_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"go.opentelemetry.io/otel/baggage"

	"github.com/brunt-go/brunt/fault"
	"github.com/brunt-go/brunt/fit"
)

// R22: the zero Injector is off.
func TestInjector_zero(t *testing.T) {
	t.Parallel()
	var in fault.Injector
	ctx := carrying(t, t.Context(), "it")
	events := recorded(t, ctx, func(ctx context.Context) {
		if got := in.Eval(ctx, point); got != (fit.Fault{}) {
			t.Errorf("Eval = %+v, want the zero Fault", got)
		}
		if same, ok := in.Strip(ctx); same != ctx || ok {
			t.Error("Strip changed its context")
		}
		if in.Carries(ctx) || in.Remember(ctx) != ctx {
			t.Error("Carries or Remember did something")
		}
		if same := in.Admit(ctx, func() bool { t.Error("trust was asked"); return true }); same != ctx {
			t.Error("Admit changed its context")
		}
		if _, ok := in.StripBaggage(baggage.FromContext(ctx)); ok {
			t.Error("StripBaggage stripped")
		}
	})
	if len(events) != 0 {
		t.Errorf("events %+v, want none", events)
	}
}

// R24: what the Evaluator says.
func TestInjector_Eval(t *testing.T) {
	t.Parallel()
	in, ctx := scenario(t, fit.Scenario{Rules: []fit.Rule{
		{Point: point, Fault: fit.Fault{Delay: time.Hour, Abort: true}},
		{Point: "http:*", Fault: fit.Fault{Delay: second}},
	}})
	for p, want := range map[string]fit.Fault{
		point:                {Delay: 10 * time.Second, Abort: true}, // R9
		"http:payments:8443": {Delay: second},
		"kafka:orders":       {},
	} {
		if got := in.Eval(ctx, p); got != want {
			t.Errorf("Eval(%q) = %+v, want %+v", p, got, want)
		}
	}
	if got := in.Eval(t.Context(), point); got != (fit.Fault{}) {
		t.Errorf("without a scenario Eval = %+v, want the zero Fault", got)
	}
}

// R26: only the Decoder's members go, and the result says whether any did.
func TestInjector_Strip(t *testing.T) {
	t.Parallel()
	in, ctx := injecting(t, fit.Fault{Abort: true})
	stripped, ok := in.Strip(ctx)
	if b := baggage.FromContext(stripped); !ok || b.String() != "tenant=acme" {
		t.Errorf("Strip left %q, %v, want tenant=acme, true", b, ok)
	}
	if again, ok := in.Strip(stripped); again != stripped || ok {
		t.Error("Strip stripped twice")
	}
	if got := in.Eval(stripped, point); got != (fit.Fault{}) {
		t.Errorf("a stripped request met %+v", got)
	}
}

// R32: nothing turns injection off but a Decoder that rejects everything.
func TestInjector_rejectingDecoderIsOff(t *testing.T) {
	t.Parallel()
	in, _ := injecting(t, fit.Fault{Abort: true})
	if got := in.Eval(carrying(t, t.Context(), "unknown"), point); got != (fit.Fault{}) {
		t.Errorf("Eval = %+v, want the zero Fault", got)
	}
}

// R134, R135, R136, R137 for every server: Admit.
func TestInjector_Admit(t *testing.T) {
	t.Parallel()
	in, ctx := injecting(t, fit.Fault{Abort: true})
	rows := []struct {
		name    string
		ctx     context.Context
		trusted func() bool
		want    bool // the scenario stays
		strips  int
	}{
		{"nil_trusts_no_caller", ctx, nil, false, 1},
		{"untrusted", ctx, func() bool { return false }, false, 1},
		{"trusted", ctx, func() bool { return true }, true, 0},
		{"trusted_and_undecodable", carrying(t, t.Context(), "unknown"), func() bool { return true }, true, 0},
		{"untrusted_and_undecodable", carrying(t, t.Context(), "unknown"), nil, false, 1},
		{"asked_only_about_a_scenario", t.Context(), func() bool { panic("asked") }, false, 0},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			events := recorded(t, row.ctx, func(ctx context.Context) {
				before := baggage.FromContext(ctx).Member("tenant")
				ctx = in.Admit(ctx, row.trusted)
				if in.Carries(ctx) != row.want {
					t.Errorf("carries a scenario: %v, want %v", !row.want, row.want)
				}
				if got := baggage.FromContext(ctx).Member("tenant"); got.Value() != before.Value() {
					t.Errorf("tenant is %q, want %q", got.Value(), before.Value())
				}
			})
			if len(events) != row.strips {
				t.Errorf("%d events, want %d strips", len(events), row.strips)
			}
		})
	}
}

// R16: a panic of the Decoder is not recovered.
func TestInjector_panic(t *testing.T) {
	t.Parallel()
	in, err := fault.New(fault.Settings{Decoder: broken{}, MaxDelay: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if got := recover(); got != "decoder" {
			t.Errorf("recovered %v, want the Decoder's panic", got)
		}
	}()
	in.Eval(t.Context(), point)
}

type broken struct{}

func (broken) Decode(baggage.Baggage) (fit.Scenario, bool, error) { panic("decoder") }
func (broken) Strip(b baggage.Baggage) baggage.Baggage            { return b }

// R23: shared and copied by value. The race detector is the judge.
func TestInjector_concurrent(t *testing.T) {
	t.Parallel()
	in, ctx := injecting(t, fit.Fault{Abort: true})
	var wg sync.WaitGroup
	for range 64 {
		wg.Go(func() {
			mine := in
			for range 100 {
				stripped, ok := mine.Strip(mine.Remember(ctx))
				if !ok || !mine.Eval(ctx, point).Abort || mine.Eval(stripped, point).Abort {
					t.Error("a goroutine saw something else")
				}
			}
		})
	}
	wg.Wait()
}

// R6: nothing is allocated for a request without a scenario, and nothing for an
// evaluation nobody records once the scenario is decoded.
func TestInjector_allocations(t *testing.T) { //nolint:paralleltest // AllocsPerRun counts the whole process
	in, ctx := injecting(t, fit.Fault{Delay: second})
	remembered := in.Remember(ctx)
	var off fault.Injector
	for name, f := range map[string]func(){
		"no_scenario": func() { in.Eval(context.Background(), point) },
		"remembered":  func() { in.Eval(remembered, point) },
		"off":         func() { off.Eval(ctx, point); off.Strip(ctx) },
		"admit":       func() { in.Admit(context.Background(), func() bool { return ctx != nil }) },
	} {
		if n := testing.AllocsPerRun(100, f); n != 0 {
			t.Errorf("%s: %v allocations, want 0", name, n)
		}
	}
}

// R27, R28, R29, R30, R186: the two kinds of an injected failure, and the third.
func TestInjectedError(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name     string
		in       *fault.InjectedError
		text     string
		is       error
		injected bool
		timeout  bool
	}{
		{"abort", &fault.InjectedError{Point: point}, "fit: injected failure at postgresql:orders", fit.ErrInjected, true, false},
		{"cut_by_the_deadline", &fault.InjectedError{Point: point, Err: context.DeadlineExceeded}, "fit: injected delay at postgresql:orders cut short: context deadline exceeded", context.DeadlineExceeded, false, true},
		{"cut_by_the_caller", &fault.InjectedError{Point: point, Err: context.Canceled}, "fit: injected delay at postgresql:orders cut short: context canceled", context.Canceled, false, false},
		{"lost", &fault.InjectedError{Point: point, Err: fit.ErrLost}, "fit: injected loss of the answer at postgresql:orders", fit.ErrLost, false, false}, // X4
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			var err error = row.in
			if err.Error() != row.text {
				t.Errorf("Error() = %q, want %q", err, row.text)
			}
			if !errors.Is(err, row.is) || errors.Is(err, fit.ErrInjected) != row.injected {
				t.Errorf("matches %v: %v, ErrInjected: %v, want true, %v", row.is, errors.Is(err, row.is), !row.injected, row.injected)
			}
			if row.in.Timeout() != row.timeout {
				t.Errorf("Timeout() = %v, want %v", !row.timeout, row.timeout)
			}
			if got := row.in.ErrorType(); got != "github.com/brunt-go/brunt/fault.InjectedError" {
				t.Errorf("ErrorType() = %q", got)
			}
		})
	}
}
