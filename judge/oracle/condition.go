package oracle

import "fmt"

// Condition is an oracle over the figures of an arm, such as
// `dropped_share <= noise`.
type Condition struct {
	// Text is the condition as it stands in the plan; it is the oracle's name.
	Text string
	// Holds evaluates it.
	Holds func(f Figures, noise float64) (bool, error)
}

var _ Oracle = Condition{}

// Name implements Oracle.
func (c Condition) Name() string { return c.Text }

// Check implements Oracle. A condition that cannot be evaluated does not hold.
func (c Condition) Check(e Evidence) []Finding {
	f := Count(e.Entries)
	ok, err := c.Holds(f, e.Noise)
	if ok && err == nil {
		return nil
	}
	finding := Finding{
		Oracle: c.Name(), Arm: e.Arm,
		Message: fmt.Sprintf("%s does not hold", c.Text),
		Got: fmt.Sprintf("full_share %.4g, degraded_share %.4g, dropped_share %.4g, injected %d, timeouts %d",
			f.Share(f.Full), f.Share(f.Degraded), f.Share(f.Dropped), f.Injected, f.Timeouts),
		Want: fmt.Sprintf("%s, with noise %.4g", c.Text, e.Noise),
	}
	if err != nil {
		finding.Message = fmt.Sprintf("%s cannot be evaluated: %v", c.Text, err)
	}
	trails, _ := Trails(e.Entries)
	for _, t := range trails {
		if t.Call.Outcome != Full && finding.Example == nil || t.Call.Outcome == Dropped {
			finding.Example = t.Example()
			if t.Call.Outcome == Dropped {
				break
			}
		}
	}
	return []Finding{finding}
}
