package experiment

import (
	"context"
	"errors"
)

// Calibration is what the variants of a system show about the rules that judge
// it: which rule and threshold tell the healthy from the defective.
type Calibration struct {
	// Name and Seed are the experiment's.
	Name string
	Seed uint64
	// Variants are in the experiment's order.
	Variants []VariantResult
	// Scan has a row for each threshold and rule.
	Scan []ScanRow
	// Recommended is the rule at the smallest threshold without a false pass
	// or a false fail, or nil when there is none.
	Recommended *Recommendation
}

// VariantResult is one variant's run.
type VariantResult struct {
	Name    string
	Healthy bool
	*Result
}

// ScanRow says how a rule at a threshold judges the variants.
type ScanRow struct {
	// Threshold is e, a share.
	Threshold float64
	// Rule is RuleA or RuleB.
	Rule string
	// Passing are the variants that pass.
	Passing []string
	// FalsePass is how many defective variants pass, FalseFail how many
	// healthy ones don't.
	FalsePass, FalseFail int
}

// Recommendation is a rule at a threshold.
type Recommendation struct {
	Threshold float64
	Rule      string
}

// The rules.
const (
	// RuleA looks at what was dropped alone: without faults at most e of the
	// calls are less than full, and under each fault at most e are dropped.
	RuleA = "A"
	// RuleB is RuleA, and under each fault at least as many calls are
	// degraded as the injector broke: the guard engaged.
	RuleB = "B"
)

// DefaultScan are the thresholds Calibrate tries by default.
func DefaultScan() []float64 { return []float64{0, 0.02, 0.05, 0.10, 0.30} }

// Calibrate runs every variant of e and scans the thresholds. The error is an
// experiment that makes no sense.
func Calibrate(ctx context.Context, e Experiment, opts ...Option) (*Calibration, error) {
	if err := Check(e); err != nil {
		return nil, err
	}
	if len(e.Variants) == 0 {
		return nil, &FieldError{"variants", "must not be empty: calibrate needs systems whose truth is known"}
	}
	out := &Calibration{Name: e.Name, Seed: e.Seed}
	for _, v := range e.Variants {
		r := newRunner(e.With(v), opts)
		r.variant = v.Name
		result := r.run(ctx, []Phase{PhaseBefore, PhaseRepeat, PhaseFault})
		out.Variants = append(out.Variants, VariantResult{v.Name, v.Healthy, result})
		if ctx.Err() != nil {
			return out, nil //nolint:nilerr // an interrupted calibration is a result
		}
	}
	thresholds := e.Judge.Scan
	if thresholds == nil {
		thresholds = DefaultScan()
	}
	for _, e := range thresholds {
		for _, rule := range []string{RuleA, RuleB} {
			out.Scan = append(out.Scan, out.scan(e, rule))
		}
	}
	out.recommend()
	return out, nil
}

// ErrIncomplete is a Calibration that says nothing: a variant could not be run
// to its end.
var ErrIncomplete = errors.New("a variant could not be run to its end")

// Complete returns nil when every variant delivered every fault, or an error
// that wraps ErrIncomplete and says which did not.
func (c *Calibration) Complete() error {
	for _, v := range c.Variants {
		for _, p := range v.Problems {
			if p.Hop != steadyState {
				return errors.Join(ErrIncomplete, errors.New(v.Name+": "+p.Hop+": "+p.Message))
			}
		}
		if v.Verdict == Inconclusive {
			return errors.Join(ErrIncomplete, errors.New(v.Name+": "+v.Why))
		}
	}
	return nil
}

func (c *Calibration) scan(e float64, rule string) ScanRow {
	row := ScanRow{Threshold: e, Rule: rule, Passing: []string{}}
	for _, v := range c.Variants {
		passes := v.passes(e, rule)
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

// passes judges a run by a rule.
func (r *Result) passes(e float64, rule string) bool {
	before := r.phase(PhaseBefore)
	if before == nil || before.Figures.Short() > e {
		return false
	}
	faults := 0
	for _, arm := range r.Arms {
		if arm.Phase != PhaseFault {
			continue
		}
		faults++
		f := arm.Figures
		if f.Share(f.Dropped) > e || rule == RuleB && f.Degraded < f.Injected {
			return false
		}
	}
	return faults > 0
}

func (c *Calibration) recommend() {
	for _, row := range c.Scan {
		if row.FalsePass+row.FalseFail > 0 {
			continue
		}
		// At the same threshold rule B is the better: it demands more.
		if c.Recommended == nil || row.Threshold <= c.Recommended.Threshold {
			c.Recommended = &Recommendation{row.Threshold, row.Rule}
		}
	}
}
