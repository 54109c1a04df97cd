package main

import (
	"slices"
	"testing"
	"testing/synctest"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// Waits that are not drawn come out exactly: all the clients come back together. Full
// jitter takes the peak away. How high the highest of 40 buckets is, is drawn, so it is
// the median of many storms that is looked at. A budget takes the retries away.
func TestStorm(t *testing.T) {
	t.Parallel()
	rows := []struct {
		storms   int
		attempts [2]int // from, to
		perCall  [2]float64
		peak     [2]int
	}{
		{1, [2]int{1000, 1000}, [2]float64{4, 4}, [2]int{50, 50}},
		{1, [2]int{800, 800}, [2]float64{4, 4}, [2]int{50, 50}},
		{21, [2]int{800, 920}, [2]float64{4, 4}, [2]int{17, 25}},
		{1, [2]int{950, 1050}, [2]float64{1.1, 1.3}, [2]int{20, 50}},
	}
	var results []*service
	for i, k := range kinds {
		var all []*service
		for range rows[i].storms {
			synctest.Test(t, func(t *testing.T) {
				s, err := storm(t.Context(), k)
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, s)
			})
		}
		slices.SortFunc(all, func(a, b *service) int { return a.peak() - b.peak() })
		s, want := all[len(all)/2], rows[i]
		results = append(results, s)
		perCall := float64(s.attempts) / float64(s.calls)
		if s.attempts < want.attempts[0] || s.attempts > want.attempts[1] ||
			perCall < want.perCall[0] || perCall > want.perCall[1] ||
			s.peak() < want.peak[0] || s.peak() > want.peak[1] {
			t.Errorf("%s: %d attempts, %.2f a call, peak %d, want %+v", k.name, s.attempts, perCall, s.peak(), want)
		}
	}
	print(t.Output(), results)
}
