package cli

import (
	"testing"
	"testing/synctest"
	"time"
)

// The daemon ends within a second, whatever its connections do. See network.md 2.
func TestCloseSoon(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		in, want time.Duration
	}{
		{"at_once", 0, 0},
		{"in_time", 100 * time.Millisecond, 100 * time.Millisecond},
		{"never", time.Hour, goodbye},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				begin := time.Now()
				closeSoon(func() { time.Sleep(test.in) })
				if got := time.Since(begin); got != test.want {
					t.Errorf("took %v, want %v", got, test.want)
				}
				time.Sleep(test.in) // until what is left has ended too
			})
		})
	}
}
