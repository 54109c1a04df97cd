package jsonscenario_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"go.opentelemetry.io/otel/baggage"
	"go.opentelemetry.io/otel/trace"

	"github.com/brunt-go/brunt/fault"
	"github.com/brunt-go/brunt/fit"
)

// three is the scenario of the project's figures: the third rule decides.
var three = fit.Scenario{Rules: []fit.Rule{
	{Point: "kafka:orders", Fault: fit.Fault{Abort: true}},
	{Point: "grpc:payments.v1.Payments/*", Fault: fit.Fault{Delay: 250 * time.Millisecond}},
	{Point: "http:payments:8443", Fault: fit.Fault{Abort: true}},
}}

func injector(tb testing.TB) fault.Injector {
	tb.Helper()
	settings := fault.DefaultSettings()
	settings.Decoder = codec(tb)
	in, err := fault.New(settings)
	if err != nil {
		tb.Fatal(err)
	}
	return in
}

// request is the context of a request in an unsampled trace, with n unrelated
// members and, if s is not nil, a scenario.
func request(tb testing.TB, n int, s *fit.Scenario) context.Context {
	tb.Helper()
	sc := trace.NewSpanContext(trace.SpanContextConfig{TraceID: trace.TraceID{1}, SpanID: trace.SpanID{1}})
	ctx := trace.ContextWithSpanContext(tb.Context(), sc)
	members := make([]string, 0, 2*n)
	for i := range n {
		members = append(members, fmt.Sprintf("member%d", i), "value")
	}
	if n > 0 {
		ctx = baggage.ContextWithBaggage(ctx, bag(tb, members...))
	}
	if s != nil {
		var err error
		if ctx, err = fit.ContextWithScenario(ctx, codec(tb), *s); err != nil {
			tb.Fatal(err)
		}
	}
	return ctx
}

func BenchmarkInjector_Eval(b *testing.B) {
	in := injector(b)
	for name, ctx := range map[string]context.Context{
		"no_baggage":            request(b, 0, nil),
		"10_unrelated_members":  request(b, 10, nil),
		"3_rules_first_decode":  request(b, 0, &three),
		"3_rules_decoded":       in.Remember(request(b, 0, &three)),
		"3_rules_decoded_of_11": in.Remember(request(b, 10, &three)),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				in.Eval(ctx, "http:payments:8443")
			}
		})
	}
}

// What a request without a scenario, and one decoded before, must not do.
func TestInjector_Eval_allocations(t *testing.T) { //nolint:paralleltest // AllocsPerRun counts the whole process
	in := injector(t)
	for name, ctx := range map[string]context.Context{
		"no_baggage":           request(t, 0, nil),
		"10_unrelated_members": request(t, 10, nil),
		"3_rules_decoded":      in.Remember(request(t, 10, &three)),
	} {
		if n := testing.AllocsPerRun(100, func() { in.Eval(ctx, "http:payments:8443") }); n != 0 {
			t.Errorf("%s: Eval allocates %v times, want 0", name, n)
		}
	}
	if !in.Eval(request(t, 0, &three), "http:payments:8443").Abort {
		t.Error("the third rule did not decide")
	}
}
