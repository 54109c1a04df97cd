package oracle

import "github.com/brunt-go/brunt/judge/ledger"

// Figures count what happened in an arm.
type Figures struct {
	// Requests is how many calls the load made, Full, Degraded and Dropped
	// how they ended.
	Requests, Full, Degraded, Dropped int
	// Injected is how many requests the injector says it broke, Spared how
	// many a rule chose and a guard rail spared.
	Injected, Spared int
	// Exchanges is how many requests passed the injection points.
	Exchanges int
	// Timeouts is how many of those their caller gave up on, as seen on the
	// wire.
	Timeouts int
	// Failed is how many of those found no upstream, or one that broke off.
	Failed int
	// Keyless is how many of those had no identity to decide by.
	Keyless int
}

// Count counts entries.
func Count(entries []ledger.Entry) Figures {
	var f Figures
	for _, entry := range entries {
		switch e := entry.Event.(type) {
		case ledger.Call:
			f.Requests++
			switch e.Outcome {
			case Full:
				f.Full++
			case Degraded:
				f.Degraded++
			default:
				f.Dropped++
			}
		case ledger.Decision:
			switch {
			case e.Injected:
				f.Injected++
			case e.Spared == ledger.SparedNoKey:
				f.Keyless++
			case e.Spared != "":
				f.Spared++
			}
		case ledger.Exchange:
			f.Exchanges++
			switch e.End {
			case ledger.EndAbandoned:
				f.Timeouts++
			case ledger.EndFailed:
				f.Failed++
			default: // it ended as it was meant to
			}
		}
	}
	return f
}

// Share is n as a share of the calls; 0 when there were none.
func (f Figures) Share(n int) float64 {
	if f.Requests == 0 {
		return 0
	}
	return float64(n) / float64(f.Requests)
}

// Short is the share of calls that were less than full.
func (f Figures) Short() float64 { return f.Share(f.Degraded + f.Dropped) }
