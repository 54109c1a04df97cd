package report_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brunt-go/brunt/judge/report"
)

// The published tables come out of a real calibration, digit for digit.
func TestReport_publishedTables(t *testing.T) {
	t.Parallel()
	r := report.Calibrate(calibrated(t), "test")
	textTables(t, r)
	jsonTables(t, r)
	validate(t, r)
}

// So does a real run's JSON fit its schema.
func TestSchema_fitsARun(t *testing.T) {
	t.Parallel()
	validate(t, report.Run(ran(t, "noFallback"), "test"))
}

// textTables looks for the published tables as people read them.
func textTables(t *testing.T, r *report.Report) {
	t.Helper()
	var b strings.Builder
	if err := r.Text(&b, report.Style{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		strings.TrimPrefix(`
config      fault  injected  full  degraded  dropped  timeouts  drop rate
healthy     none          0   190        10        0        10      0.00%
healthy     delay        45   148        52        0        52      0.00%
healthy     error        45   148        52        0        10      0.00%
healthy     loss         45   148        52        0        52      0.00%
loose       none          0   200         0        0         0      0.00%
loose       delay        45   200         0        0         0      0.00%
loose       error        45   155        45        0         0      0.00%
loose       loss         45   155        45        0        45      0.00%
noFallback  none          0   190         0       10        10      5.00%
noFallback  delay        45   148         0       52        52     26.00%
noFallback  error        45   148         0       52        10     26.00%
noFallback  loss         45   148         0       52        52     26.00%
`, "\n"),
		`
threshold e  rule  passing                     false pass  false fail
0%           A     loose                                1           1
0%           B     none                                 0           1
2%           A     loose                                1           1
2%           B     none                                 0           1
5%           A     healthy, loose                       1           0
5%           B     healthy                              0           0
10%          A     healthy, loose                       1           0
10%          B     healthy                              0           0
30%          A     healthy, loose, noFallback           2           0
30%          B     healthy                              0           0
`,
		"\nloan  Recommended: rule B at e = 5%, which passes healthy and fails loose and noFallback.\n",
		"Rule A never sees loose",
		"Only delay gives loose away",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("Text lacks\n%s\nin\n%s", want, b.String())
		}
	}
}

// jsonTables looks for the published tables as a machine reads them.
func jsonTables(t *testing.T, r *report.Report) {
	t.Helper()
	var b bytes.Buffer
	if err := r.JSON(&b); err != nil {
		t.Fatal(err)
	}
	type arm struct {
		Fault                                       string
		Injected, Full, Degraded, Dropped, Timeouts int
	}
	var got struct {
		Version     int
		Seed        uint64
		Recommended struct {
			Threshold float64
			Rule      string
		}
		Variants []struct {
			Name, Truth string
			Arms        []arm
		}
		Scan []struct {
			Threshold float64
			Rule      string
			Passing   []string
			FalsePass int `json:"false_pass"`
			FalseFail int `json:"false_fail"`
		}
	}
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if got.Version != report.FormatVersion || got.Seed != fixedSeed || got.Recommended.Threshold != 0.05 || got.Recommended.Rule != "B" || len(got.Scan) != 10 {
		t.Errorf("version %d, seed %d, recommended %+v, %d rows of the scan", got.Version, got.Seed, got.Recommended, len(got.Scan))
	}
	want := map[string][]arm{
		"healthy":    {{"none", 0, 190, 10, 0, 10}, {"delay", 45, 148, 52, 0, 52}, {"error", 45, 148, 52, 0, 10}, {"loss", 45, 148, 52, 0, 52}},
		"loose":      {{"none", 0, 200, 0, 0, 0}, {"delay", 45, 200, 0, 0, 0}, {"error", 45, 155, 45, 0, 0}, {"loss", 45, 155, 45, 0, 45}},
		"noFallback": {{"none", 0, 190, 0, 10, 10}, {"delay", 45, 148, 0, 52, 52}, {"error", 45, 148, 0, 52, 10}, {"loss", 45, 148, 0, 52, 52}},
	}
	for _, v := range got.Variants {
		if diff := cmp.Diff(want[v.Name], v.Arms); diff != "" {
			t.Errorf("%s (%s) (-want +got):\n%s", v.Name, v.Truth, diff)
		}
	}
	if len(got.Variants) != len(want) {
		t.Errorf("%d variants, want %d", len(got.Variants), len(want))
	}
}
