package cli

import (
	"strings"
	"unicode/utf8"
)

// Colours of a terminal.
const (
	bold   = "\x1b[1m"
	red    = "\x1b[31m"
	green  = "\x1b[32m"
	normal = "\x1b[0m"
)

// paint colours text for stdout, if that is coloured.
func (a *app) paint(color, text string) string {
	if !a.colored(a.stdout) {
		return text
	}
	return color + text + normal
}

// table is rows under a heading for someone at a terminal. In a pipe it is the
// rows alone, with tabs between their fields, as toxiproxy-cli prints them. What
// would act on a terminal, or look like another field, is spelt out.
func (a *app) table(heading []string, rows [][]string) string {
	var b strings.Builder
	for _, row := range rows {
		for i := range row {
			row[i] = visible(row[i])
		}
	}
	if !isTerminal(a.stdout) {
		for _, row := range rows {
			b.WriteString(strings.Join(row, "\t") + "\n")
		}
		return b.String()
	}
	widths := make([]int, len(heading))
	for _, row := range append([][]string{heading}, rows...) {
		for i, field := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(field))
		}
	}
	line := func(row []string) string {
		var l strings.Builder
		for i, field := range row {
			l.WriteString(field + strings.Repeat(" ", widths[i]-utf8.RuneCountInString(field)+2))
		}
		return strings.TrimRight(l.String(), " ")
	}
	b.WriteString(a.paint(bold, line(heading)) + "\n")
	for _, row := range rows {
		b.WriteString(line(row) + "\n")
	}
	return b.String()
}
