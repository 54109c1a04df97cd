package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/brunt-go/brunt/bench/internal/figure"
)

func TestRates_row(t *testing.T) {
	t.Parallel()
	const mb, us = 1e6, 1e3
	big, small, fresh := loads()[0], loads()[3], loads()[6]
	r := &rates{
		kinds: []int{direct, splice, brunt, haproxy},
		of: map[load][][]reading{
			big:   {{{400 * mb, 0, 0}, {800 * mb, 0, 0}}, {{200 * mb, 0, 0}, {400 * mb, 0, 0}}, {{100 * mb, 0, 0}, {800 * mb, 0, 0}}, {{1, 0, 0}, {1, 0, 0}}},
			small: {{{1000, 10 * us, 20 * us}}, {{500, 20 * us, 40 * us}}, {{400, 30 * us, 30 * us}}, {{1, 1, 1}}},
			fresh: {{{1000, 1, 1}}, {{500, 1, 1}}, {{400, 1, 1}}, {{800, 1, 1}}},
		},
	}
	rows := []struct {
		name string
		load load
		at   int
		want []string
	}{
		{"bulk_direct", big, 0, []string{"600 (400-800)", "", ""}},
		{"bulk_splice", big, 1, []string{"300 (200-400)", "0.50 (0.50-0.50)", ""}},
		{"bulk_brunt", big, 2, []string{"450 (100-800)", "0.62 (0.25-1.00)", "1.25 (0.50-2.00)"}},
		{"echo_brunt", small, 2, []string{"30 (30-30)", "1.50 (1.50-1.50)", "30 (30-30)", "0.75 (0.75-0.75)", "400 (400-400)", "0.80 (0.80-0.80)"}},
		{"churn_brunt", fresh, 2, []string{"400 (400-400)", "0.40 (0.40-0.40)", "0.80 (0.80-0.80)"}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			if got := r.row(row.load, row.at); !slices.Equal(got, row.want) {
				t.Errorf("the row reads %q, want %q", got, row.want)
			}
			if got, want := len(row.load.columns()), len(row.want); got != want {
				t.Errorf("%d columns are named, the row has %d", got, want)
			}
		})
	}
	if got := r.noise(); got != 400.0/600 {
		t.Errorf("the noise is %v, want %v", got, 400.0/600)
	}
}

func TestLoad_String(t *testing.T) {
	t.Parallel()
	var got []string
	for _, l := range loads() {
		got = append(got, l.String())
	}
	want := []string{
		"bulk, 1 connection", "bulk, 64 connections", "bulk, 1000 connections",
		"echo, 1 connection", "echo, 64 connections", "echo, 1000 connections",
		"new connections, an echo on each, 8 at a time",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the loads are %q, want %q", got, want)
	}
}

func TestTogether(t *testing.T) {
	t.Parallel()
	var got [][]int
	loads := loads()
	for _, group := range together(loads) {
		var places []int
		for _, ld := range group {
			places = append(places, slices.Index(loads, ld))
		}
		got = append(got, places)
	}
	if want := "[[0 3] [1 4] [2 5] [6]]"; fmt.Sprint(got) != want {
		t.Errorf("the groups are %v, want %s", got, want)
	}
}

func TestTargetRun_reading(t *testing.T) {
	t.Parallel()
	run := &targetRun{load: load{bulk, 1, 500}, took: []time.Duration{30, 10, 20, 40}, elapsed: 2 * time.Second}
	if got, want := run.reading(), (reading{1000, 20, 40}); got != want {
		t.Errorf("bulk: %+v, want %+v", got, want)
	}
	run.load = load{echo, 1, 0}
	if got, want := run.reading(), (reading{2, 20, 40}); got != want {
		t.Errorf("echo: %+v, want %+v", got, want)
	}
}

func TestDelayedBy(t *testing.T) {
	t.Parallel()
	const us = time.Microsecond
	without := []time.Duration{100 * us, 200 * us, 300 * us}
	with := []time.Duration{5100 * us, 5250 * us, 5900 * us}
	want := delayed{base: float64(200 * us), worst: float64(300 * us), p50: float64(50 * us), p99: float64(600 * us)}
	if got := delayedBy(without, with, 5); got != want {
		t.Errorf("delayedBy = %+v, want %+v", got, want)
	}
}

// Each measurement of a delay sends enough echoes for a percentile to say
// something, and none is due before the one before is back.
func TestDelays(t *testing.T) {
	t.Parallel()
	for _, d := range delays() {
		if latency := time.Duration(d.ms) * time.Millisecond; d.period <= latency {
			t.Errorf("%s: a period of %v", d, d.period)
		}
		if n := d.conns * int(DefaultSettings().times(d.length)/d.period); n < 14 {
			t.Errorf("%s: %d echoes a measurement", d, n)
		}
	}
}

func TestLatencies_stall(t *testing.T) {
	t.Parallel()
	out := &latencies{of: [][][]delayed{{{{worst: 1}, {worst: 9}, {worst: 3}}}, {{{worst: 2}}, {{worst: 4}}}}}
	if got := out.stall(); got != 4 {
		t.Errorf("the stall is %v, want the worst median, 4", got)
	}
}

func TestOffBy(t *testing.T) {
	t.Parallel()
	if got := offBy(99_000, time.Second, 100); got > -0.999 || got < -1.001 {
		t.Errorf("99 KB in a second at 100 KB/s are off by %v %%, want -1", got)
	}
	if got := rateName(100) + ", " + rateName(10_000); got != "bandwidth 100 KB/s, bandwidth 10 MB/s" {
		t.Errorf("the rates are called %q", got)
	}
}

func TestPrintChecks(t *testing.T) {
	t.Parallel()
	checks := []check{
		ratioAtLeast("bulk", "splicing", []float64{0.5, 1, 2}, 1),
		ratioAtMost("echo", "splicing", []float64{1.25}, 1),
		atMost("idle", []float64{8 << 10}, 8<<10, figure.Kilobytes, "KB"),
		atMost("busy", []float64{2}, 1, figure.Ratio, ""),
		within("late", []float64{-2e5, -3e5}, 3e5),
		within("early", []float64{-4e5}, 3e5),
		{what: "at once", want: "10000", got: "9850", unsure: "no more tried"},
	}
	var got strings.Builder
	printChecks(&got, checks)
	want := `brunt's targets                     target             measured            met
bulk             at least 1.00 of splicing     1.00 (0.50-2.00)            yes
echo              at most 1.00 of splicing     1.25 (1.25-1.25)             no
idle                        at most 8.0 KB        8.0 (8.0-8.0)            yes
busy                          at most 1.00     2.00 (2.00-2.00)             no
late                        within 0.30 ms  -0.25 (-0.30--0.20)            yes
early                       within 0.30 ms  -0.40 (-0.40--0.40)             no
at once                              10000                 9850  no more tried
3 of 7 met
`
	if got.String() != want {
		t.Errorf("the targets read\n%s\nwant\n%s", got.String(), want)
	}
}

func TestControls_print(t *testing.T) {
	t.Parallel()
	out := controls{
		{kind: toxiproxy, populate: []float64{4e8}, took: []time.Duration{3 * time.Second, time.Millisecond}, over: 2, example: "add a toxic"},
		{kind: brunt, populate: []float64{1e8}, took: []time.Duration{time.Millisecond, 2 * time.Millisecond}},
	}
	var got strings.Builder
	out.print(&got)
	for _, want := range []string{"Toxiproxy 2.12", "2, then stopped; such as: add a toxic", "1.00     2.00        2.00", "over 3s"} {
		if !strings.Contains(got.String(), want) {
			t.Errorf("the table lacks %q:\n%s", want, got.String())
		}
	}
	checks := out.checks()
	if len(checks) != 2 || !checks[0].met || !checks[1].met {
		t.Errorf("brunt's checks are %+v, want two that are met", checks)
	}
}

func TestIdle_checks(t *testing.T) {
	t.Parallel()
	out := idle{
		{kind: splice, conns: many, memory: 1, files: 1},
		{kind: brunt, conns: many, memory: 9 << 10, files: 2.04, busy: 0.0005},
		{kind: brunt, conns: 9850, memory: 7 << 10, files: 2.1, busy: -1},
	}
	var met []bool
	for _, c := range out.checks() {
		met = append(met, c.met)
	}
	if want := []bool{false, true, true, true, false, false}; !slices.Equal(met, want) {
		t.Errorf("met are %v, want %v: %+v", met, want, out.checks())
	}
}
