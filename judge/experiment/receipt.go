package experiment

import (
	"fmt"

	"github.com/brunt-go/brunt/judge/ledger"
	"github.com/brunt-go/brunt/judge/oracle"
)

// receipt compares what the injector says it did in a fault's arm with what
// others saw.
func receipt(f Fault, arm Arm) Receipt {
	r := Receipt{Arm: arm.Name, Point: f.At, Planned: arm.Planned, Injected: arm.Figures.Injected}
	decisions, seen := map[uint64]ledger.Decision{}, map[uint64]ledger.Exchange{}
	for entry, d := range ledger.All[ledger.Decision](arm.Entries) {
		if entry.Point == f.At {
			decisions[d.Exchange] = d
		}
	}
	for entry, x := range ledger.All[ledger.Exchange](arm.Entries) {
		if entry.Point == f.At {
			seen[x.ID] = x
		}
	}
	missing := 0 // broken, and their end not seen
	var unlike ledger.Exchange
	for id, d := range decisions {
		if !d.Injected {
			continue
		}
		x, ended := seen[id]
		switch {
		case !ended:
			missing++
		case f.witnessed(x):
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
	if r.Calls == 0 && foreign == r.Injected && foreign > 0 {
		r.Calls = unplanned // nothing joins requests and calls
		foreign = 0
	}
	switch {
	case missing > 0:
		r.Why = fmt.Sprintf("%d of %d broken requests had not ended when the arm was over", missing, r.Injected)
	case r.Witnessed != r.Injected:
		r.Why = fmt.Sprintf("the injector counts %d, the wire shows %d: one that does not look broken was sent status %d and %d bytes, and ended %s", r.Injected, r.Witnessed, unlike.Status, unlike.Bytes, unlike.End)
	case foreign > 0:
		r.Why = fmt.Sprintf("%d of %d broken requests belong to no call of the load: somebody else's traffic passes the proxy", foreign, r.Injected)
	}
	r.Agree = r.Why == ""
	return r
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
