package main

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/brunt-go/brunt/bench/internal/figure"
)

// check is one of brunt's targets, and whether it was met.
type check struct {
	what   string // what is measured
	want   string // the target
	got    string // the figure
	met    bool
	unsure string // why the figure does not say, or ""
}

// ratioAtLeast is met when the median of ratios reaches least.
func ratioAtLeast(what, peer string, ratios []float64, least float64) check {
	s := figure.Of(ratios)
	return check{what: what, want: fmt.Sprintf("at least %.2f of %s", least, peer), got: s.Format(figure.Ratio), met: s.Median >= least}
}

// ratioAtMost is met when the median of ratios does not exceed most.
func ratioAtMost(what, peer string, ratios []float64, most float64) check {
	s := figure.Of(ratios)
	return check{what: what, want: fmt.Sprintf("at most %.2f of %s", most, peer), got: s.Format(figure.Ratio), met: s.Median <= most}
}

// atMost is met when the median of values does not exceed most.
func atMost(what string, values []float64, most float64, one func(float64) string, unit string) check {
	s := figure.Of(values)
	return check{what: what, want: strings.TrimSpace(fmt.Sprintf("at most %s %s", one(most), unit)), got: s.Format(one), met: s.Median <= most}
}

// within is met when the median of values, in ns, is no further from 0 than most.
func within(what string, values []float64, most float64) check {
	s := figure.Of(values)
	return check{what: what, want: "within " + hundredths(most) + " ms", got: s.Format(hundredths), met: math.Abs(s.Median) <= most}
}

// printChecks writes the targets and whether each is met.
func printChecks(w io.Writer, checks []check) {
	if len(checks) == 0 {
		return
	}
	t := figure.Table{Head: []string{"brunt's targets", "target", "measured", "met"}}
	met := 0
	for _, c := range checks {
		word := "no"
		switch {
		case c.unsure != "":
			word = c.unsure
		case c.met:
			word = "yes"
			met++
		}
		t.Add(c.what, c.want, c.got, word)
	}
	t.Print(w)
	fmt.Fprintf(w, "%d of %d met\n", met, len(checks))
}
