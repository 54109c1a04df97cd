package figure

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Table is a title, the columns' names, and a row for each thing measured.
type Table struct {
	// Head is the title and the columns' names.
	Head []string
	rows [][]string
}

// Add adds a row: the thing's name and its figures.
func (t *Table) Add(cells ...string) { t.rows = append(t.rows, cells) }

// Print writes the table: names to the left, figures to the right.
func (t *Table) Print(w io.Writer) {
	widths := make([]int, len(t.Head))
	all := append([][]string{t.Head}, t.rows...)
	for _, row := range all {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range all {
		var line strings.Builder
		for i, cell := range row {
			gap := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if i == 0 {
				line.WriteString(cell + gap)
			} else {
				line.WriteString("  " + gap + cell)
			}
		}
		fmt.Fprintln(w, strings.TrimRight(line.String(), " "))
	}
}
