package report

import (
	"slices"
	"testing"
	"time"

	"github.com/brunt-go/brunt/judge/experiment"
)

func bars(from, to time.Duration) []Arm {
	return []Arm{{Latency: Latency{Bars: []experiment.Bar{{From: from, To: to, Count: 1}}}}}
}

func TestScale(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name  string
		arms  []Arm
		ticks []time.Duration
	}{
		{"three_decades", bars(time.Millisecond, time.Second), []time.Duration{time.Millisecond, 10 * time.Millisecond, 100 * time.Millisecond, time.Second}},
		{"short", bars(90*time.Millisecond, 300*time.Millisecond), []time.Duration{100 * time.Millisecond, 200 * time.Millisecond}},
		{"all_at_once", bars(0, 0), []time.Duration{time.Microsecond}},
		{"nothing", nil, []time.Duration{time.Microsecond}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s := newScale(row.arms)
			if got := s.ticks(); !slices.Equal(got, row.ticks) {
				t.Errorf("ticks = %v, want %v", got, row.ticks)
			}
			for i, tick := range row.ticks {
				if v := s.at(tick); v <= 0 || v >= 1 || i > 0 && v <= s.at(row.ticks[i-1]) {
					t.Errorf("at(%v) = %v, want it inside and above the one before", tick, v)
				}
			}
			if s.at(0) != 0 && s.at(0) < 0 || s.at(time.Hour*1000) != 1 {
				t.Errorf("what is off the scale is at %v and %v, want its ends", s.at(0), s.at(time.Hour*1000))
			}
		})
	}
}
