package retry_test

import (
	"math"
	"strings"
	"testing"

	"github.com/brunt-go/brunt/retry"
)

// Every bad field is named, with what it is and what it may be.
func TestCheckSettings(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name   string
		change func(*retry.Settings)
		want   string
	}{
		{"default", func(*retry.Settings) {}, ""},
		{"no_attempts", func(s *retry.Settings) { s.MaxAttempts = 0 }, "MaxAttempts: 0, must be 1 or more"},
		{"negative_base", func(s *retry.Settings) { s.BackoffBase = -ms }, "BackoffBase: -1ms, must not be negative"},
		{"negative_max", func(s *retry.Settings) { s.BackoffMax = -ms }, "BackoffMax: -1ms, must not be negative"},
		{"base_over_max", func(s *retry.Settings) { s.BackoffMax = ms }, "BackoffBase: 100ms, must not be over BackoffMax, 1ms"},
		{"jitter", func(s *retry.Settings) { s.Jitter = math.NaN() }, "Jitter: NaN, must be from 0 to 1"},
		{"budget", func(s *retry.Settings) { s.Budget.Max = -1 }, "Budget: Max: -1, must be from 0 to 1e+09"},
		{"deposit", func(s *retry.Settings) { s.Budget.Deposit = 101 }, "Budget: Deposit: 101, must be from 0 to Max, 100"},
		{"all", func(s *retry.Settings) { s.MaxAttempts, s.Jitter, s.BackoffBase = -1, 2, -1 },
			"MaxAttempts: -1, must be 1 or more\nBackoffBase: -1ns, must not be negative\nJitter: 2, must be from 0 to 1"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s := retry.DefaultSettings()
			row.change(&s)
			got := ""
			if err := retry.CheckSettings(s); err != nil {
				got = err.Error()
			}
			if got != row.want {
				t.Errorf("CheckSettings(%+v) = %q, want %q", s, got, row.want)
			}
			_, err := retry.New(s)
			if (err != nil) != (row.want != "") || err != nil && !strings.HasPrefix(err.Error(), "retry settings: ") {
				t.Errorf("New = %v", err)
			}
		})
	}
}
