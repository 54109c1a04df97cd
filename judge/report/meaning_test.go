package report

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brunt-go/brunt/judge/experiment"
)

// variant is a trial with a baseline of 100 calls and one arm a fault.
func variant(name, truth string, short int, faults ...Arm) Trial {
	t := Trial{Variant: name, Truth: truth, Arms: []Arm{
		{Fault: "none", Phase: experiment.PhaseBefore, Requests: 100, Full: 100 - short, Degraded: short},
	}}
	for i, a := range faults {
		a.Fault, a.Phase, a.Requests = []string{"delay", "error", "loss"}[i], experiment.PhaseFault, 100
		a.Full = 100 - a.Degraded - a.Dropped
		t.Arms = append(t.Arms, a)
	}
	return t
}

// calibration scans trials by both rules at the thresholds given.
func calibration(recommended *Recommendation, trials []Trial, scan ...ScanRow) *Report {
	r := &Report{Trials: trials, Calibration: &Calibration{Scan: scan, Recommended: recommended}}
	r.Calibration.Headline, r.Calibration.Meaning = r.headline(), r.meaning()
	return r
}

func TestMeaning(t *testing.T) {
	t.Parallel()
	good := Arm{Injected: 10, Degraded: 10}
	dropping := Arm{Injected: 10, Dropped: 10}
	blind := Arm{Injected: 10}
	rows := []struct {
		name     string
		report   *Report
		headline string
		meaning  []string
	}{
		{
			"one_fault_gives_it_away",
			calibration(&Recommendation{0, "B"},
				[]Trial{variant("ok", Healthy, 0, good, good), variant("bad", Defective, 0, blind, good)},
				ScanRow{0, "A", []string{"ok", "bad"}, 1, 0}, ScanRow{0, "B", []string{"ok"}, 0, 0}),
			"Recommended: rule B at e = 0%, which passes ok and fails bad.",
			[]string{
				"Rule A never sees bad: it passes at every threshold tried, for under each fault none of its calls is dropped.",
				"Only delay gives bad away: 10 requests are broken and 0 calls degraded, 100 of 100 come back full. Under error it looks healthy.",
			},
		},
		{
			"some_faults_and_noise",
			calibration(&Recommendation{0.05, "A"},
				[]Trial{variant("ok", Healthy, 3, good, good, good), variant("bad", Defective, 0, dropping, good, dropping)},
				ScanRow{0, "A", nil, 0, 1}, ScanRow{0, "B", nil, 0, 1}, ScanRow{0.05, "A", []string{"ok"}, 0, 0}, ScanRow{0.05, "B", []string{"ok"}, 0, 0}),
			"Recommended: rule A at e = 5%, which passes ok and fails bad.",
			[]string{
				"delay and loss give bad away; under error it looks healthy.",
				"Noise sets e: without any fault 3% of the calls of ok are less than full, so a smaller e fails it.",
			},
		},
		{
			"the_only_fault",
			calibration(&Recommendation{0, "A"},
				[]Trial{variant("ok", Healthy, 0, good), variant("bad", Defective, 0, dropping)},
				ScanRow{0, "A", []string{"ok"}, 0, 0}, ScanRow{0, "B", []string{"ok"}, 0, 0}),
			"Recommended: rule A at e = 0%, which passes ok and fails bad.",
			[]string{"delay gives bad away: 10% of the calls are dropped."},
		},
		{
			"the_baseline_is_enough",
			calibration(&Recommendation{0, "A"},
				[]Trial{variant("ok", Healthy, 0, good), variant("bad", Defective, 20, good)},
				ScanRow{0, "A", []string{"ok"}, 0, 0}, ScanRow{0, "B", []string{"ok"}, 0, 0}),
			"Recommended: rule A at e = 0%, which passes ok and fails bad.",
			[]string{"No fault is needed to give bad away: without any, too many of its calls are less than full."},
		},
		{
			"nothing_recommended",
			calibration(nil,
				[]Trial{variant("ok", Healthy, 0, blind), variant("bad", Defective, 0, good)},
				ScanRow{0, "A", []string{"ok", "bad"}, 1, 0}, ScanRow{0, "B", []string{"bad"}, 1, 1}),
			"No rule tells the variants apart at any threshold tried.",
			[]string{
				"Rule A never sees bad: it passes at every threshold tried, for under each fault none of its calls is dropped.",
				"Rule B fails ok at every threshold tried, although it is healthy.",
				"Rule B never sees bad: it passes at every threshold tried, for under each fault none of its calls is dropped and as many are degraded as were broken.",
			},
		},
		{
			"close_only",
			calibration(nil,
				[]Trial{variant("ok", Healthy, 10, good), variant("bad", Defective, 0, dropping)},
				ScanRow{0.05, "A", nil, 0, 1}, ScanRow{0.10, "A", []string{"ok", "bad"}, 1, 0}),
			"No rule tells the variants apart at any threshold tried.",
			[]string{"Rule A comes closest at e = 5%: false passes 0, false fails 1."},
		},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			c := row.report.Calibration
			if c.Headline != row.headline {
				t.Errorf("headline = %q, want %q", c.Headline, row.headline)
			}
			if diff := cmp.Diff(row.meaning, c.Meaning); diff != "" {
				t.Errorf("meaning (-want +got):\n%s", diff)
			}
		})
	}
}

// A calibration that was not run to its end recommends nothing.
func TestCalibrate_incomplete(t *testing.T) {
	t.Parallel()
	result := &experiment.Result{
		Verdict:  experiment.Invalid,
		Problems: []experiment.Problem{{Verdict: experiment.Invalid, Hop: "proxy catalog", Message: "no request passed it"}},
	}
	r := Calibrate(&experiment.Calibration{
		Name: "loan", Variants: []experiment.VariantResult{{Name: "healthy", Healthy: true, Result: result}},
		Scan:        []experiment.ScanRow{{Rule: "A", Passing: []string{"healthy"}}},
		Recommended: &experiment.Recommendation{Rule: "A"},
	}, "test")
	c := r.Calibration
	want := "The calibration says nothing: a variant could not be run to its end: healthy: proxy catalog: no request passed it."
	if c.Recommended != nil || c.Headline != want || len(c.Meaning) > 0 {
		t.Errorf("recommended %v, headline %q, meaning %q; want none, %q and none", c.Recommended, c.Headline, c.Meaning, want)
	}
	if got := c.testCase(); got.outcome != errored {
		t.Errorf("the JUnit case of the recommendation is %+v, want an error", got)
	}
}

// So does one that ended between two variants.
func TestCalibrate_endedEarly(t *testing.T) {
	t.Parallel()
	result := &experiment.Result{Verdict: experiment.Pass}
	c := Calibrate(&experiment.Calibration{Variants: []experiment.VariantResult{{Name: "healthy", Healthy: true, Result: result}}}, "test").Calibration
	if want := "The calibration says nothing: it was ended before every variant was run."; c.Headline != want {
		t.Errorf("headline %q, want %q", c.Headline, want)
	}
}

// In a calibration what fails is a defect that nobody saw.
func TestCaught(t *testing.T) {
	t.Parallel()
	found := caught([]testCase{{name: "delay: x", outcome: failed, message: "m"}, {name: "run", outcome: errored}})
	if outcomes := outcomesOf(found); !slices.Equal(outcomes, []outcome{passed, errored, passed}) {
		t.Errorf("outcomes with a finding = %v, want passed, errored, passed", outcomes)
	}
	missed := caught([]testCase{{name: "delay: x"}})
	if outcomes := outcomesOf(missed); !slices.Equal(outcomes, []outcome{passed, failed}) {
		t.Errorf("outcomes without one = %v, want passed, failed", outcomes)
	}
}

func outcomesOf(cases []testCase) []outcome {
	var out []outcome
	for _, c := range cases {
		out = append(out, c.outcome)
	}
	return out
}
