package control

import (
	"testing"

	"github.com/brunt-go/brunt/network/proxy"
)

func TestHub_latest(t *testing.T) {
	t.Parallel()
	all := func(Event) bool { return true }
	h := newHub()
	if got := h.latest(5, all); len(got) != 0 {
		t.Errorf("latest of none: %v", got)
	}
	for range kept + 10 {
		h.publish("", proxy.Event{Type: proxy.Opened})
	}
	rows := []struct {
		name        string
		n           int
		keep        func(Event) bool
		newest, len int
	}{
		{"some", 3, all, kept + 10, 3},
		{"more_than_are_kept", 2 * kept, all, kept + 10, kept},
		{"chosen", 2, func(e Event) bool { return e.ID%100 == 0 }, 4100, 2},
		{"oldest_that_is_kept", 1, func(e Event) bool { return e.ID == 11 }, 11, 1},
		{"no_longer_kept", 1, func(e Event) bool { return e.ID == 10 }, 0, 0},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			got := h.latest(row.n, row.keep)
			if len(got) != row.len {
				t.Fatalf("%d events, want %d", len(got), row.len)
			}
			for i, e := range got {
				if i == 0 && e.ID != uint64(row.newest) {
					t.Errorf("the newest is %d, want %d", e.ID, row.newest)
				}
				if i > 0 && e.ID >= got[i-1].ID {
					t.Errorf("%d comes after %d, want the newest first", e.ID, got[i-1].ID)
				}
			}
		})
	}
}
