package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// share writes a share as a percentage: 0.05 is "5%".
func share(v float64) string {
	return strconv.FormatFloat(math.Round(v*1e4)/1e2, 'f', -1, 64) + "%"
}

// rate writes a share with two decimals, for a column: "26.00%".
func rate(v float64) string { return fmt.Sprintf("%.2f%%", v*100) }

// short writes a duration with three digits, for a column: "1.23ms", "241ms".
func short(d time.Duration) string {
	if d == 0 {
		return "0"
	}
	unit := time.Nanosecond
	for _, u := range []time.Duration{time.Microsecond, time.Millisecond, time.Second} {
		if d >= u {
			unit = u
		}
	}
	if d >= time.Minute {
		return d.Round(time.Second).String()
	}
	v := float64(d) / float64(unit)
	decimals := max(0, 2-int(math.Floor(math.Log10(v))))
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text + strings.TrimPrefix(unit.String(), "1")
}

// list joins words: "a, b and c". none stands for no words.
func list(words []string, none string) string {
	switch len(words) {
	case 0:
		return none
	case 1:
		return words[0]
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}
