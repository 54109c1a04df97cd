package httpserver

import (
	"regexp"
	"strconv"
	"testing"
	"time"
)

// Whatever a caller sends, there is one positive number of milliseconds, or nothing.
func FuzzRemaining(f *testing.F) {
	for _, seed := range []string{"", "0", "1", "250", "0250", "-1", "+1", "1.5", "1e9", "9999999999", "10000000000", "18446744073709551616", "2 5", "٣"} {
		f.Add(seed)
	}
	digits := regexp.MustCompile(`^[0-9]{1,10}$`)
	f.Fuzz(func(t *testing.T, text string) {
		got, ok := remaining([]string{text})
		n, err := strconv.ParseInt(text, 10, 64)
		want := digits.MatchString(text) && err == nil && n > 0
		if ok != want || ok && got != time.Duration(n)*time.Millisecond {
			t.Errorf("remaining(%q) = %v, %v, want %d ms, %v", text, got, ok, n, want)
		}
		if _, ok := remaining([]string{text, text}); ok {
			t.Errorf("remaining(%q, twice) is taken", text)
		}
	})
}
