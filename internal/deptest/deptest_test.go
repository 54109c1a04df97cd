package deptest

import (
	"slices"
	"strings"
	"testing"
)

func TestProblems(t *testing.T) {
	t.Parallel()
	packages := []Package{
		{ImportPath: "fmt", Standard: true},
		{ImportPath: "m/core", Deps: []string{"fmt"}},
		{ImportPath: "m/leaf", Deps: []string{"fmt", "m/core", "example.com/heavy"}},
	}
	rows := []struct {
		name string
		rule Rule
		want []string // a part of each problem, in order
	}{
		{"allowed_std", Rule{Packages: []string{"m/core"}, Allow: []string{Std}}, nil},
		{"outside_the_list", Rule{Packages: []string{"m/leaf"}, Allow: []string{Std, "m/..."}, Why: "keep it light"}, []string{"m/leaf reaches example.com/heavy: keep it light"}},
		{"forbidden", Rule{Packages: []string{"m/..."}, Forbid: []string{"m/core"}, Why: "one way"}, []string{"m/leaf reaches m/core: one way"}},
		{"excepted", Rule{Packages: []string{"m/..."}, Except: []string{"m/leaf"}, Forbid: []string{"m/core"}}, nil},
		{"unused_rule", Rule{Packages: []string{"m/gone"}}, []string{"no package matches"}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			got := Problems(packages, []Rule{row.rule})
			if !slices.EqualFunc(got, row.want, strings.Contains) {
				t.Errorf("Problems(%+v) = %q, want %q", row.rule, got, row.want)
			}
		})
	}
}
