package toxic

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"
)

// The distributions of Latency.
const (
	uniform   = "uniform"
	normal    = "normal"
	pareto    = "pareto"
	lognormal = "lognormal"
	table     = "table"
)

// paretoShape is the exponent of the Pareto distribution: 3 has a mean and a
// variance, and a tail that is seen in a hundred draws.
const paretoShape = 3

// draw returns the delay for a number in [0, 1): the inverse of the
// distribution's function, with
//
//	uniform    from Latency - Jitter to Latency + Jitter
//	normal     mean Latency, standard deviation Jitter
//	pareto     at least Latency, mean Latency + Jitter/2, shape 3
//	lognormal  median Latency, 84.13th percentile Latency + Jitter
//	table      Percentiles
//
// What comes out below 0 is 0, above MaxDelay is MaxDelay.
func (l *Latency) draw() func(u float64) time.Duration {
	mean, jitter := float64(l.Latency), float64(l.Jitter)
	if l.Distribution == table {
		points := l.Percentiles.sorted()
		return func(u float64) time.Duration { return at(points, 100*u) }
	}
	if l.Jitter == 0 {
		fixed := l.Latency
		return func(float64) time.Duration { return fixed }
	}
	var f func(u float64) float64
	switch l.Distribution {
	case normal:
		f = func(u float64) float64 { return mean + jitter*quantile(u) }
	case pareto:
		f = func(u float64) float64 { return mean + jitter*(math.Pow(1-u, -1.0/paretoShape)-1) }
	case lognormal:
		sigma := math.Log1p(jitter / mean)
		f = func(u float64) float64 { return mean * math.Exp(sigma*quantile(u)) }
	default:
		f = func(u float64) float64 { return mean + jitter*(2*u-1) }
	}
	return func(u float64) time.Duration { return clamp(f(u)) }
}

// quantile is the inverse of the standard normal distribution's function. u
// comes in steps of 2^-32; the middle of the step keeps 0 finite.
func quantile(u float64) float64 {
	return math.Sqrt2 * math.Erfinv(2*(u+1.0/(1<<33))-1)
}

func clamp(ns float64) time.Duration {
	return time.Duration(min(max(ns, 0), float64(MaxDelay)))
}

// Percentiles are delays in milliseconds by percentile, in digits from "0" to
// "100".
type Percentiles map[string]float64

func (p Percentiles) check() error {
	var errs []error
	for name, ms := range p {
		if v, err := strconv.ParseFloat(name, 64); err != nil || !(v >= 0 && v <= 100) {
			errs = append(errs, fmt.Errorf("percentiles: %q, must be from 0 to 100", name))
		}
		if !(ms >= 0 && ms <= float64(MaxDelay/time.Millisecond)) {
			errs = append(errs, fmt.Errorf("percentiles[%q]: %v, must be from 0 to %d", name, ms, MaxDelay/time.Millisecond))
		}
	}
	if len(errs) > 0 {
		slices.SortFunc(errs, func(a, b error) int { return cmp.Compare(a.Error(), b.Error()) })
		return errors.Join(errs...)
	}
	points := p.sorted()
	for i, b := range points[min(1, len(points)):] {
		switch a := points[i]; {
		case a.percent == b.percent:
			return fmt.Errorf("percentiles: %v is there twice", a.percent)
		case a.delay > b.delay:
			return fmt.Errorf("percentiles: %v at %v, must be <= %v at %v", a.delay, a.percent, b.delay, b.percent)
		}
	}
	return nil
}

type percentile struct {
	percent float64
	delay   time.Duration
}

func (p Percentiles) sorted() []percentile {
	var points []percentile
	for name, ms := range p {
		percent, _ := strconv.ParseFloat(name, 64) // check has seen to it
		points = append(points, percentile{percent, clamp(ms * float64(time.Millisecond))})
	}
	slices.SortFunc(points, func(a, b percentile) int { return cmp.Compare(a.percent, b.percent) })
	return points
}

// at is the delay at a percentile.
func at(points []percentile, percent float64) time.Duration {
	for i, b := range points {
		if percent > b.percent {
			continue
		}
		if i == 0 {
			return b.delay
		}
		a := points[i-1]
		return a.delay + time.Duration(float64(b.delay-a.delay)*(percent-a.percent)/(b.percent-a.percent))
	}
	return points[len(points)-1].delay
}
