package oracle

import (
	"fmt"

	"github.com/brunt-go/brunt/judge/ledger"
)

// FallbackEngaged holds when every broken call was answered by a fallback, and
// nothing else was: degraded answers are at least as many as broken calls, and
// each belongs to a broken call or to the noise of a fault-free run.
type FallbackEngaged struct{}

var _ Oracle = FallbackEngaged{}

// Name implements Oracle.
func (FallbackEngaged) Name() string { return "fallback_engaged" }

// Check implements Oracle.
func (o FallbackEngaged) Check(e Evidence) []Finding {
	trails, strangers := Trails(e.Entries)
	if Unjoined(trails, strangers) {
		return o.count(e, trails, strangers)
	}
	noisy := degradedKeys(e)
	var broken, engaged, unexplained []Trail
	for _, t := range trails {
		degraded := t.Call.Outcome == Degraded
		switch {
		case t.Broken():
			broken = append(broken, t)
			if degraded {
				engaged = append(engaged, t)
			}
		case degraded && !noisy[t.Entry.Key]:
			unexplained = append(unexplained, t)
		}
	}
	var findings []Finding
	if len(engaged) < len(broken) {
		findings = append(findings, o.notEngaged(e, broken, len(engaged)))
	}
	if share := float64(len(unexplained)) / float64(max(1, len(trails))); share > e.Noise {
		findings = append(findings, Finding{
			Oracle: o.Name(), Arm: e.Arm, Guard: "fallback",
			Message: fmt.Sprintf("the fallback hides healthy answers: %d calls were degraded although nothing was injected into them and the baseline answered them in full", len(unexplained)),
			Got:     fmt.Sprintf("%d of %d calls degraded without a cause", len(unexplained), len(trails)),
			Want:    fmt.Sprintf("at most the noise, %.4g of them", e.Noise),
			Example: unexplained[0].Example(),
		})
	}
	return findings
}

// notEngaged names the guard that should have led to the fallback and did not.
func (o FallbackEngaged) notEngaged(e Evidence, broken []Trail, engaged int) Finding {
	f := Finding{
		Oracle: o.Name(), Arm: e.Arm, Guard: "fallback",
		Got:  fmt.Sprintf("%d degraded answers", engaged),
		Want: fmt.Sprintf("%d, one for each broken call", len(broken)),
	}
	var full, dropped, silent int
	for _, t := range broken {
		switch t.Call.Outcome {
		case Full:
			full++
		case Dropped:
			dropped++
			if t.Call.Status == 0 {
				silent++
			}
		case Degraded:
			continue
		}
		if f.Example == nil {
			f.Example = t.Example()
			f.Point = brokenAt(t)
		}
	}
	if full > dropped {
		f.Guard = "timeout"
		f.Message = fmt.Sprintf("the timeout did not engage: %d of %d broken calls waited the fault out and came back full, so no fallback had to answer", full, len(broken))
		if !held(broken) {
			f.Guard = "fallback"
			f.Message = fmt.Sprintf("the fallback did not engage: %d of %d broken calls came back full as if nothing had happened", full, len(broken))
			if retried(broken) {
				f.Message = fmt.Sprintf("the fallback had nothing to do: %d of %d broken calls came back full by another attempt; where a retry is the guard, demand full_share and not fallback_engaged", full, len(broken))
			}
		}
	} else {
		f.Message = fmt.Sprintf("the fallback did not engage: %d of %d broken calls were dropped", dropped, len(broken))
		if held(broken) && 2*silent > dropped {
			f.Guard = "timeout"
			f.Message = fmt.Sprintf("the timeout did not engage: %d of %d broken calls were still waiting when the load gave up on them", silent, len(broken))
		}
	}
	return f
}

// count judges an arm in which nothing says which request belongs to which call:
// there have to be as many degraded calls as broken requests, and no more than
// those and the noise.
func (o FallbackEngaged) count(e Evidence, trails []Trail, requests []Visit) []Finding {
	var broken []Visit
	for _, v := range requests {
		if v.Decision.Injected {
			broken = append(broken, v)
		}
	}
	var lost, slowest *Trail // the first dropped call, and the one that took longest to come back full
	figures := Count(e.Entries)
	for i := range trails {
		switch t := &trails[i]; t.Call.Outcome {
		case Dropped:
			if lost == nil {
				lost = t
			}
		case Full:
			if slowest == nil || t.Call.Took > slowest.Call.Took {
				slowest = t
			}
		default: // the fallback did its work
		}
	}
	if len(broken) > figures.Degraded {
		f := Finding{
			Oracle: o.Name(), Arm: e.Arm, Point: broken[0].Point, Guard: "fallback",
			Message: fmt.Sprintf("the fallback did not engage: %d requests were broken, %d calls were degraded and %d dropped", len(broken), figures.Degraded, figures.Dropped),
			Got:     fmt.Sprintf("%d degraded answers", figures.Degraded),
			Want:    fmt.Sprintf("%d, one for each broken request", len(broken)),
		}
		shown := lost
		if lost == nil {
			shown = slowest
			if broken[0].holds() {
				f.Guard = "timeout"
				f.Message = fmt.Sprintf("the timeout did not engage: %d requests were broken and %d calls degraded, the others waited the fault out and came back full", len(broken), figures.Degraded)
			}
		}
		if shown != nil {
			f.Example = shown.Example()
		}
		return []Finding{f}
	}
	usual := Count(e.Baseline).Degraded
	hidden := figures.Degraded - len(broken) - usual
	if figures.Share(hidden) <= e.Noise {
		return nil
	}
	f := Finding{
		Oracle: o.Name(), Arm: e.Arm, Guard: "fallback",
		Message: fmt.Sprintf("the fallback hides healthy answers: %d calls were degraded, %d requests were broken and %d calls are degraded without any fault", figures.Degraded, len(broken), usual),
		Got:     fmt.Sprintf("%d of %d calls degraded without a cause", hidden, len(trails)),
		Want:    fmt.Sprintf("at most the noise, %.4g of them", e.Noise),
	}
	for _, t := range trails {
		if t.Call.Outcome == Degraded {
			f.Example = t.Example()
			break
		}
	}
	return []Finding{f}
}

// degradedKeys are the identities that were degraded without any fault.
func degradedKeys(e Evidence) map[string]bool {
	keys := map[string]bool{}
	trails, _ := Trails(e.Baseline)
	for _, t := range trails {
		if t.Call.Outcome == Degraded && t.Entry.Key != "" {
			keys[t.Entry.Key] = true
		}
	}
	return keys
}

func brokenAt(t Trail) string {
	for _, v := range t.Exchanges {
		if v.Decision.Injected {
			return v.Point
		}
	}
	return ""
}

// retried reports whether any of the trails has an attempt that was left alone
// after one that was broken.
func retried(trails []Trail) bool {
	for _, t := range trails {
		broken := false
		for _, v := range t.Exchanges {
			if broken && !v.Decision.Injected && v.Exchange.End == ledger.EndAnswered {
				return true
			}
			broken = broken || v.Decision.Injected
		}
	}
	return false
}

// held reports whether any of the trails was broken by a fault that makes its
// caller wait.
func held(trails []Trail) bool {
	for _, t := range trails {
		for _, v := range t.Exchanges {
			if v.holds() {
				return true
			}
		}
	}
	return false
}
