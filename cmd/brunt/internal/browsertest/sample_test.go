package browsertest

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/brunt-go/brunt/judge/experiment"
	"github.com/brunt-go/brunt/judge/ledger"
	"github.com/brunt-go/brunt/judge/oracle"
	"github.com/brunt-go/brunt/judge/report"
)

// hostile would run, load and reorder, if it were anything but text.
const hostile = `<script>window.pwned=1</script>"><img src="http://127.0.0.1:9/x" onerror="window.pwned=2">` + "\u202e"

// shown is how hostile text must look.
const shown = `<script>window.pwned=1</script>"><img src="http://127.0.0.1:9/x" onerror="window.pwned=2">\u202e`

// result is a run that failed, with text appended to every name and message.
func result(text string) *experiment.Result {
	r := &experiment.Result{
		Name: "loan" + text, Seed: 20260731, Started: time.Date(2026, 7, 31, 9, 30, 0, 0, time.UTC), Took: 3 * time.Second,
		Verdict: experiment.Fail, Why: "delay: the timeout did not engage" + text,
		Noise: experiment.Noise{Threshold: 0.05, FromPlan: true},
		Problems: []experiment.Problem{
			{Verdict: experiment.Inconclusive, Arm: "delay" + text, Hop: "load" + text, Message: "200 calls cannot show a share of 0.1%" + text},
		},
		Services: []experiment.ServiceState{
			{Name: "loan" + text, Addr: "127.0.0.1:9000", Ended: "exit status 2" + text, Output: "panic: " + text + "\n" + fmt.Sprintf("%0500d", 0)},
		},
	}
	r.Arms = append(r.Arms, arm("none", "", experiment.PhaseBefore), arm("none", "", experiment.PhaseRepeat))
	for _, name := range []string{"delay", "error", "loss"} {
		a := arm(name+text, "delay", experiment.PhaseFault)
		a.At = "catalog" + text
		r.Arms = append(r.Arms, a)
		r.Receipts = append(r.Receipts, experiment.Receipt{Arm: a.Name, Point: a.At, Planned: 40, Injected: 40, Witnessed: 39, Calls: 40, Why: "the injector counts 40, the wire shows 39" + text})
		r.Findings = append(r.Findings, oracle.Finding{
			Oracle: "fallback_engaged" + text, Arm: a.Name, Point: a.At, Guard: "timeout" + text, Message: "the timeout did not engage" + text, Got: "0" + text, Want: "40" + text,
			Example: &oracle.Example{Index: 5, Key: "5" + text, Trace: "80ea5ec77a8755893577c57944ba6401", Outcome: "full", Status: 200, Took: 240 * time.Millisecond, Fault: "delay", Wire: []string{"GET /record" + text}},
		})
	}
	return r
}

// arm has 200 calls of a millisecond, every fifth of them broken and slow.
func arm(name, fault string, phase experiment.Phase) experiment.Arm {
	a := experiment.Arm{Name: name, Fault: fault, Phase: phase, Took: time.Second}
	for i := range 200 {
		call := ledger.Call{Index: i, Outcome: []string{oracle.Full, oracle.Degraded, oracle.Dropped}[i%3], Status: 200, Took: time.Millisecond}
		entry := ledger.Entry{At: time.Duration(i) * 5 * time.Millisecond, Key: fmt.Sprint(i)}
		decision := ledger.Decision{Exchange: uint64(i)}
		if fault != "" && i%5 == 0 {
			call.Took = 240 * time.Millisecond
			decision.Injected, decision.Fault = true, fault
		}
		for _, e := range []ledger.Event{decision, ledger.Exchange{ID: uint64(i), End: ledger.EndAnswered}, call} {
			entry.Event = e
			a.Entries = append(a.Entries, entry)
		}
	}
	a.Figures = oracle.Count(a.Entries)
	a.Latency = experiment.Latency{
		P50: time.Millisecond, P90: 240 * time.Millisecond, P99: 240 * time.Millisecond, Max: 240 * time.Millisecond,
		Bars: []experiment.Bar{{From: 724 * time.Microsecond, To: 1024 * time.Microsecond, Count: 160}, {From: 185 * time.Millisecond, To: 262 * time.Millisecond, Count: 40}},
	}
	return a
}

// calibration has two variants, told apart by rule B, with text appended to
// every name.
func calibration(text string) *experiment.Calibration {
	healthy, defective := result(text), result(text)
	for _, r := range []*experiment.Result{healthy, defective} {
		r.Problems = nil
	}
	healthy.Verdict, healthy.Findings = experiment.Pass, nil
	c := &experiment.Calibration{
		Name: "loan" + text, Seed: 20260731,
		Variants: []experiment.VariantResult{
			{Name: "healthy" + text, Healthy: true, Result: healthy},
			{Name: "loose" + text, Result: defective},
		},
		Recommended: &experiment.Recommendation{Threshold: 0.05, Rule: "B"},
	}
	for _, e := range experiment.DefaultScan() {
		c.Scan = append(c.Scan,
			experiment.ScanRow{Threshold: e, Rule: "A", Passing: []string{"healthy" + text, "loose" + text}, FalsePass: 1},
			experiment.ScanRow{Threshold: e, Rule: "B", Passing: []string{"healthy" + text}})
	}
	return c
}

// pages are the reports to look at, with text appended to every name.
func pages(t *testing.T, text string) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	for name, r := range map[string]*report.Report{
		"run":         report.Run(result(text), "0.1.0"+text),
		"calibration": report.Calibrate(calibration(text), "0.1.0"+text),
	} {
		var b bytes.Buffer
		if err := r.HTML(&b); err != nil {
			t.Fatal(err)
		}
		out[name] = b.Bytes()
	}
	return out
}
