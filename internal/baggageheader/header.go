// Package baggageheader finds scenarios in the text of baggage headers, for what
// handles headers that no propagator has read: it takes a scenario out and leaves
// everything else as it was written.
package baggageheader

import (
	"net/http"
	"strings"

	"go.opentelemetry.io/otel/baggage"

	"github.com/brunt-go/brunt/fit"
)

// Name is W3C's header, as http.Header spells it.
const Name = "Baggage"

// Finder knows which members carry a scenario: a fit.Evaluator or what is built
// on one.
type Finder interface {
	// MayBeIn is a quick look at the text of a header: false is certain.
	MayBeIn(text string) bool
	// StripBaggage returns b without a scenario, and whether there was one.
	StripBaggage(b baggage.Baggage) (baggage.Baggage, bool)
}

// Split returns the members of lines that carry a scenario, the lines without
// them, everything else as it was written, and whether there were any. Each
// member is parsed by itself, so that too many of them hide none.
func Split(lines []string, f Finder) (scenario []baggage.Member, rest []string, found bool) {
	for _, line := range lines {
		if !f.MayBeIn(line) {
			rest = append(rest, line)
			continue
		}
		var kept strings.Builder // a header of a million commas is one string
		empty := true
		for text := range strings.SplitSeq(line, ",") {
			members, carries := scenarioIn(text, f)
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
func scenarioIn(text string, f Finder) ([]baggage.Member, bool) {
	if text == "" || !f.MayBeIn(text) {
		return nil, false
	}
	b, err := baggage.Parse(text)
	if err != nil {
		// It can't be read here, and might be elsewhere: go by its key.
		key, _, _ := strings.Cut(text, "=")
		b, _ = baggage.Parse(key + "=")
	}
	if _, carries := f.StripBaggage(b); !carries {
		return nil, false
	}
	if err != nil {
		return nil, true
	}
	return b.Members(), true
}

// Read returns what lines say as OpenTelemetry reads them, which gives what it
// can read, with the members of scenario in it, however many there are beside.
func Read(lines []string, scenario []baggage.Member) baggage.Baggage {
	b, _ := baggage.Parse(strings.Join(lines, ","))
	return Add(b, scenario)
}

// Add returns b with members in it, the last of them if there are more than
// baggage may have: a header is as long as its writer liked.
func Add(b baggage.Baggage, members []baggage.Member) baggage.Baggage {
	members = members[max(0, len(members)-fit.MaxMembers):]
	for _, m := range members {
		if with, err := b.SetMember(m); err == nil {
			b = with
		}
	}
	return b
}

// Strip takes the scenario out of header.
func Strip(header http.Header, f Finder) {
	lines := header[Name]
	if len(lines) == 0 {
		return
	}
	_, rest, _ := Split(lines, f)
	Set(header, rest)
}

// Set makes lines the header's baggage, and no lines no baggage.
func Set(header http.Header, lines []string) {
	if len(lines) > 0 {
		header[Name] = lines
	} else {
		delete(header, Name)
	}
}
