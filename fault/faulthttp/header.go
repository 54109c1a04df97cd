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
	"github.com/brunt-go/brunt/fit"
)

// baggageHeader is W3C's, as http.Header spells it.
const baggageHeader = "Baggage"

// carried returns ctx with the scenario of the request it belongs to in its
// baggage, and whether there is one, even one that can't be read. Where
// OpenTelemetry is set up, a context holds all that the header says. Where it
// isn't, or where a header was written by hand, the header is read here.
func carried(ctx context.Context, header http.Header, faults fault.Injector) (context.Context, bool) {
	if !faults.Carries(ctx) {
		lines := header[baggageHeader]
		if !slices.ContainsFunc(lines, faults.MayBeIn) || known(baggage.FromContext(ctx), lines) {
			return ctx, false
		}
		scenario, _, found := split(lines, faults)
		if !found {
			return ctx, false
		}
		b := baggage.FromContext(ctx)
		if b.Len() == 0 {
			// As OpenTelemetry reads it, which gives what it can read.
			b, _ = baggage.Parse(strings.Join(lines, ","))
		}
		ctx = baggage.ContextWithBaggage(ctx, add(b, scenario))
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

// split returns the members of lines that carry a scenario, the lines without
// them, everything else as it was written, and whether there were any. Each
// member is parsed by itself, so that too many of them hide none.
func split(lines []string, faults fault.Injector) (scenario []baggage.Member, rest []string, found bool) {
	for _, line := range lines {
		if !faults.MayBeIn(line) {
			rest = append(rest, line)
			continue
		}
		var kept strings.Builder // a header of a million commas is one string
		empty := true
		for text := range strings.SplitSeq(line, ",") {
			members, carries := scenarioIn(text, faults)
			if carries {
				found = true
				scenario = append(scenario, members...)
				continue
			}
			if !empty {
				kept.WriteByte(',')
			}
			kept.WriteString(text)
			empty = false
		}
		if !empty {
			rest = append(rest, kept.String())
		}
	}
	return scenario, rest, found
}

// scenarioIn returns the member in text and true if it carries a scenario, even
// one that can't be read: that is true and no member.
func scenarioIn(text string, faults fault.Injector) ([]baggage.Member, bool) {
	if text == "" || !faults.MayBeIn(text) {
		return nil, false
	}
	b, err := baggage.Parse(text)
	if err != nil {
		// It can't be read here, and might be elsewhere: go by its key.
		key, _, _ := strings.Cut(text, "=")
		b, _ = baggage.Parse(key + "=")
	}
	if _, carries := faults.StripBaggage(b); !carries {
		return nil, false
	}
	if err != nil {
		return nil, true
	}
	return b.Members(), true
}

// strip takes the scenario out of header.
func strip(header http.Header, faults fault.Injector) {
	lines := header[baggageHeader]
	if len(lines) == 0 {
		return
	}
	if _, rest, _ := split(lines, faults); len(rest) > 0 {
		header[baggageHeader] = rest
	} else {
		delete(header, baggageHeader)
	}
}

// add returns b with members in it, the last of them if there are more than
// baggage may have: a header is as long as its writer liked.
func add(b baggage.Baggage, members []baggage.Member) baggage.Baggage {
	members = members[max(0, len(members)-fit.MaxMembers):]
	for _, m := range members {
		if with, err := b.SetMember(m); err == nil {
			b = with
		}
	}
	return b
}
