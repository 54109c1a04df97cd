package experiment

import (
	"fmt"

	"github.com/brunt-go/brunt/judge/oracle"
)

// steady reports whether a baseline, if there was one, was within the noise.
func (r *Result) steady(arm *Arm) bool {
	return arm == nil || arm.Figures.Short() <= r.Noise.Threshold
}

// recovery demands steady state once the faults are gone.
func recovery(after Arm, noise float64) []oracle.Finding {
	short := after.Figures.Short()
	if short <= noise {
		return nil
	}
	f := oracle.Finding{
		Oracle: "recovery", Arm: "after", Guard: "recovery",
		Message: "the system did not come back once the faults were gone",
		Got:     fmt.Sprintf("%s of the calls degraded or dropped", percent(short)),
		Want:    fmt.Sprintf("at most %s", percent(noise)),
	}
	trails, _ := oracle.Trails(after.Entries)
	for _, t := range trails {
		if t.Call.Outcome != oracle.Full {
			f.Example = t.Example()
			break
		}
	}
	return []oracle.Finding{f}
}
