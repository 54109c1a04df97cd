package oracle

import (
	"fmt"
	"time"

	"github.com/brunt-go/brunt/judge/ledger"
)

// TimeoutEngaged holds when every call that a fault held was ended by its
// caller's timeout: not later than that, and not because the fault was over.
type TimeoutEngaged struct {
	// Point narrows the oracle to one injection point. Default: all.
	Point string
	// Timeout is the declared timeout of the caller. Required, > 0.
	Timeout time.Duration
	// Slack is how far from Timeout, either way, the caller may give up: its
	// clock starts a little before the request arrives at the point. Must be
	// >= 0; in fake time 0 holds.
	Slack time.Duration
}

var _ Oracle = TimeoutEngaged{}

// Name implements Oracle.
func (TimeoutEngaged) Name() string { return "timeout_engaged" }

// Check implements Oracle.
func (o TimeoutEngaged) Check(e Evidence) []Finding {
	trails, strangers := Trails(e.Entries)
	if Unjoined(trails, strangers) {
		// Each request stands for itself.
		trails = nil
		for _, v := range strangers {
			trails = append(trails, Trail{Exchanges: []Visit{v}})
		}
	}
	var heldCalls int
	var bad []Trail
	var worst string
	for _, t := range trails {
		for _, v := range t.Exchanges {
			if !v.holds() || o.Point != "" && v.Point != o.Point {
				continue
			}
			heldCalls++
			if why := o.violated(v.Exchange); why != "" {
				if bad == nil {
					worst = why
				}
				bad = append(bad, t)
				break
			}
		}
	}
	if len(bad) == 0 {
		return nil
	}
	f := Finding{
		Oracle: o.Name(), Arm: e.Arm, Point: brokenAt(bad[0]), Guard: "timeout",
		Message: fmt.Sprintf("the timeout did not end %d of %d held calls: %s", len(bad), heldCalls, worst),
		Got:     fmt.Sprintf("%d held calls ended otherwise", len(bad)),
		Want:    fmt.Sprintf("each given up on between %v and %v", o.Timeout-o.Slack, o.Timeout+o.Slack),
	}
	if bad[0].Entry.Event == nil { // a request without its call
		f.Got += ", such as " + bad[0].Exchanges[0].String()
	} else {
		f.Example = bad[0].Example()
	}
	return []Finding{f}
}

// violated says why a held exchange was not ended by the timeout, or "".
func (o TimeoutEngaged) violated(x ledger.Exchange) string {
	took := x.Took.Round(100 * time.Microsecond)
	switch {
	case x.End != ledger.EndAbandoned:
		return fmt.Sprintf("the caller waited %v until the fault was over", took)
	case x.Took < o.Timeout-o.Slack:
		return fmt.Sprintf("the caller gave up after %v, before its timeout of %v", took, o.Timeout)
	case x.Took > o.Timeout+o.Slack:
		return fmt.Sprintf("the caller gave up only after %v", took)
	}
	return ""
}

// holds reports whether a fault was injected that makes its caller wait.
func (v Visit) holds() bool { return v.Decision.Injected && v.Decision.Holds }
