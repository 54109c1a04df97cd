package oracle

import "fmt"

// FallbackEngaged holds when every broken call was answered by a fallback, and
// nothing else was: degraded answers are at least as many as broken calls, and
// each belongs to a broken call or to the noise of a fault-free run.
type FallbackEngaged struct{}

var _ Oracle = FallbackEngaged{}

// Name implements Oracle.
func (FallbackEngaged) Name() string { return "fallback_engaged" }

// Check implements Oracle.
func (o FallbackEngaged) Check(e Evidence) []Finding {
	trails, _ := Trails(e.Entries)
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
