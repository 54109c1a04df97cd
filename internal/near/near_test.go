package near

import (
	"strings"
	"testing"
)

func TestWord(t *testing.T) {
	t.Parallel()
	known := []string{"requests", "rate", "timeout", "max_in_flight", "at"}
	for in, want := range map[string]string{
		"request": "requests", "reqeusts": "requests", "REQUESTS": "requests", "req": "requests",
		"timeuot": "timeout", "timeouts": "timeout", "time_out": "timeout",
		"maxinflight": "max_in_flight", "max-in-flight": "max_in_flight",
		"rat": "rate", "ta": "at",
		"color": "", "x": "", "": "", strings.Repeat("requests", 20): "",
	} {
		if got := Word(in, known); got != want {
			t.Errorf("Word(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestDistance(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"a", "", 1}, {"", "ab", 2}, {"abc", "abc", 0}, {"abc", "abd", 1}, {"abc", "acb", 1}, {"abcd", "acbd", 1}, {"öl", "ol", 1}, {"kitten", "sitting", 3}} {
		if got := distance(row.a, row.b); got != row.want {
			t.Errorf("distance(%q, %q) = %d, want %d", row.a, row.b, got, row.want)
		}
	}
}
