package faulthttp

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/baggage"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/brunt-go/brunt/fit"
	"github.com/brunt-go/brunt/internal/baggageheader"
)

// outgoing is what is sent for req, whose scenario is in ctx: a clone, with the
// scenario or without. Its context agrees with its headers, because another
// RoundTripper inside may write them again.
func (t *Transport) outgoing(ctx context.Context, req *http.Request) *http.Request {
	if t.forward {
		out := req.Clone(ctx)
		t.write(ctx, out.Header)
		return out
	}
	stripped, _ := t.faults.Strip(ctx)
	out := req.Clone(stripped)
	baggageheader.Strip(out.Header, t.faults) // a header by hand, too, that no propagator is to write
	if t.propagator == nil {
		return out
	}
	for _, field := range t.propagator.Fields() {
		out.Header.Del(field)
	}
	t.propagator.Inject(stripped, propagation.HeaderCarrier(out.Header))
	return out
}

// write makes sure that the scenario in ctx is in header and arrives: whoever
// reads a header of too many members keeps the first.
func (t *Transport) write(ctx context.Context, header http.Header) {
	if t.propagator != nil {
		t.propagator.Inject(ctx, propagation.HeaderCarrier(header))
		return
	}
	if header.Get("Traceparent") == "" {
		propagation.TraceContext{}.Inject(ctx, propagation.HeaderCarrier(header))
	}
	lines := header[baggageheader.Name]
	if len(lines) == 0 {
		lines = []string{baggage.FromContext(ctx).String()}
	}
	scenario, rest, _ := baggageheader.Split(lines, t.faults)
	if len(scenario) == 0 {
		scenario = t.members(baggage.FromContext(ctx))
	}
	var first []string
	for _, m := range scenario {
		first = append(first, m.String())
	}
	line := strings.Join(append(first, rest...), ",")
	header[baggageheader.Name] = []string{line}
	if n := len(line); n > fit.MaxBytes {
		reportLoss(ctx, fmt.Sprintf("the baggage header has %d bytes: the next hop drops every member of one over %d", n, fit.MaxBytes))
	}
}

// members are those of b that carry a scenario.
func (t *Transport) members(b baggage.Baggage) (scenario []baggage.Member) {
	rest, _ := t.faults.StripBaggage(b)
	for _, m := range b.Members() {
		if rest.Member(m.Key()).Key() == "" {
			scenario = append(scenario, m)
		}
	}
	return scenario
}

// reportLoss says on the span in ctx that the scenario sent on won't arrive.
func reportLoss(ctx context.Context, why string) {
	if span := trace.SpanFromContext(ctx); span.IsRecording() {
		span.AddEvent("brunt.fit.loss", trace.WithAttributes(attribute.String("error.message", why)))
	}
}
