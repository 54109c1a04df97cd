package experiment

import (
	"fmt"
	"math"
	"time"

	"github.com/brunt-go/brunt/judge/ledger"
	"github.com/brunt-go/brunt/judge/oracle"
)

// receipt compares what the injector says it did in a fault's arm with what
// others saw.
func receipt(f Fault, arm Arm) Receipt {
	r := Receipt{Arm: arm.Name, Point: f.At, Planned: arm.Planned, Injected: arm.Figures.Injected}
	decisions, seen := map[uint64]ledger.Decision{}, map[uint64]ledger.Entry{}
	for entry, d := range ledger.All[ledger.Decision](arm.Entries) {
		if entry.Point == f.At {
			decisions[d.Exchange] = d
		}
	}
	for entry, x := range ledger.All[ledger.Exchange](arm.Entries) {
		if entry.Point == f.At {
			seen[x.ID] = entry
		}
	}
	removed := removal(arm.Entries)
	missing := 0 // broken, and their end not seen
	var unlike ledger.Exchange
	for id, d := range decisions {
		if !d.Injected {
			continue
		}
		entry, ended := seen[id]
		x, _ := entry.Event.(ledger.Exchange)
		switch {
		case !ended:
			missing++
		case f.witnessed(x), heldTo(entry.At, x, removed):
			r.Witnessed++
		default:
			unlike = x
		}
	}
	trails, strangers := oracle.Trails(arm.Entries)
	r.Calls = brokenCalls(trails)
	foreign := 0
	for _, v := range strangers {
		if v.Decision.Injected {
			foreign++
		}
	}
	if oracle.Unjoined(trails, strangers) {
		// By another key than the calls', or by none, other requests break
		// than was planned.
		r.Calls, r.Planned = unplanned, unplanned
		foreign = 0
	}
	switch {
	case missing > 0:
		r.Why = fmt.Sprintf("%d of %d broken requests had not ended when the arm was over", missing, r.Injected)
	case r.Witnessed != r.Injected:
		r.Why = fmt.Sprintf("the injector counts %d, the wire shows %d: one that does not look broken was sent status %d and %d bytes, and ended %s", r.Injected, r.Witnessed, unlike.Status, unlike.Bytes, unlike.End)
	case foreign > 0:
		r.Why = fmt.Sprintf("%d of %d broken requests belong to no call of the load: the system loses the trace id and the key of some requests, or somebody else's traffic passes the proxy", foreign, r.Injected)
	}
	r.Agree = r.Why == ""
	return r
}

// removal is when the faults of an arm were removed.
func removal(entries []ledger.Entry) time.Duration {
	for entry, note := range ledger.All[ledger.Note](entries) {
		if note.What == ledger.NoteRemoved {
			return entry.At
		}
	}
	return math.MaxInt64
}

// heldTo reports whether an exchange, which ended at the time given, was silent
// until the faults were removed. A caller without a timeout is still waiting
// then, and gets its answer.
func heldTo(end time.Duration, x ledger.Exchange, removed time.Duration) bool {
	return x.Status != 0 && end-x.Took+x.FirstByte >= removed
}

// witnessed reports whether x shows every fault of f.
func (f Fault) witnessed(x ledger.Exchange) bool {
	for _, fault := range f.Rule.Faults {
		if !fault.Witnessed(x) {
			return false
		}
	}
	return true
}

func brokenCalls(trails []oracle.Trail) (n int) {
	for _, t := range trails {
		if t.Broken() {
			n++
		}
	}
	return n
}
