package experiment

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// An interval that is looked at after every call must hold the true share at
// all of them together, but for the share of runs it was given.
func TestInterval_everyLook(t *testing.T) {
	t.Parallel()
	const (
		runs, calls = 500, 120
		alpha       = 0.05
	)
	for _, truth := range []float64{0.02, 0.26, 0.5, 0.9} {
		draw := rand.New(rand.NewPCG(1, math.Float64bits(truth)))
		missed := 0
		for range runs {
			k := 0
			for n := 1; n <= calls; n++ {
				if draw.Float64() < truth {
					k++
				}
				if lo, hi := interval(k, n, alpha); truth < lo || truth > hi {
					missed++
					break
				}
			}
		}
		if share := float64(missed) / runs; share > alpha {
			t.Errorf("share %v: %v of the runs miss it at some look, want at most %v", truth, share, alpha)
		}
	}
}

func TestInterval_properties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 100_000).Draw(t, "n")
		k := rapid.IntRange(0, n).Draw(t, "k")
		lo, hi := interval(k, n, 0.01)
		if lo < 0 || hi > 1 || lo > hi {
			t.Fatalf("interval(%d, %d) = %v, %v", k, n, lo, hi)
		}
		if n > 0 {
			if p := float64(k) / float64(n); p < lo || p > hi {
				t.Fatalf("interval(%d, %d) = %v, %v leaves %v out", k, n, lo, hi, p)
			}
		}
		mirrorLo, mirrorHi := interval(n-k, n, 0.01)
		if math.Abs(mirrorLo-(1-hi)) > 1e-6 || math.Abs(mirrorHi-(1-lo)) > 1e-6 {
			t.Fatalf("interval(%d, %d) = %v, %v is not the mirror of %v, %v", n-k, n, mirrorLo, mirrorHi, lo, hi)
		}
	})
}

func TestAbort_holds(t *testing.T) {
	t.Parallel()
	above := &Abort{Holds: func(s Shares) (bool, error) { return s.Dropped > 0.5, nil }}
	below := &Abort{Holds: func(s Shares) (bool, error) { return s.Full < 0.5, nil }}
	rows := []struct {
		name                    string
		abort                   *Abort
		full, degraded, dropped int
		want                    bool
	}{
		{"one_dropped_call_says_little", above, 0, 0, 1, false},
		{"ten_dropped_calls_do_not_yet", above, 0, 0, 10, false},
		{"eleven_do", above, 0, 0, 11, true},
		{"a_quarter_is_not_half", above, 148, 0, 52, false},
		{"clearly_more_than_half", above, 60, 0, 140, true},
		{"just_more_than_half", above, 98, 0, 102, false},
		{"full_below", below, 10, 90, 0, true},
		{"full_above", below, 90, 10, 0, false},
		{"nothing_seen", above, 0, 0, 0, false},
	}
	for _, row := range rows {
		if got := row.abort.holds(row.full, row.degraded, row.dropped, 0); got != row.want {
			t.Errorf("%s: holds = %v, want %v", row.name, got, row.want)
		}
	}
}

// The figure S2's author found the hard way: 17 red runs of 20.
func TestFlakeProbability(t *testing.T) {
	t.Parallel()
	rows := []struct {
		share        float64
		calls, tries int
		noise, want  float64
	}{
		{0.5, 20, 4, 0, 0.7249},
		{1, 20, 4, 0, 1},
		{0, 20, 4, 0, 0},
		{0.5, 20, 4, 0.05, 0.3581},
		{0.5, 20, 4, 1, 0},
		{0.3, 100, 4, 0, 0.5566},
	}
	for _, row := range rows {
		if got := FlakeProbability(row.share, row.calls, row.tries, row.noise); math.Abs(got-row.want) > 5e-4 {
			t.Errorf("FlakeProbability(%v, %d, %d, %v) = %.4f, want %.4f", row.share, row.calls, row.tries, row.noise, got, row.want)
		}
	}
}

func BenchmarkInterval(b *testing.B) {
	for b.Loop() {
		interval(52, 200, falseAbort)
	}
}
