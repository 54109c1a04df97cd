package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/brunt-go/brunt/judge/experiment"
)

// rules say what each rule demands.
func rules() [][2]string {
	return [][2]string{
		{experiment.RuleA, "without faults at most e of the calls are degraded or dropped, and under each fault at most e are dropped"},
		{experiment.RuleB, "A, and under each fault at least as many calls are degraded as requests were broken"},
	}
}

// incomplete is the text of a Calibration's Complete, in one line.
func incomplete(err error) string { return strings.ReplaceAll(err.Error(), "\n", ": ") }

// headline is what the calibration comes to.
func (r *Report) headline() string {
	c := r.Calibration
	switch {
	case c.Incomplete != "":
		return "The calibration says nothing: " + c.Incomplete + "."
	case c.Recommended == nil:
		return "No rule tells the variants apart at any threshold tried."
	}
	rec := *c.Recommended
	return fmt.Sprintf("Rule %s at e = %s: it passes %s and fails %s.", rec.Rule, share(rec.Threshold),
		list(r.variants(Healthy), "nothing"), list(r.variants(Defective), "nothing"))
}

// meaning says what stands behind the headline, in sentences made from the
// figures alone.
func (r *Report) meaning() []string {
	c := r.Calibration
	if c.Incomplete != "" {
		return nil
	}
	var out []string
	for _, rule := range rules() {
		if c.Recommended == nil || c.Recommended.Rule != rule[0] {
			out = append(out, r.whyNot(rule[0])...)
		}
	}
	if c.Recommended == nil {
		return out
	}
	out = append(out, r.givenAway(*c.Recommended)...)
	return append(out, r.whyThreshold(*c.Recommended)...)
}

// whyThreshold says where the threshold comes from.
func (r *Report) whyThreshold(rec Recommendation) []string {
	for _, row := range r.Calibration.Scan {
		if row.Rule == rec.Rule && row.Threshold < rec.Threshold && row.FalseFail > 0 {
			name, noise := r.noisiest()
			return []string{fmt.Sprintf("Noise sets e: without any fault %s of the calls of %s are less than full, so a smaller e fails it.", share(noise), name)}
		}
	}
	return nil
}

// noisiest is the healthy variant that is less than full most often without any
// fault.
func (r *Report) noisiest() (name string, noise float64) {
	for _, t := range r.Trials {
		for _, a := range t.main() {
			if t.Truth == Healthy && a.Phase == experiment.PhaseBefore && (name == "" || a.Short() > noise) {
				name, noise = t.Variant, a.Short()
			}
		}
	}
	return name, noise
}

// whyNot says what a rule cannot see. It is empty for a rule that tells the
// variants apart somewhere.
func (r *Report) whyNot(rule string) []string {
	var rows []ScanRow
	for _, row := range r.Calibration.Scan {
		if row.Rule != rule {
			continue
		}
		if row.FalsePass+row.FalseFail == 0 {
			return nil
		}
		rows = append(rows, row)
	}
	var out []string
	for _, t := range r.Trials {
		passes := func(row ScanRow) bool { return slices.Contains(row.Passing, t.Variant) }
		always := len(rows) > 0 && !slices.ContainsFunc(rows, func(row ScanRow) bool { return !passes(row) })
		never := !slices.ContainsFunc(rows, passes)
		switch {
		case t.Truth == Defective && always:
			out = append(out, fmt.Sprintf("Rule %s never sees %s: it passes at every threshold tried, for under each fault %s.", rule, t.Variant, t.looksGood(rule)))
		case t.Truth == Healthy && never && len(rows) > 0:
			out = append(out, fmt.Sprintf("Rule %s fails %s at every threshold tried, although it is healthy.", rule, t.Variant))
		}
	}
	if len(out) == 0 && len(rows) > 0 {
		best := slices.MinFunc(rows, func(a, b ScanRow) int {
			return a.FalsePass + a.FalseFail - b.FalsePass - b.FalseFail
		})
		out = append(out, fmt.Sprintf("Rule %s comes closest at e = %s: false passes %d, false fails %d.", rule, share(best.Threshold), best.FalsePass, best.FalseFail))
	}
	return out
}

// looksGood says why a rule sees nothing wrong with a defective variant.
func (t Trial) looksGood(rule string) string {
	worst := 0.0
	for _, a := range t.faults() {
		worst = max(worst, a.DropRate())
	}
	text := "none of its calls is dropped"
	if worst > 0 {
		text = "at most " + share(worst) + " of its calls are dropped"
	}
	if rule == experiment.RuleB {
		text += " and as many are degraded as were broken"
	}
	return text
}

// givenAway says which faults show what is wrong with each defective variant.
func (r *Report) givenAway(rec Recommendation) []string {
	var out []string
	for _, t := range r.Trials {
		if t.Truth != Defective {
			continue
		}
		var by, blind []string
		var how string
		for _, a := range t.faults() {
			why := a.violates(rec)
			if why == "" {
				blind = append(blind, a.Fault)
				continue
			}
			by, how = append(by, a.Fault), why
		}
		switch {
		case len(by) == 1 && len(blind) > 0:
			out = append(out, fmt.Sprintf("Only %s gives %s away: %s. Under %s it looks healthy.", by[0], t.Variant, how, list(blind, "")))
		case len(by) == 1:
			out = append(out, fmt.Sprintf("%s gives %s away: %s.", by[0], t.Variant, how))
		case len(by) > 1 && len(blind) > 0:
			out = append(out, fmt.Sprintf("%s give %s away; under %s it looks healthy.", list(by, ""), t.Variant, list(blind, "")))
		case len(by) > 1:
			out = append(out, fmt.Sprintf("Each of %s gives %s away.", list(by, ""), t.Variant))
		default:
			out = append(out, fmt.Sprintf("No fault is needed to give %s away: without any, too many of its calls are less than full.", t.Variant))
		}
	}
	return out
}

// violates says how an arm breaks a rule, or is "".
func (a Arm) violates(rec Recommendation) string {
	switch {
	case a.DropRate() > rec.Threshold:
		return fmt.Sprintf("%s of the calls are dropped", share(a.DropRate()))
	case rec.Rule == experiment.RuleB && a.Degraded < a.Injected:
		return fmt.Sprintf("%d requests are broken and %d calls degraded, %d of %d come back full", a.Injected, a.Degraded, a.Full, a.Requests)
	}
	return ""
}

// variants are the names of the variants with a truth.
func (r *Report) variants(truth string) []string {
	var names []string
	for _, t := range r.Trials {
		if t.Truth == truth {
			names = append(names, t.Variant)
		}
	}
	return names
}
