package fault_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/attribute"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/brunt-go/brunt/fit"
)

type attrs = map[attribute.Key]any

// R25, R31, R180, R187: one event an evaluation, on the span in the context,
// with the names as written, whatever provider the span is of.
func TestInjector_evaluationEvent(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name  string
		rule  fit.Rule
		carry string
		want  attrs
	}{
		// R181: the rule's point, the delay in seconds, the abort.
		{"abort", fit.Rule{Point: "postgresql:*", Fault: fit.Fault{Abort: true}}, "it", attrs{
			"brunt.fit.point": point, "brunt.fit.rule": "postgresql:*", "brunt.fit.delay": 0.0, "brunt.fit.abort": true}},
		{"delay", fit.Rule{Point: "*", Fault: fit.Fault{Delay: 1500 * time.Millisecond}}, "it", attrs{
			"brunt.fit.point": point, "brunt.fit.rule": "*", "brunt.fit.delay": 1.5, "brunt.fit.abort": false}},
		// R184: the clamped value.
		{"clamped", fit.Rule{Point: "*", Fault: fit.Fault{Delay: time.Hour}}, "it", attrs{
			"brunt.fit.point": point, "brunt.fit.rule": "*", "brunt.fit.delay": 10.0, "brunt.fit.abort": false}},
		// R183, R7: the point alone.
		{"unmatched", fit.Rule{Point: "http:*", Fault: fit.Fault{Abort: true}}, "it", attrs{"brunt.fit.point": point}},
		// R182, R10: why the Decoder rejected it.
		{"rejected", fit.Rule{Point: "*"}, "unknown", attrs{
			"brunt.fit.point": point, "error.type": "*errors.errorString", "error.message": "unknown scenario"}},
		// X3, X4: only where used.
		{"reply", fit.Rule{Point: "*", Fault: fit.Fault{Reply: fit.Reply{Status: 503, GRPCCode: 14}}}, "it", attrs{
			"brunt.fit.point": point, "brunt.fit.rule": "*", "brunt.fit.delay": 0.0, "brunt.fit.abort": false,
			"brunt.fit.reply.status": int64(503), "brunt.fit.reply.grpc_code": int64(14)}},
		{"lost", fit.Rule{Point: "*", Fault: fit.Fault{Lost: true}}, "it", attrs{
			"brunt.fit.point": point, "brunt.fit.rule": "*", "brunt.fit.delay": 0.0, "brunt.fit.abort": false, "brunt.fit.lost": true}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			in, _ := scenario(t, fit.Scenario{Rules: []fit.Rule{row.rule}})
			events := recorded(t, carrying(t, t.Context(), row.carry), func(ctx context.Context) { in.Eval(ctx, point) })
			if len(events) != 1 || events[0].Name != "brunt.fit.evaluation" {
				t.Fatalf("events %+v, want one brunt.fit.evaluation", events)
			}
			if diff := cmp.Diff(row.want, attributes(events[0])); diff != "" {
				t.Errorf("attributes (-want +got):\n%s", diff)
			}
		})
	}
}

// R25: every evaluation; R6: none without a scenario; R7: a scenario with no
// rules lists the points a request passes.
func TestInjector_everyEvaluation(t *testing.T) {
	t.Parallel()
	in, ctx := scenario(t, fit.Scenario{})
	points := []string{"http:payments:8443", point, point}
	pass := func(ctx context.Context) {
		for _, p := range points {
			in.Eval(ctx, p)
		}
	}
	var got []string
	for _, e := range recorded(t, ctx, pass) {
		got = append(got, attributes(e)["brunt.fit.point"].(string))
	}
	if diff := cmp.Diff(points, got); diff != "" {
		t.Errorf("points (-want +got):\n%s", diff)
	}
	if events := recorded(t, t.Context(), pass); len(events) != 0 {
		t.Errorf("without a scenario there are events: %+v", events)
	}
}

// R185: a strip is an event without attributes, and nothing stripped is none.
func TestInjector_stripEvent(t *testing.T) {
	t.Parallel()
	in, ctx := injecting(t, fit.Fault{})
	events := recorded(t, ctx, func(ctx context.Context) {
		ctx, _ = in.Strip(ctx)
		in.Strip(ctx)
	})
	if len(events) != 1 || events[0].Name != "brunt.fit.strip" || len(events[0].Attributes) != 0 {
		t.Errorf("events %+v, want one brunt.fit.strip without attributes", events)
	}
}

// R33: an evaluation starts no span and needs none.
func TestInjector_noSpanOfItsOwn(t *testing.T) {
	t.Parallel()
	in, ctx := injecting(t, fit.Fault{Abort: true})
	recorder := tracetest.NewSpanRecorder()
	provider := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(recorder), sdktrace.WithSampler(sdktrace.NeverSample()))
	ctx, span := provider.Tracer("test").Start(ctx, "attempt")
	if !in.Eval(ctx, point).Abort {
		t.Error("an unsampled request was spared")
	}
	in.Strip(ctx)
	span.End()
	if n := len(recorder.Started()); n != 0 {
		t.Errorf("%d spans were recorded, want none", n)
	}
}
