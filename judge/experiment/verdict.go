package experiment

import (
	"fmt"
	"math"

	"github.com/brunt-go/brunt/internal/unit"
	"github.com/brunt-go/brunt/judge/ledger"
	"github.com/brunt-go/brunt/judge/oracle"
)

// maxMeasuredNoise is the most noise the baselines may set: a system that fails
// more than one call in ten by itself is broken, not noisy.
const maxMeasuredNoise = 0.10

// steadyState is the hop of a baseline that is broken by itself.
const steadyState = "steady state"

// judge fills in the noise, the receipts, the findings, the problems and the
// verdict of a run whose arms are over.
func (e Experiment) judge(r *Result) {
	for _, o := range e.Judge.Require {
		r.Judged = append(r.Judged, o.Name())
	}
	before, repeat, after := r.phase(PhaseBefore), r.phase(PhaseRepeat), r.phase(PhaseAfter)
	e.setNoise(r, before, repeat)
	if before != nil {
		e.judgeBaseline(r, *before)
	}
	if repeat != nil {
		e.judgeBaseline(r, *repeat)
	}
	for _, f := range e.Faults {
		if arm := r.fault(f.Name); arm != nil && before != nil {
			e.judgeFault(r, f, *before, *arm)
		}
	}
	// What was broken before the faults came has nothing to come back to.
	if after != nil && after.Aborted == "" && r.steady(before) && r.steady(repeat) {
		r.Findings = append(r.Findings, recovery(*after, r.Noise.Threshold)...)
	}
	r.Verdict, r.Why = r.decide()
}

// setNoise sets the threshold e.
func (e Experiment) setNoise(r *Result, before, repeat *Arm) {
	if before != nil {
		r.Noise.First = before.Figures.Short()
	}
	if repeat != nil {
		r.Noise.Second = repeat.Figures.Short()
	}
	if e.Judge.Noise != nil {
		r.Noise.Threshold, r.Noise.FromPlan = *e.Judge.Noise, true
		return
	}
	r.Noise.Threshold = min(maxMeasuredNoise, max(r.Noise.First, r.Noise.Second))
}

// judgeBaseline looks for what makes a run prove nothing before anything broke.
func (e Experiment) judgeBaseline(r *Result, arm Arm) {
	label := arm.label()
	for _, name := range e.faultedProxies() {
		var seen, failed, keyless int
		var why string
		for entry, x := range ledger.All[ledger.Exchange](arm.Entries) {
			if entry.Point != name {
				continue
			}
			seen++
			if x.End == ledger.EndFailed {
				failed++
				why = x.Error
			}
			if entry.Key == "" {
				keyless++
			}
		}
		hop := "proxy " + name
		switch {
		case seen == 0 && arm.Aborted == "":
			r.problem(Invalid, arm.Name, hop, "no request passed it in %s, while the load made %d calls: the system goes around it; does its client call %s?", label, arm.Figures.Requests, r.addr(name))
		case failed > 0 && r.exceeds(failed, arm):
			r.problem(Invalid, arm.Name, hop, "its upstream failed %d of %d requests in %s: %s", failed, seen, label, why)
		case seen > 0 && keyless == seen:
			r.problem(Invalid, arm.Name, hop, "none of its %d requests has the key %s, so none can be chosen: set plan.key to something they carry", seen, e.Key)
		}
	}
	if short := arm.Figures.Short(); !r.steady(&arm) && arm.Aborted == "" {
		r.problem(Invalid, arm.Name, steadyState, "%s already breaks it: %d of %d calls were degraded or dropped, %s where %s is allowed",
			label, arm.Figures.Degraded+arm.Figures.Dropped, arm.Figures.Requests, percent(short), percent(r.Noise.Threshold))
	}
	if arm.Aborted != "" {
		r.problem(Inconclusive, arm.Name, "abort condition", "%s was ended early: %s", label, arm.Aborted)
	}
}

func (r *Result) exceeds(n int, arm Arm) bool { return arm.Figures.Share(n) > r.Noise.Threshold }

// judgeFault compares a fault's arm with the baseline.
func (e Experiment) judgeFault(r *Result, f Fault, before, arm Arm) {
	if arm.Aborted != "" {
		r.problem(Inconclusive, arm.Name, "abort condition", "arm %s was ended early: %s", arm.Name, arm.Aborted)
		return
	}
	if why := e.misKeyed(f, arm); why != "" {
		r.problem(Invalid, arm.Name, planKey, "%s", why)
		return
	}
	rec := receipt(f, arm)
	r.Receipts = append(r.Receipts, rec)
	r.fault(f.Name).Planned = rec.Planned
	switch {
	case arm.Figures.Injected == 0 && arm.Figures.Spared == 0:
		r.problem(Invalid, arm.Name, "proxy "+f.At, "%s broke nothing: %s", arm.Name, e.whyNothing(f, arm))
		return
	case arm.Figures.Spared > 0:
		r.problem(Invalid, arm.Name, "blast radius", "%d requests were to break and the limit let %d: raise limits.max_faulted or limits.max_share, or lower the share", arm.Figures.Injected+arm.Figures.Spared, arm.Figures.Injected)
	case arm.Expired != "":
		r.problem(Invalid, arm.Name, "proxy "+arm.Expired, "the lease of its faults ran out before arm %s was over: the run was held up for longer than limits.lease", arm.Name)
	case !rec.Agree:
		r.problem(Invalid, arm.Name, "receipts", "%s", rec.Why)
	case rec.Planned > rec.Calls:
		e.judgeDelivery(r, f, rec, arm)
	}
	evidence := oracle.Evidence{Arm: arm.Name, Baseline: before.Entries, Entries: arm.Entries, Noise: r.Noise.Threshold}
	for _, o := range e.Judge.Require {
		r.Findings = append(r.Findings, o.Check(evidence)...)
	}
	if least := leastCalls(r.Noise.Threshold); arm.Figures.Requests < least {
		r.problem(Inconclusive, arm.Name, "load", "%d calls cannot show a share of %s: at least %d are needed", arm.Figures.Requests, percent(r.Noise.Threshold), least)
	}
}

// judgeDelivery looks into a fault that broke fewer calls than was planned. A
// breaker may keep calls away from a broken dependency. But calls that are
// answered without asking it when nothing is broken can never be broken, and
// whether they would bear it stays open. Where coverage is demanded, that says so.
func (e Experiment) judgeDelivery(r *Result, f Fault, rec Receipt, arm Arm) {
	for _, o := range e.Judge.Require {
		if c, ok := o.(oracle.Coverage); ok && c.Point == f.At {
			return
		}
	}
	var around, calls int
	for _, phase := range []Phase{PhaseBefore, PhaseRepeat} {
		baseline := r.phase(phase)
		if baseline == nil {
			continue
		}
		trails, _ := oracle.Trails(baseline.Entries)
		for _, t := range trails {
			calls++
			if t.Call.Outcome == oracle.Full && !reached(t, f.At) {
				around++
			}
		}
	}
	if around > 0 {
		r.problem(Invalid, arm.Name, "proxy "+f.At, "%d of %d planned calls were broken: without any fault too, %d of %d calls are answered in full without passing it with a key: a client goes around it, loses the key, or asks only for some calls",
			rec.Calls, rec.Planned, around, calls)
	}
}

// reached reports whether a call passed a point in a way that it could be broken.
func reached(t oracle.Trail, point string) bool {
	for _, v := range t.Exchanges {
		if v.Point == point && v.Decision.Spared != ledger.SparedNoKey {
			return true
		}
	}
	return false
}

// whyNothing says why a fault's arm broke nothing.
func (e Experiment) whyNothing(f Fault, arm Arm) string {
	switch {
	case arm.Planned == 0:
		return e.hits(f, 0, arm.Figures.Requests)
	case arm.Figures.Exchanges == 0:
		return "no request passed the proxy"
	case arm.Figures.Keyless > 0:
		return fmt.Sprintf("%d of %d requests have no key %s", arm.Figures.Keyless, arm.Figures.Exchanges, e.Key)
	default:
		return fmt.Sprintf("none of the %d requests that passed met its methods, path, headers, attempts and share: see %s", arm.Figures.Exchanges, requestsSeen(arm, f.At))
	}
}

// requestsSeen names a few of the requests that passed a point, nearest to what
// a rule could have been meant for.
func requestsSeen(arm Arm, point string) string {
	var list string
	seen := map[string]bool{}
	for entry, x := range ledger.All[ledger.Exchange](arm.Entries) {
		what := x.Method + " " + x.Path
		if entry.Point == point && !seen[what] && len(seen) < 3 {
			seen[what] = true
			if list != "" {
				list += ", "
			}
			list += what
		}
	}
	return list
}

// leastCalls is how many calls it takes for one of them to be no more than the
// share noise.
func leastCalls(noise float64) int {
	if noise == 0 {
		return 1
	}
	return int(math.Ceil(1/noise - 1e-9))
}

// decide weighs problems and findings.
func (r *Result) decide() (Verdict, string) {
	count := map[Verdict]int{}
	first := map[Verdict]string{}
	for _, p := range r.Problems {
		if count[p.Verdict]++; count[p.Verdict] == 1 {
			first[p.Verdict] = p.Hop + ": " + p.Message
		}
	}
	switch {
	case r.stopped:
		return Inconclusive, "the run was interrupted before it could tell"
	case count[Invalid] > 0:
		return Invalid, first[Invalid]
	case len(r.Findings) > 0:
		return Fail, r.Findings[0].Arm + ": " + r.Findings[0].Message
	case count[Inconclusive] > 0:
		return Inconclusive, first[Inconclusive]
	}
	injected := 0
	for _, rec := range r.Receipts {
		injected += rec.Injected
	}
	return Pass, fmt.Sprintf("%d requests were broken, the wire shows the same %d, and every guard engaged", injected, injected)
}

func (r *Result) problem(v Verdict, arm, hop, format string, args ...any) {
	r.Problems = append(r.Problems, Problem{v, arm, hop, fmt.Sprintf(format, args...)})
}

func (r *Result) phase(p Phase) *Arm {
	for i := range r.Arms {
		if r.Arms[i].Phase == p {
			return &r.Arms[i]
		}
	}
	return nil
}

func (r *Result) fault(name string) *Arm {
	for i := range r.Arms {
		if r.Arms[i].Phase == PhaseFault && r.Arms[i].Name == name {
			return &r.Arms[i]
		}
	}
	return nil
}

// addr is where a proxy listened.
func (r *Result) addr(proxy string) string { return r.proxies[proxy] }

// faultedProxies are the proxies a fault is at, each once.
func (e Experiment) faultedProxies() []string {
	var names []string
	seen := map[string]bool{}
	for _, f := range e.Faults {
		if !seen[f.At] {
			seen[f.At] = true
			names = append(names, f.At)
		}
	}
	return names
}

func percent(share float64) string { return unit.FormatShare(math.Round(share*1e4) / 1e4) }
