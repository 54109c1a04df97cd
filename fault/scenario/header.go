package scenario

import (
	"errors"
	"fmt"
	"strings"

	"go.opentelemetry.io/otel/baggage"

	"github.com/brunt-go/brunt/fit"
)

// Header returns the value of a baggage header that carries s, written by
// encoder, and the members of rest, another header's value or "". The scenario
// comes first, since a reader keeps the first 64 members. It fails when any
// member would be dropped on the way.
func Header(encoder fit.Encoder, s fit.Scenario, rest string) (string, error) {
	b, err := encoder.Encode(baggage.Baggage{}, s)
	if err != nil {
		return "", err
	}
	if err := fit.CheckBaggage(baggage.Baggage{}, b); err != nil {
		return "", err
	}
	value := b.String()
	for _, m := range list(rest) {
		if b.Member(m.Key).Key() == "" { // of two the last would win
			value += "," + m.Text
		}
	}
	if n := len(value); n > fit.MaxBytes {
		return "", fmt.Errorf("the header would have %d bytes, must be at most %d: every member of a longer one is dropped", n, fit.MaxBytes)
	}
	var problems []error
	for _, m := range fates(value) {
		if m.Dropped != "" {
			problems = append(problems, fmt.Errorf("member %s would be dropped: %s", m.Key, m.Dropped))
		}
	}
	if len(problems) > 0 {
		return "", errors.Join(problems...)
	}
	return value, nil
}

// Reading is what a baggage header says, and what of it arrives.
type Reading struct {
	// Members are the header's, as they are written.
	Members []Member
	// Found is whether a scenario arrives.
	Found bool
	// Scenario is the one that does.
	Scenario fit.Scenario
	// Err is why a service would reject it, or nil.
	Err error
}

// Member is a member of a baggage header.
type Member struct {
	// Text is the member as it is written.
	Text string
	// Key is its key, or what stands in its place.
	Key string
	// Dropped says why a service that reads the header with OpenTelemetry
	// doesn't get it, or is "". Such a service is told nothing.
	Dropped string
}

// Read reads the value of a baggage header, with or without "baggage:" before
// it, as a service does whose Decoder is decoder.
func Read(decoder fit.Decoder, header string) Reading {
	if name, value, ok := strings.Cut(header, ":"); ok && strings.EqualFold(strings.TrimSpace(name), "baggage") {
		header = value
	}
	header = strings.TrimSpace(header)
	var r Reading
	r.Members = fates(header)
	b, _ := baggage.Parse(header) // fates says the same of each member
	r.Scenario, r.Found, r.Err = decoder.Decode(b)
	return r
}

// list splits a header's value.
func list(value string) (all []Member) {
	for text := range strings.SplitSeq(value, ",") {
		if strings.TrimSpace(text) == "" {
			continue
		}
		key, _, _ := strings.Cut(text, "=")
		all = append(all, Member{Text: text, Key: strings.TrimSpace(key)})
	}
	return all
}

// fates says of each member of value whether it arrives, as [baggage.Parse]
// decides.
func fates(value string) []Member {
	all := list(value)
	if n := len(value); n > fit.MaxBytes {
		for i := range all {
			all[i].Dropped = fmt.Sprintf("the header has %d bytes, and every member of one over %d goes", n, fit.MaxBytes)
		}
		return all
	}
	sizes := map[string]int{} // of what arrived so far
	last := map[string]int{}  // where it is
	total, stopped := 0, ""
	for i := range all {
		m := &all[i]
		if stopped == "" && len(sizes) >= fit.MaxMembers {
			stopped = fmt.Sprintf("it comes after %d others", fit.MaxMembers)
		}
		if stopped != "" {
			m.Dropped = stopped
			continue
		}
		b, err := baggage.Parse(m.Text)
		// A member may get longer by being read: what is no UTF-8 is replaced by
		// three bytes, each of which takes three again in a header.
		tooLong := err != nil && strings.Contains(err.Error(), "too large")
		if err != nil && !tooLong {
			m.Dropped = fmt.Sprintf("it can't be read: %v", err)
			continue
		}
		size := len(b.String())
		if _, known := sizes[m.Key]; !known && len(sizes) > 0 {
			size++ // a comma
		}
		if tooLong || total+size-sizes[m.Key] > fit.MaxBytes {
			stopped = fmt.Sprintf("once read, the header up to member %s has over %d bytes", m.Key, fit.MaxBytes)
			m.Dropped = stopped
			continue
		}
		if before, known := last[m.Key]; known {
			all[before].Dropped = "a later one of the same key takes its place"
		}
		total += size - sizes[m.Key]
		sizes[m.Key], last[m.Key] = size, i
	}
	return all
}
