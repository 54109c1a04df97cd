package main

import (
	"fmt"
	"slices"
	"time"
)

// span is the middle of some measurements of one thing, and how far they lie
// apart.
type span struct{ median, lowest, highest float64 }

// spanOf returns the span of values, of which there must be at least one. The
// median of an even number of values is the mean of the middle two.
func spanOf(values []float64) span {
	sorted := slices.Sorted(slices.Values(values))
	half := len(sorted) / 2
	s := span{sorted[half], sorted[0], sorted[len(sorted)-1]}
	if len(sorted)%2 == 0 {
		s.median = (sorted[half-1] + sorted[half]) / 2
	}
	return s
}

// spread is how far the measurements lie apart, as a share of their median.
func (s span) spread() float64 {
	if s.median == 0 {
		return 0
	}
	return (s.highest - s.lowest) / s.median
}

// format writes the median and, in brackets, the lowest and the highest.
func (s span) format(one func(float64) string) string {
	return fmt.Sprintf("%s (%s-%s)", one(s.median), one(s.lowest), one(s.highest))
}

// ratios divides the measurements of one thing by those of another, round by
// round: what a busy machine does to both in the same round cancels out.
func ratios(of, by []float64) []float64 {
	out := make([]float64, min(len(of), len(by)))
	for i := range out {
		out[i] = of[i] / by[i]
	}
	return out
}

// differences subtracts, round by round as ratios does.
func differences(of, less []float64) []float64 {
	out := make([]float64, min(len(of), len(less)))
	for i := range out {
		out[i] = of[i] - less[i]
	}
	return out
}

// percentile returns the smallest value that at least the share p of the values
// does not exceed: the nearest rank. sorted must be in order and not empty.
func percentile(sorted []time.Duration, p float64) time.Duration {
	rank := int(p * float64(len(sorted)))
	if float64(rank) < p*float64(len(sorted)) {
		rank++
	}
	return sorted[min(max(rank, 1), len(sorted))-1]
}

// column takes one figure of each measurement.
func column[T any](of []T, figure func(T) float64) []float64 {
	out := make([]float64, len(of))
	for i, one := range of {
		out[i] = figure(one)
	}
	return out
}

// How figures are written.

func count(x float64) string  { return fmt.Sprintf("%.0f", x) }
func tenths(x float64) string { return fmt.Sprintf("%.1f", x) }
func ratio(x float64) string  { return fmt.Sprintf("%.2f", x) }
func fine(x float64) string   { return fmt.Sprintf("%.3f", x) }

// micros writes nanoseconds as microseconds.
func micros(ns float64) string { return fmt.Sprintf("%.0f", ns/1e3) }

// millis writes nanoseconds as milliseconds.
func millis(ns float64) string { return fmt.Sprintf("%.1f", ns/1e6) }
