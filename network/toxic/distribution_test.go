package toxic

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/brunt-go/brunt/internal/seeded"
)

// 10,000 draws against what the documentation declares: the Kolmogorov-Smirnov
// distance of such a sample is below 0.0195 in 999 of 1000 cases, and the draws
// are the same in each run.
func TestLatency_distributions(t *testing.T) {
	t.Parallel()
	const mean, jitter = 100.0, 20.0 // ms
	phi := func(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 }
	rows := []struct {
		name string
		in   Latency
		cdf  func(ms float64) float64
	}{
		{"uniform", Latency{}, func(x float64) float64 { return min(max((x-80)/40, 0), 1) }},
		{"normal", Latency{Distribution: "normal"}, func(x float64) float64 { return phi((x - mean) / jitter) }},
		{"pareto", Latency{Distribution: "pareto"}, func(x float64) float64 {
			if x < mean {
				return 0
			}
			return 1 - math.Pow(1+(x-mean)/jitter, -3)
		}},
		{"lognormal", Latency{Distribution: "lognormal"}, func(x float64) float64 { return phi(math.Log(x/mean) / math.Log(1.2)) }},
		{"table", Latency{Distribution: "table", Percentiles: Percentiles{"0": 10, "50": 20, "99": 250, "100": 260}}, func(x float64) float64 {
			switch {
			case x < 20:
				return (x - 10) / 10 * 0.5
			case x < 250:
				return 0.5 + (x-20)/230*0.49
			default:
				return 0.99 + (x-250)/10*0.01
			}
		}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			if row.in.Distribution != "table" {
				row.in.Latency, row.in.Jitter = mean*ms, jitter*ms
			}
			if err := Check(&row.in); err != nil {
				t.Fatal(err)
			}
			draw := row.in.draw()
			const n = 10_000
			var sample []float64
			for i := range uint32(n) {
				sample = append(sample, float64(draw(seeded.Unit(20260731, i)))/float64(ms))
			}
			slices.Sort(sample)
			distance := 0.0
			for i, x := range sample {
				f := row.cdf(x)
				distance = max(distance, math.Abs(f-float64(i)/n), math.Abs(f-float64(i+1)/n))
			}
			if distance > 0.0195 {
				t.Errorf("the distance from the declared distribution is %.4f, want at most 0.0195", distance)
			}
		})
	}
}

// The longest attributes and the extreme draws stay within the bounds.
func TestLatency_extremes(t *testing.T) {
	t.Parallel()
	for _, distribution := range []string{"uniform", "normal", "pareto", "lognormal"} {
		for _, latency := range []time.Duration{ms, MaxDelay} {
			l := Latency{Latency: latency, Jitter: MaxDelay, Distribution: distribution}
			draw := l.draw()
			for _, u := range []float64{0, 0.5, 1 - 1.0/(1<<32)} {
				if got := draw(u); got < 0 || got > MaxDelay {
					t.Errorf("%+v at %v = %v, want from 0 to %v", l, u, got, MaxDelay)
				}
			}
		}
	}
	points := Percentiles{"50": 20, "99": 250}.sorted()
	for percent, want := range map[float64]time.Duration{0: 20 * ms, 50: 20 * ms, 74.5: 135 * ms, 99: 250 * ms, 99.99: 250 * ms} {
		if got := at(points, percent); got != want {
			t.Errorf("at %v = %v, want %v", percent, got, want)
		}
	}
}
