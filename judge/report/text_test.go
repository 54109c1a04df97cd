package report_test

import (
	"strings"
	"testing"

	"github.com/brunt-go/brunt/judge/report"
)

// The published tables come out of a real calibration, digit for digit.
func TestReport_Text_publishedTables(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	if err := report.Calibrate(calibrated(t), "test").Text(&b, report.Style{}); err != nil {
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
		"\nRule B at e = 5%: it passes healthy and fails loose and noFallback.\n",
		"Rule A never sees loose",
		"Only delay gives loose away",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("Text lacks\n%s\nin\n%s", want, b.String())
		}
	}
}
