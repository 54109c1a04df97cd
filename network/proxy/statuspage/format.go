package statuspage

import (
	"fmt"
	"time"
)

// space is one at which a line does not break.
const space = "\u00a0"

// size is a number of bytes for people.
func size(n int64) string { return scaled(float64(n), "B") }

func scaled(v float64, unit string) string {
	if v < 999.5 {
		return fmt.Sprintf("%.0f%s%s", v, space, unit)
	}
	for _, prefix := range []string{"k", "M", "G", "T"} {
		v /= 1000
		switch {
		case v < 9.995:
			return fmt.Sprintf("%.2f%s%s%s", v, space, prefix, unit)
		case v < 99.95:
			return fmt.Sprintf("%.1f%s%s%s", v, space, prefix, unit)
		case v < 999.5:
			return fmt.Sprintf("%.0f%s%s%s", v, space, prefix, unit)
		}
	}
	return fmt.Sprintf("%.0f%sP%s", v/1000, space, unit)
}

// rateText is a rate for people.
func rateText(known bool, perSecond float64) string {
	if !known {
		return "–"
	}
	return scaled(perSecond, "B/s")
}

// count is a whole number with its digits in groups.
func count(n any) string {
	digits := fmt.Sprint(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + space + digits[i:]
	}
	return digits
}

// clock is a time of the day. A script makes it the reader's.
func clock(t time.Time) string { return t.UTC().Format("15:04:05") + space + "UTC" }

// stamp is a time for programs.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z07:00") }

// within is how long something took.
func within(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return fmt.Sprintf("%d%sµs", d.Microseconds(), space)
	case d < time.Second:
		return fmt.Sprintf("%d%sms", d.Milliseconds(), space)
	case d < time.Minute:
		return fmt.Sprintf("%.1f%ss", d.Seconds(), space)
	default:
		return d.Truncate(time.Second).String()
	}
}

// dict is a map for a template that takes several things.
func dict(pairs ...any) map[string]any {
	m := make(map[string]any)
	for i := 0; i+1 < len(pairs); i += 2 {
		m[fmt.Sprint(pairs[i])] = pairs[i+1]
	}
	return m
}
