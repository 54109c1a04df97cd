package main

import (
	"slices"
	"strings"
	"testing"
)

func TestCellReadings_row(t *testing.T) {
	t.Parallel()
	const us = 1000
	by := cellReadings{
		direct: {{100, 10 * us, 20 * us, 30, 40}, {200, 10 * us, 20 * us, 30, 40}},
		bare:   {{50, 20 * us, 40 * us, 1000, 70}, {50, 20 * us, 40 * us, 3000, 70}},
		2:      {{25, 30 * us, 60 * us, 2000, 77.5}, {100, 50 * us, 60 * us, 3000, 77.7}},
	}
	rows := []struct {
		name string
		at   int
		want []string
	}{
		{"direct", direct, []string{"150 (100-200)", "", "", "10 (10-10)", "20 (20-20)", "", "", ""}},
		{"bare", bare, []string{"50 (50-50)", "0.38 (0.25-0.50)", "", "20 (20-20)", "40 (40-40)", "2.0", "", "70.0"}},
		{"proxy", 2, []string{"62 (25-100)", "0.38 (0.25-0.50)", "1.25 (0.50-2.00)", "40 (30-50)", "60 (60-60)", "2.5", "1.50 (1.00-2.00)", "77.6"}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			if got := by.row(row.at); !slices.Equal(got, row.want) {
				t.Errorf("the row reads %q, want %q", got, row.want)
			}
		})
	}
	if got := (readings{cells()[0]: by}).noise(); got != 100.0/150 {
		t.Errorf("the noise is %v, want %v", got, 100.0/150)
	}
}

func TestHeadline(t *testing.T) {
	t.Parallel()
	want := "brunt bench: go1.26.0 linux/amd64, 2 cores; median (lowest-highest) of 7 rounds in turns, a proxy's of 400ms each"
	if got := headline(DefaultSettings(), "go1.26.0", "linux/amd64", 2); got != want {
		t.Errorf("the headline reads %q, want %q", got, want)
	}
	if got := warning(0.314); !strings.Contains(got, "up to 31 % apart (more than 25 %)") {
		t.Errorf("the warning reads %q", got)
	}
}
