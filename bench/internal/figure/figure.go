// Package figure says what measurements come to, and prints them side by side.
package figure

import (
	"fmt"
	"slices"
	"time"
)

// Span is the middle of some measurements of one thing, and how far they lie
// apart.
type Span struct{ Median, Lowest, Highest float64 }

// Of returns the Span of values, of which there must be at least one. The
// median of an even number of values is the mean of the middle two.
func Of(values []float64) Span {
	sorted := slices.Sorted(slices.Values(values))
	half := len(sorted) / 2
	s := Span{sorted[half], sorted[0], sorted[len(sorted)-1]}
	if len(sorted)%2 == 0 {
		s.Median = (sorted[half-1] + sorted[half]) / 2
	}
	return s
}

// Spread is how far the measurements lie apart, as a share of their median.
func (s Span) Spread() float64 {
	if s.Median == 0 {
		return 0
	}
	return (s.Highest - s.Lowest) / s.Median
}

// Format writes the median and, in brackets, the lowest and the highest.
func (s Span) Format(one func(float64) string) string {
	return fmt.Sprintf("%s (%s-%s)", one(s.Median), one(s.Lowest), one(s.Highest))
}

// Ratios divides the measurements of one thing by those of another, round by
// round: what a busy machine does to both in the same round cancels out.
func Ratios(of, by []float64) []float64 {
	out := make([]float64, min(len(of), len(by)))
	for i := range out {
		out[i] = of[i] / by[i]
	}
	return out
}

// Differences subtracts, round by round as Ratios does.
func Differences(of, less []float64) []float64 {
	out := make([]float64, min(len(of), len(less)))
	for i := range out {
		out[i] = of[i] - less[i]
	}
	return out
}

// Percentile returns the smallest value that at least the share p of the values
// does not exceed: the nearest rank. sorted must be in order and not empty.
func Percentile(sorted []time.Duration, p float64) time.Duration {
	rank := int(p * float64(len(sorted)))
	if float64(rank) < p*float64(len(sorted)) {
		rank++
	}
	return sorted[min(max(rank, 1), len(sorted))-1]
}

// Column takes one figure of each measurement.
func Column[T any](of []T, figure func(T) float64) []float64 {
	out := make([]float64, len(of))
	for i, one := range of {
		out[i] = figure(one)
	}
	return out
}

// How figures are written.

// Count writes a whole number.
func Count(x float64) string { return fmt.Sprintf("%.0f", x) }

// Tenths writes one decimal.
func Tenths(x float64) string { return fmt.Sprintf("%.1f", x) }

// Ratio writes two decimals.
func Ratio(x float64) string { return fmt.Sprintf("%.2f", x) }

// Fine writes three decimals.
func Fine(x float64) string { return fmt.Sprintf("%.3f", x) }

// Micros writes nanoseconds as microseconds.
func Micros(ns float64) string { return fmt.Sprintf("%.0f", ns/1e3) }

// Millis writes nanoseconds as milliseconds.
func Millis(ns float64) string { return fmt.Sprintf("%.1f", ns/1e6) }

// Kilobytes writes bytes as KB of 1024.
func Kilobytes(b float64) string { return fmt.Sprintf("%.1f", b/(1<<10)) }
