package report_test

import (
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/brunt-go/brunt/internal/seeded"
	"github.com/brunt-go/brunt/judge/experiment"
	"github.com/brunt-go/brunt/judge/ledger"
	"github.com/brunt-go/brunt/judge/oracle"
)

// system is a form of the loan system whose behaviour is worked out call by
// call, so that golden files are the same on every machine.
type system struct {
	variant  string
	healthy  bool
	timeout  time.Duration
	fallback bool
	calls    int
}

func systems(calls int) []system {
	return []system{
		{"healthy", true, 100 * time.Millisecond, true, calls},
		{"loose", false, 400 * time.Millisecond, true, calls},
		{"noFallback", false, 100 * time.Millisecond, false, calls},
	}
}

const (
	fixedSeed  = 20260731
	noiseSeed  = 19870415
	fixedNoise = 0.05
)

// result is what a run of s shows. A calibration leaves out the last baseline.
func (s system) result(after bool) *experiment.Result {
	r := &experiment.Result{
		Name: "loan", Variant: s.variant, Seed: fixedSeed,
		Judged:  []string{"fallback_engaged", "dropped_share <= noise"},
		Started: time.Date(2026, 7, 31, 9, 30, 0, 0, time.UTC),
		Noise:   experiment.Noise{Threshold: fixedNoise, FromPlan: true},
		Services: []experiment.ServiceState{
			{Name: "catalog", Addr: "127.0.0.1:9001"},
			{Name: "loan", Addr: "127.0.0.1:9000"},
		},
	}
	before := s.arm(experiment.Baseline, "", experiment.PhaseBefore)
	r.Arms = append(r.Arms, before, s.arm(experiment.Baseline, "", experiment.PhaseRepeat))
	r.Noise.First, r.Noise.Second = before.Figures.Short(), before.Figures.Short()
	oracles := []oracle.Oracle{oracle.FallbackEngaged{}, oracle.Condition{
		Text:  "dropped_share <= noise",
		Holds: func(f oracle.Figures, noise float64) (bool, error) { return f.Share(f.Dropped) <= noise, nil },
	}}
	for _, f := range [][2]string{{"delay", "delay"}, {"error", "reply"}, {"loss", "hang"}} {
		arm := s.arm(f[0], f[1], experiment.PhaseFault)
		r.Arms = append(r.Arms, arm)
		n := arm.Figures.Injected
		r.Receipts = append(r.Receipts, experiment.Receipt{Arm: f[0], Point: "catalog", Planned: arm.Planned, Injected: n, Witnessed: n, Calls: n, Agree: true})
		for _, o := range oracles {
			r.Findings = append(r.Findings, o.Check(oracle.Evidence{Arm: f[0], Baseline: before.Entries, Entries: arm.Entries, Noise: fixedNoise})...)
		}
	}
	if after {
		r.Arms = append(r.Arms, s.arm(experiment.Baseline, "", experiment.PhaseAfter))
	}
	for _, a := range r.Arms {
		r.Took += a.Took
	}
	broken := 0
	for _, rec := range r.Receipts {
		broken += rec.Injected
	}
	r.Verdict, r.Why = experiment.Pass, fmt.Sprintf("%d requests were broken, the wire shows the same %[1]d, and every guard engaged", broken)
	if len(r.Findings) > 0 {
		r.Verdict, r.Why = experiment.Fail, r.Findings[0].Arm+": "+r.Findings[0].Message
	}
	return r
}

// arm works out one arm: 8 workers, each with its next call as soon as the last
// one ended.
func (s system) arm(name, fault string, phase experiment.Phase) experiment.Arm {
	a := experiment.Arm{Name: name, Phase: phase, Fault: fault}
	if fault != "" {
		a.At = "catalog"
		for i := range s.calls {
			if seeded.Unit(fixedSeed, uint32(i)) < 0.20 {
				a.Planned++
			}
		}
	}
	var free [8]time.Duration
	var tooks []time.Duration
	for i := range s.calls {
		worker := slices.Index(free[:], slices.Min(free[:]))
		start := free[worker]
		x, outcome, broken := s.exchange(i, fault)
		trace := seeded.Trace(fixedSeed, uint32(i))
		entry := ledger.Entry{Key: strconv.Itoa(i), Trace: hex.EncodeToString(trace[:])}
		took := x.Took + 300*time.Microsecond
		add := func(at time.Duration, point string, attempt int, e ledger.Event) {
			entry.At, entry.Point, entry.Attempt, entry.Event = at, point, attempt, e
			a.Entries = append(a.Entries, entry)
		}
		decision := ledger.Decision{Exchange: uint64(i), Injected: broken}
		if broken {
			decision.Rule, decision.Fault, decision.Holds = name, fault, fault != "reply"
		}
		add(start, "catalog", 1, decision)
		add(start+x.Took, "catalog", 1, x)
		status := 200
		if outcome == oracle.Dropped {
			status = 503
		}
		add(start+took, "", 0, ledger.Call{Index: i, Outcome: outcome, Status: status, Took: took})
		free[worker] = start + took
		tooks = append(tooks, took)
	}
	a.Took = slices.Max(free[:])
	a.Figures = oracle.Count(a.Entries)
	a.Latency = latency(tooks)
	return a
}

// exchange is what the catalog's proxy sees of call i.
func (s system) exchange(i int, fault string) (x ledger.Exchange, outcome string, broken bool) {
	x = ledger.Exchange{ID: uint64(i), Method: "GET", Path: "/record", Status: 200, Upstream: 200, End: ledger.EndAnswered}
	x.Took = 400*time.Microsecond + time.Duration(seeded.Unit(7, uint32(i))*float64(900*time.Microsecond)).Round(time.Microsecond)
	if seeded.Unit(noiseSeed, uint32(i)) < 0.03 {
		x.Took += 150 * time.Millisecond
	}
	if broken = fault != "" && seeded.Unit(fixedSeed, uint32(i)) < 0.20; broken {
		switch fault {
		case "delay":
			x.Took += 240 * time.Millisecond
		case "reply":
			x.Status = 503
		case "hang":
			x.Took = time.Hour
		}
	}
	if x.Took > s.timeout {
		x.Took, x.Status, x.End = s.timeout, 0, ledger.EndAbandoned
	}
	switch {
	case x.Status == 200:
		outcome = oracle.Full
	case s.fallback:
		outcome = oracle.Degraded
	default:
		outcome = oracle.Dropped
	}
	return x, outcome, broken
}

// latency is what an arm's histogram says of tooks.
func latency(tooks []time.Duration) experiment.Latency {
	slices.Sort(tooks)
	at := func(share float64) time.Duration { return tooks[int(share*float64(len(tooks)-1))] }
	l := experiment.Latency{P50: at(0.50), P90: at(0.90), P99: at(0.99), Max: at(1)}
	for _, took := range tooks {
		step := math.Floor(2 * math.Log2(float64(took.Microseconds())))
		from := time.Duration(math.Round(math.Exp2(step/2))) * time.Microsecond
		to := time.Duration(math.Round(math.Exp2((step+1)/2))) * time.Microsecond
		if n := len(l.Bars); n == 0 || l.Bars[n-1].From != from {
			l.Bars = append(l.Bars, experiment.Bar{From: from, To: to})
		}
		l.Bars[len(l.Bars)-1].Count++
	}
	return l
}

// fixedCalibration is the published calibration, or one with fewer calls.
func fixedCalibration(calls int) *experiment.Calibration {
	c := &experiment.Calibration{Name: "loan", Seed: fixedSeed}
	for _, s := range systems(calls) {
		c.Variants = append(c.Variants, experiment.VariantResult{Name: s.variant, Healthy: s.healthy, Result: s.result(false)})
	}
	for _, e := range experiment.DefaultScan() {
		for _, rule := range []string{experiment.RuleA, experiment.RuleB} {
			c.Scan = append(c.Scan, scanRow(c.Variants, e, rule))
		}
	}
	for _, row := range c.Scan {
		if c.Recommended == nil && row.FalsePass+row.FalseFail == 0 {
			c.Recommended = &experiment.Recommendation{Threshold: row.Threshold, Rule: row.Rule}
		}
	}
	return c
}

// scanRow judges variants by a rule, as package experiment does.
func scanRow(variants []experiment.VariantResult, e float64, rule string) experiment.ScanRow {
	row := experiment.ScanRow{Threshold: e, Rule: rule, Passing: []string{}}
	for _, v := range variants {
		passes := v.Arms[0].Figures.Short() <= e
		for _, a := range v.Arms {
			f := a.Figures
			if a.Phase == experiment.PhaseFault && (f.Share(f.Dropped) > e || rule == experiment.RuleB && f.Degraded < f.Injected) {
				passes = false
			}
		}
		switch {
		case passes && !v.Healthy:
			row.FalsePass++
		case !passes && v.Healthy:
			row.FalseFail++
		}
		if passes {
			row.Passing = append(row.Passing, v.Name)
		}
	}
	return row
}

// invalidResult is a run whose proxy the service bypasses, and one of whose
// services ended on its own.
func invalidResult(calls int) *experiment.Result {
	s := systems(calls)[0]
	before := s.arm(experiment.Baseline, "", experiment.PhaseBefore)
	return &experiment.Result{
		Name: "loan", Seed: fixedSeed, Started: time.Date(2026, 7, 31, 9, 30, 0, 0, time.UTC), Took: before.Took,
		Judged:   []string{"fallback_engaged", "dropped_share <= noise"},
		Noise:    experiment.Noise{Threshold: before.Figures.Short(), First: before.Figures.Short()},
		Verdict:  experiment.Invalid,
		Why:      "proxy catalog: no request passed it in the baseline",
		Arms:     []experiment.Arm{before},
		Problems: []experiment.Problem{{Verdict: experiment.Invalid, Arm: experiment.Baseline, Hop: "proxy catalog", Message: fmt.Sprintf("no request passed it in the baseline, while the load made %d calls: the system goes around it; does its client call 127.0.0.1:9100?", calls)}, {Verdict: experiment.Invalid, Hop: "service loan", Message: "it ended in the middle of the run"}},
		Services: []experiment.ServiceState{
			{Name: "catalog", Addr: "127.0.0.1:9001"},
			{Name: "loan", Addr: "127.0.0.1:9000", Ended: "exit status 2", Output: "time=09:30:01 level=INFO msg=listening\n\tpanic: runtime error\n\ngoroutine 17 [running]:\nmain.main()\n"},
		},
	}
}

// hostile is a text that tries to be more than text in every format.
const hostile = `<script>alert(1)</script>"><img src=x onerror=alert(2)>]]>` + "\x1b[2J\x1b]0;owned\x07\u202Eevil\u2066 | `rm -rf` [x](http://evil.example) @everyone \r\n# head\x00\u009b31m\ufffe\xff"

// hostileResult has hostile text wherever text comes from outside.
func hostileResult() *experiment.Result {
	s := systems(200)[1]
	r := s.result(true)
	r.Name, r.Variant, r.Why = hostile, hostile, hostile
	for i := range r.Arms {
		a := &r.Arms[i]
		if a.Phase == experiment.PhaseFault {
			a.Name = fmt.Sprintf("%d%s", i, hostile)
		}
		a.At, a.Aborted = hostile, hostile
	}
	for i := range r.Receipts {
		r.Receipts[i] = experiment.Receipt{Arm: hostile, Point: hostile, Planned: -1, Injected: 1, Calls: -1, Why: hostile}
	}
	example := &oracle.Example{Index: 3, Key: hostile, Trace: hostile, Outcome: hostile, Fault: hostile, Wire: []string{hostile, hostile}}
	r.Findings = []oracle.Finding{
		{Oracle: hostile, Arm: r.Arms[2].Name, Point: hostile, Guard: hostile, Message: hostile, Got: hostile, Want: hostile, Example: example},
	}
	r.Problems = []experiment.Problem{{Verdict: experiment.Inconclusive, Arm: hostile, Hop: hostile, Message: hostile}}
	r.Services = []experiment.ServiceState{{Name: hostile, Addr: hostile, Ended: hostile, Output: hostile + "\n\x1b[31mred\x1b[0m"}}
	return r
}

// hostileCalibration has hostile names for everything.
func hostileCalibration() *experiment.Calibration {
	c := fixedCalibration(200)
	c.Name = hostile
	for i := range c.Variants {
		name := fmt.Sprintf("%d%s", i, hostile)
		healthy := c.Variants[i].Healthy
		c.Variants[i] = experiment.VariantResult{Name: name, Healthy: healthy, Result: hostileResult()}
		c.Variants[i].Problems = nil
		for j := range c.Variants[i].Arms {
			c.Variants[i].Arms[j].Aborted = ""
		}
	}
	for i := range c.Scan {
		c.Scan[i].Passing = []string{"0" + hostile, "1" + hostile}
	}
	return c
}
