package report

import (
	"testing"
	"time"
)

func TestShort(t *testing.T) {
	t.Parallel()
	rows := []struct {
		in   time.Duration
		want string
	}{
		{0, "0"},
		{1, "1ns"},
		{999, "999ns"},
		{1500 * time.Nanosecond, "1.5µs"},
		{1234 * time.Microsecond, "1.23ms"},
		{12345 * time.Microsecond, "12.3ms"},
		{240 * time.Millisecond, "240ms"},
		{999900 * time.Microsecond, "1000ms"},
		{2350 * time.Millisecond, "2.35s"},
		{100 * time.Second, "1m40s"},
		{time.Hour, "1h0m0s"},
	}
	for _, row := range rows {
		t.Run(row.want, func(t *testing.T) {
			t.Parallel()
			if got := short(row.in); got != row.want {
				t.Errorf("short(%d) = %q, want %q", row.in, got, row.want)
			}
		})
	}
}

func TestShare(t *testing.T) {
	t.Parallel()
	rows := []struct {
		in   float64
		want string
	}{
		{0, "0%"}, {0.05, "5%"}, {0.07, "7%"}, {0.29, "29%"}, {1.0 / 3, "33.33%"}, {0.125, "12.5%"}, {1, "100%"},
	}
	for _, row := range rows {
		t.Run(row.want, func(t *testing.T) {
			t.Parallel()
			if got := share(row.in); got != row.want {
				t.Errorf("share(%v) = %q, want %q", row.in, got, row.want)
			}
		})
	}
}

func TestList(t *testing.T) {
	t.Parallel()
	rows := []struct {
		in   []string
		want string
	}{
		{nil, "nothing"}, {[]string{"a"}, "a"}, {[]string{"a", "b"}, "a and b"}, {[]string{"a", "b", "c"}, "a, b and c"},
	}
	for _, row := range rows {
		t.Run(row.want, func(t *testing.T) {
			t.Parallel()
			if got := list(row.in, "nothing"); got != row.want {
				t.Errorf("list(%q) = %q, want %q", row.in, got, row.want)
			}
		})
	}
}
