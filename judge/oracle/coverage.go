package oracle

import "fmt"

// Coverage holds when every call of the load that was answered passed the
// injection point: a call that went around it can never be broken, and a table
// stays green where no fault was ever tried.
type Coverage struct {
	// Point is the injection point. Required.
	Point string
}

var _ Oracle = Coverage{}

// Name implements Oracle.
func (Coverage) Name() string { return "coverage" }

// Check implements Oracle. It judges the baseline too, where no breaker and no
// fallback has a reason to keep a call away.
func (o Coverage) Check(e Evidence) []Finding {
	trails, strangers := Trails(e.Baseline)
	var around []Trail
	for _, t := range trails {
		if t.Call.Outcome == Full && !o.passed(t) {
			around = append(around, t)
		}
	}
	// Where nothing joins calls and requests, their numbers still tell.
	uncovered := len(around)
	if len(strangers) > 0 {
		uncovered -= len(strangers)
	}
	if uncovered <= 0 {
		return nil
	}
	return []Finding{{
		Oracle: o.Name(), Arm: e.Arm, Point: o.Point, Guard: "injection point",
		Message: fmt.Sprintf("%d of %d calls were answered in full without passing %s: a client somewhere goes around it", uncovered, len(trails), o.Point),
		Got:     fmt.Sprintf("%d calls around %s", uncovered, o.Point),
		Want:    "0",
		Example: around[0].Example(),
	}}
}

func (o Coverage) passed(t Trail) bool {
	for _, v := range t.Exchanges {
		if v.Point == o.Point {
			return true
		}
	}
	return false
}
