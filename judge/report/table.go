package report

import (
	"strings"
	"unicode/utf8"
)

// table is a table as it is printed: the same rows in text and in Markdown.
type table struct {
	columns []column
	rows    [][]cell
}

type column struct {
	name  string
	right bool // figures stand right
}

type cell struct {
	text   string
	colour colour
}

func plain(texts ...string) []cell {
	row := make([]cell, len(texts))
	for i, t := range texts {
		row[i] = cell{text: t}
	}
	return row
}

// text prints t with two spaces between columns.
func (t table) text(s Style) string {
	widths := make([]int, len(t.columns))
	head := make([]cell, len(t.columns))
	for i, c := range t.columns {
		head[i] = cell{c.name, bold}
		widths[i] = utf8.RuneCountInString(c.name)
		for _, row := range t.rows {
			widths[i] = max(widths[i], utf8.RuneCountInString(row[i].text))
		}
	}
	var b strings.Builder
	for _, row := range append([][]cell{head}, t.rows...) {
		line := ""
		for i, c := range row {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(c.text))
			if t.columns[i].right {
				line += pad + s.paint(c.colour, c.text)
			} else {
				line += s.paint(c.colour, c.text) + pad
			}
			if i < len(row)-1 {
				line += "  "
			}
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}
