package unit

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// ParseShare reads a share from 0 to 1: "0.2", or "20%".
func ParseShare(s string) (float64, error) {
	number, percent := strings.CutSuffix(s, "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if percent {
		v /= 100
	}
	// The comparison is written so that NaN fails it.
	if err != nil || !(v >= 0 && v <= 1) {
		return 0, fmt.Errorf("%q, want a share from 0 to 1, or from 0%% to 100%%", s)
	}
	return v, nil
}

// FormatShare writes a share as a percentage: 0.05 is "5%".
func FormatShare(v float64) string {
	return strconv.FormatFloat(v*100, 'f', -1, 64) + "%"
}

// MaxRate is the highest rate ParseRate takes, per second: above it a loop that
// sends one request at a time cannot keep the pace.
const MaxRate = 1e6

// ParseRate reads a rate such as "50/s" or "30/m" and returns it per second.
func ParseRate(s string) (float64, error) {
	number, per, found := strings.Cut(s, "/")
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	unit := map[string]time.Duration{"s": time.Second, "m": time.Minute, "h": time.Hour}[strings.TrimSpace(per)]
	if found && err == nil && unit > 0 {
		v /= unit.Seconds()
		if v > 0 && v <= MaxRate {
			return v, nil
		}
	}
	return 0, fmt.Errorf("%q, want a rate above zero such as \"50/s\" or \"30/m\", at most %.0f/s", s, MaxRate)
}
