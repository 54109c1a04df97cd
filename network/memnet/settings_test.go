package memnet

import "testing"

func TestCheckSettings(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name string
		in   Settings
		want string
	}{
		{"default", DefaultSettings(), ""},
		{"smallest", Settings{1, 1}, ""},
		{"no_buffer", Settings{0, 1}, "memnet.buffer: 0, must be >= 1"},
		{"no_backlog", Settings{1, -1}, "memnet.backlog: -1, must be >= 1"},
		{"all", Settings{}, "memnet.buffer: 0, must be >= 1\nmemnet.backlog: 0, must be >= 1"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			got := ""
			if _, err := NewWith(row.in); err != nil {
				got = err.Error()
			}
			if got != row.want {
				t.Errorf("NewWith(%+v) = %q, want %q", row.in, got, row.want)
			}
		})
	}
}
