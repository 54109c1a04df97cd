package oracle

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/brunt-go/brunt/judge/ledger"
)

// Trail is one call of the load with everything that happened on its way,
// joined by trace id or, where a service passes none on, by key.
type Trail struct {
	Entry     ledger.Entry
	Call      ledger.Call
	Exchanges []Visit
}

// Visit is one request at an injection point: what was decided about it, and
// what passed on the wire.
type Visit struct {
	Point    string
	Attempt  int
	Decision ledger.Decision
	Exchange ledger.Exchange
}

// Broken reports whether a fault was injected into any request of the call.
func (t Trail) Broken() bool {
	for _, v := range t.Exchanges {
		if v.Decision.Injected {
			return true
		}
	}
	return false
}

// Trails joins the entries of an arm, in the order of the calls' indexes, so that
// the first that shows something is the same in a replay. Strangers are the
// visits that belong to no call.
func Trails(entries []ledger.Entry) (trails []Trail, strangers []Visit) {
	byTrace, byKey := map[string]int{}, map[string]int{}
	for entry, call := range ledger.All[ledger.Call](entries) {
		if entry.Trace != "" {
			byTrace[entry.Trace] = len(trails)
		}
		if entry.Key != "" {
			byKey[entry.Key] = len(trails)
		}
		trails = append(trails, Trail{Entry: entry, Call: call})
	}
	find := func(e ledger.Entry) (int, bool) {
		if i, ok := byTrace[e.Trace]; ok && e.Trace != "" {
			return i, true
		}
		i, ok := byKey[e.Key]
		return i, ok && e.Key != ""
	}
	type id struct {
		point    string
		exchange uint64
	}
	decisions := map[id]ledger.Decision{}
	for entry, d := range ledger.All[ledger.Decision](entries) {
		decisions[id{entry.Point, d.Exchange}] = d
	}
	for entry, x := range ledger.All[ledger.Exchange](entries) {
		v := Visit{entry.Point, entry.Attempt, decisions[id{entry.Point, x.ID}], x}
		if i, ok := find(entry); ok {
			trails[i].Exchanges = append(trails[i].Exchanges, v)
		} else {
			strangers = append(strangers, v)
		}
	}
	slices.SortStableFunc(trails, func(a, b Trail) int { return cmp.Compare(a.Call.Index, b.Call.Index) })
	return trails, strangers
}

// Unjoined reports whether nothing joins the calls of an arm and the requests at
// its injection points: the system passes on neither the trace id nor the key.
// What is said about such an arm is said by counting.
func Unjoined(trails []Trail, strangers []Visit) bool {
	for _, t := range trails {
		if len(t.Exchanges) > 0 {
			return false
		}
	}
	return len(strangers) > 0
}

// Example describes the call for a finding.
func (t Trail) Example() *Example {
	e := &Example{
		Index: t.Call.Index, Key: t.Entry.Key, Trace: t.Entry.Trace,
		Outcome: t.Call.Outcome, Status: t.Call.Status, Took: t.Call.Took,
	}
	for _, v := range t.Exchanges {
		if v.Decision.Injected {
			e.Fault = v.Decision.Fault
		}
		e.Wire = append(e.Wire, v.String())
	}
	return e
}

// String says in one line what passed on the wire.
func (v Visit) String() string {
	x := v.Exchange
	what := fmt.Sprintf("%s %s at %s, attempt %d", x.Method, x.Path, v.Point, v.Attempt)
	if v.Decision.Injected {
		what += ", broken by " + v.Decision.Fault
	}
	took := x.Took.Round(100 * time.Microsecond)
	switch x.End {
	case ledger.EndAnswered:
		return fmt.Sprintf("%s: answered %d after %v", what, x.Status, took)
	case ledger.EndAbandoned:
		return fmt.Sprintf("%s: the caller gave up after %v", what, took)
	case ledger.EndFailed:
		return fmt.Sprintf("%s: the upstream failed after %v: %s", what, took, x.Error)
	default:
		return fmt.Sprintf("%s: cut after %v and %d bytes", what, took, x.Bytes)
	}
}
