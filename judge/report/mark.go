package report

import (
	"slices"
	"time"

	"github.com/brunt-go/brunt/judge/ledger"
	"github.com/brunt-go/brunt/judge/oracle"
)

// MaxMarks is how many calls of an arm a report draws at most.
const MaxMarks = 1000

// Mark is one call in a picture.
type Mark struct {
	Index int
	// At is when the call ended, counted from the start of its arm, Took how
	// long it was.
	At, Took time.Duration
	Outcome  string
	// Fault is what was injected into it, or "".
	Fault string
}

// marks are the calls of an arm in the order they ended: all, or MaxMarks of
// them at even distances.
func marks(entries []ledger.Entry) []Mark {
	trails, _ := oracle.Trails(entries)
	slices.SortStableFunc(trails, func(a, b oracle.Trail) int {
		if a.Entry.At != b.Entry.At {
			return int(a.Entry.At - b.Entry.At)
		}
		return a.Call.Index - b.Call.Index
	})
	out := make([]Mark, 0, min(len(trails), MaxMarks))
	for i := range cap(out) {
		t := trails[i*len(trails)/cap(out)]
		m := Mark{Index: t.Call.Index, At: t.Entry.At, Took: t.Call.Took, Outcome: t.Call.Outcome}
		for _, v := range t.Exchanges {
			if v.Decision.Injected {
				m.Fault = v.Decision.Fault
			}
		}
		out = append(out, m)
	}
	return out
}
