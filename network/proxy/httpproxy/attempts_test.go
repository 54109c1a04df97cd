package httpproxy

import (
	"strconv"
	"testing"
)

func TestAttempts(t *testing.T) {
	t.Parallel()
	a := newAttempts()
	others := 0
	rows := []struct {
		name   string
		others int // keys that come in between
		want   int // attempt of the key then
	}{
		{"first", 0, 1},
		{"second", 0, 2},
		{"after_a_generation", attemptKeys, 3},
		{"refreshed_by_that", attemptKeys, 4},
		{"forgotten_after_two", 2 * attemptKeys, 1},
	}
	for _, row := range rows {
		for range row.others {
			others++
			if got := a.next(strconv.Itoa(others)); got != 1 {
				t.Fatalf("%s: attempt %d of key %d, want 1", row.name, got, others)
			}
		}
		if got := a.next("a"); got != row.want {
			t.Errorf("%s: attempt %d, want %d", row.name, got, row.want)
		}
		if n := len(a.recent) + len(a.older); n > 2*attemptKeys {
			t.Errorf("%s: %d keys are kept, want at most %d", row.name, n, 2*attemptKeys)
		}
	}
}
