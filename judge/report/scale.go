package report

import (
	"fmt"
	"math"
	"time"
)

// scale places durations on a logarithmic axis, so that a call of a millisecond
// and one of a minute can be told apart from their neighbours in one picture.
type scale struct {
	lo, hi float64 // logarithms of the ends, in nanoseconds
}

// shortest is the shortest duration the histograms keep.
const shortest = time.Microsecond

// newScale spans all arms of a trial, so that their pictures can be compared.
func newScale(arms []Arm) scale {
	least, most := time.Duration(math.MaxInt64), shortest
	for _, a := range arms {
		for _, b := range a.Latency.Bars {
			least, most = min(least, b.From), max(most, b.To)
		}
		for _, m := range a.Marks {
			least, most = min(least, m.Took), max(most, m.Took)
		}
	}
	least = max(shortest, min(least, most))
	return scale{math.Log10(float64(least)) - 0.1, math.Log10(float64(most)) + 0.1}
}

// at is where d is, from 0 at the lower end to 1.
func (s scale) at(d time.Duration) float64 {
	v := (math.Log10(float64(max(d, shortest))) - s.lo) / (s.hi - s.lo)
	return min(1, max(0, v))
}

// ticks are the powers of ten on the axis; on a short axis their halves too.
func (s scale) ticks() []time.Duration {
	steps := []float64{1}
	if s.hi-s.lo < 1.7 {
		steps = []float64{1, 2, 5}
	}
	var out []time.Duration
	for power := math.Floor(s.lo); power <= s.hi; power++ {
		for _, step := range steps {
			if v := power + math.Log10(step); v >= s.lo && v <= s.hi {
				out = append(out, time.Duration(math.Round(math.Pow(10, power)*step)))
			}
		}
	}
	return out
}

// percent writes a part of a width for an SVG attribute.
func percent(v float64) string { return fmt.Sprintf("%.2f%%", v*100) }

// pixel writes a coordinate for an SVG attribute.
func pixel(v float64) string { return fmt.Sprintf("%.1f", v) }
