package report_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/brunt-go/brunt/judge/report"
)

// Without a finding of recovery the case passes, but not where the system was as
// bad before the faults: nothing is known of it then.
func TestReport_JUnit_recovery(t *testing.T) {
	t.Parallel()
	recovery := regexp.MustCompile(`(?s)<testcase [^>]*name="after: recovery".*?(/>|</testcase>)`)
	rows := []struct {
		name    string
		dropped int
		want    string
	}{
		{"steady", 0, ""},
		{"no_better_before", 100, `<skipped message="not judged: it was no better before the faults"`},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			r := systems(200)[0].result(true)
			r.Arms[len(r.Arms)-1].Figures.Dropped += row.dropped
			var b bytes.Buffer
			if err := report.Run(r, "0.1.0").JUnit(&b); err != nil {
				t.Fatal(err)
			}
			got := recovery.FindString(b.String())
			if got == "" || !strings.Contains(got, row.want) || strings.Contains(got, "skipped") != (row.want != "") {
				t.Errorf("the case of recovery is %s\nwant it to have %q", got, row.want)
			}
		})
	}
}
