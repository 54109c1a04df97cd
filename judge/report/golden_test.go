package report_test

import (
	"bytes"
	"io"
	"testing"
	"time"

	"github.com/brunt-go/brunt/internal/golden"
	"github.com/brunt-go/brunt/judge/experiment"
	"github.com/brunt-go/brunt/judge/report"
)

// reports are the reports every format is shown with.
func reports(calls int) map[string]*report.Report {
	healthy, loose := systems(calls)[0].result(true), systems(calls)[1].result(true)
	interrupted := systems(calls)[0].result(false)
	interrupted.Verdict, interrupted.Why = experiment.Inconclusive, "the run was interrupted before it could tell"
	interrupted.Arms, interrupted.Receipts = interrupted.Arms[:3], nil
	interrupted.Arms[1].Tries, interrupted.Arms[1].Stalled = 3, 12*time.Millisecond
	interrupted.Arms[2].Aborted = "interrupted"
	all := map[string]*report.Report{
		"calibration":  report.Calibrate(fixedCalibration(calls), "0.1.0"),
		"pass":         report.Run(healthy, "0.1.0"),
		"fail":         report.Run(loose, "0.1.0"),
		"invalid":      report.Run(invalidResult(calls), "0.1.0"),
		"inconclusive": report.Run(interrupted, "0.1.0"),
	}
	return all
}

func TestReport_Text(t *testing.T) {
	t.Parallel()
	goldens(t, "txt", func(r *report.Report, w io.Writer) error { return r.Text(w, report.Style{}) })
}

func TestReport_JSON(t *testing.T)     { t.Parallel(); goldens(t, "json", (*report.Report).JSON) }
func TestReport_JUnit(t *testing.T)    { t.Parallel(); goldens(t, "xml", (*report.Report).JUnit) }
func TestReport_Markdown(t *testing.T) { t.Parallel(); goldens(t, "md", (*report.Report).Markdown) }

// goldens compares every report in one format with its golden file.
func goldens(t *testing.T, ext string, write func(*report.Report, io.Writer) error) {
	t.Helper()
	for name, r := range reports(200) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var b bytes.Buffer
			if err := write(r, &b); err != nil {
				t.Fatal(err)
			}
			golden.Check(t, b.Bytes(), ext)
		})
	}
}
