package main

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// table is a title, the columns' names, and a row for each thing measured.
type table struct {
	head []string
	rows [][]string
}

// add adds a row: the thing's name and its figures.
func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// print writes the table: names to the left, figures to the right.
func (t *table) print(w io.Writer) {
	widths := make([]int, len(t.head))
	all := append([][]string{t.head}, t.rows...)
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
