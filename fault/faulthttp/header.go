package faulthttp

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"go.opentelemetry.io/otel/baggage"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/brunt-go/brunt/fault"
	"github.com/brunt-go/brunt/internal/baggageheader"
)

// carried returns ctx with the scenario of the request it belongs to in its
// baggage, and whether there is one, even one that can't be read. Where
// OpenTelemetry is set up, a context holds all that the header says. Where it
// isn't, or where a header was written by hand, the header is read here.
func carried(ctx context.Context, header http.Header, faults fault.Injector) (context.Context, bool) {
	if !faults.Carries(ctx) {
		lines := header[baggageheader.Name]
		if !slices.ContainsFunc(lines, faults.MayBeIn) || known(baggage.FromContext(ctx), lines) {
			return ctx, false
		}
		scenario, _, found := baggageheader.Split(lines, faults)
		if !found {
			return ctx, false
		}
		b := baggage.FromContext(ctx)
		if b.Len() == 0 {
			b = baggageheader.Read(lines, scenario)
		} else {
			b = baggageheader.Add(b, scenario)
		}
		ctx = baggage.ContextWithBaggage(ctx, b)
	}
	if !trace.SpanContextFromContext(ctx).IsValid() {
		// The trace identifies the request to rules about a share of them.
		ctx = propagation.TraceContext{}.Extract(ctx, propagation.HeaderCarrier(header))
	}
	return ctx, true
}

// known reports whether b has a member of each key in lines. It is what tells a
// header OpenTelemetry has read or written without parsing it again.
func known(b baggage.Baggage, lines []string) bool {
	for _, line := range lines {
		for text := range strings.SplitSeq(line, ",") {
			key, _, _ := strings.Cut(text, "=")
			if key = strings.TrimSpace(key); key != "" && b.Member(key).Key() == "" {
				return false
			}
		}
	}
	return true
}
