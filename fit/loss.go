package fit

import (
	"errors"
	"fmt"
	"slices"

	"go.opentelemetry.io/otel/baggage"
)

// The limits OpenTelemetry reads a baggage header with. It drops what is over
// them without an error anyone sees: any members past the 64th, and all of a
// header over 8192 bytes.
const (
	// MaxMembers is how many members arrive.
	MaxMembers = 64
	// MaxBytes is how long the whole header may be, percent-encoded.
	MaxBytes = 8192
)

// CheckBaggage says which members of after would be dropped without a word on
// the way to the next hop: any, when they are too many or too long together, and
// one that before doesn't have and whose key is no W3C baggage key.
func CheckBaggage(before, after baggage.Baggage) error {
	var problems []error
	sent, size := 0, 0
	var unsent []string
	for _, m := range after.Members() {
		text := m.String()
		if text == "" {
			if before.Member(m.Key()).Key() == "" {
				unsent = append(unsent, m.Key())
			}
			continue
		}
		sent++
		size += len(text) + 1 // and a comma
	}
	slices.Sort(unsent)
	for _, key := range unsent {
		problems = append(problems, fmt.Errorf("member %s: its key is no W3C baggage key, so a propagator leaves it out", excerpt(key)))
	}
	if sent > MaxMembers {
		problems = append(problems, fmt.Errorf("%d members: the next hop keeps any %d of them", sent, MaxMembers))
	}
	if size--; size > MaxBytes {
		problems = append(problems, fmt.Errorf("%d bytes: the next hop drops every member of a header over %d", size, MaxBytes))
	}
	if len(problems) == 0 {
		return nil
	}
	return fmt.Errorf("fit: baggage would be dropped: %w", errors.Join(problems...))
}
