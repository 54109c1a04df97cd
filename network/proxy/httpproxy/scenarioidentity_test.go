package httpproxy_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"go.opentelemetry.io/otel/baggage"
	"go.opentelemetry.io/otel/propagation"

	"github.com/brunt-go/brunt/fit"
	"github.com/brunt-go/brunt/network/proxy/httpproxy"
)

// The attempts of a call are the requests of one trace that look alike.
func TestScenarios_attempts(t *testing.T) {
	t.Parallel()
	const one, other = "4bf92f3577b34da6a3ce929d0e0e4736", "0af7651916cd43dd8448eb211c80319c"
	header := carrying(t, fit.Rule{Point: point, Attempts: fit.Attempts{First: 1, Last: 2}, Fault: fit.Fault{Reply: fit.Reply{Status: 503}}})
	inFakeTime(t, hello, func(r *rig) {
		var list []string
		for _, call := range []struct{ trace, path string }{
			{one, "/a"}, {one, "/a"}, {one, "/b"}, {other, "/a"}, {one, "/a"}, {one, "/b"}, {one, "/b"}, {"", "/a"}, {"", "/a"}, {"", "/a"},
		} {
			list = append(list, fmt.Sprint(r.call(r.client, call.path, header, call.trace, patience).status))
		}
		if got, want := strings.Join(list, " "), "503 503 503 503 200 503 200 503 503 503"; got != want {
			t.Errorf("answered %s, want %s", got, want)
		}
	}, httpproxy.WithScenarios(codec(t), everyone))
}

// A share hits the requests that a client of the same point would break.
func TestScenarios_share(t *testing.T) {
	t.Parallel()
	rule := fit.Rule{Point: point, Share: 0.3, Seed: 7, Fault: fit.Fault{Reply: fit.Reply{Status: 503}}}
	header := carrying(t, rule)
	client := fit.NewEvaluator(codec(t), time.Second, nil)
	b, err := baggage.Parse(header)
	if err != nil {
		t.Fatal(err)
	}
	inFakeTime(t, hello, func(r *rig) {
		hits := 0
		for i := range 200 {
			trace := fmt.Sprintf("4bf92f3577b34da6a3ce929d%08x", i+1)
			ctx := propagation.TraceContext{}.Extract(baggage.ContextWithBaggage(r.t.Context(), b),
				propagation.MapCarrier{"traceparent": "00-" + trace + "-00f067aa0ba902b7-01"})
			want := 200
			if client.Eval(ctx, point) != (fit.Fault{}) {
				want, hits = 503, hits+1
			}
			if g := r.call(r.client, "/", header, trace, patience); g.status != want {
				t.Errorf("trace %s: %d, a client would see %d", trace, g.status, want)
			}
		}
		if hits < 40 || hits > 80 {
			t.Errorf("%d of 200 hit, want about 60", hits)
		}
	}, httpproxy.WithScenarios(codec(t), everyone))
}
