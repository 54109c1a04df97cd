package golden

import (
	"fmt"
	"strings"
)

// How much Diff shows of each side, and around it.
const (
	maxLines = 10
	maxWidth = 200
	context  = 2
)

// Diff shows where got leaves want and where it comes back, in a few lines: a
// page of HTML that differs in one figure must not fill the screen.
func Diff(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	start := 0
	for start < len(a) && start < len(b) && a[start] == b[start] {
		start++
	}
	endA, endB := len(a), len(b)
	for endA > start && endB > start && a[endA-1] == b[endB-1] {
		endA, endB = endA-1, endB-1
	}
	var out strings.Builder
	fmt.Fprintf(&out, "line %d:\n", start+1)
	show(&out, " ", a[max(0, start-context):start])
	show(&out, "-", a[start:endA])
	show(&out, "+", b[start:endB])
	show(&out, " ", a[endA:min(len(a), endA+context)])
	return out.String()
}

func show(out *strings.Builder, mark string, lines []string) {
	for i, line := range lines {
		if i == maxLines {
			fmt.Fprintf(out, "%s [%d more lines]\n", mark, len(lines)-i)
			return
		}
		if len(line) > maxWidth {
			line = line[:maxWidth] + "[...]"
		}
		fmt.Fprintf(out, "%s %s\n", mark, line)
	}
}
