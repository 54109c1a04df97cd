package report

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/brunt-go/brunt/judge/oracle"
)

// A copy is made: the report itself, which JSON writes, stays as it is.
func TestReport_visible(t *testing.T) {
	t.Parallel()
	in := &Report{
		Name: "a\x1b",
		Trials: []Trial{{
			Started:  time.Date(2026, 7, 31, 0, 0, 0, 0, time.UTC),
			Findings: []oracle.Finding{{Message: "b\x1b", Example: &oracle.Example{Wire: []string{"c\x1b"}, Took: 3}}},
			Services: []Service{{Output: "d\n\x1b"}},
		}},
	}
	want := &Report{
		Name: `a\x1b`,
		Trials: []Trial{{
			Started:  time.Date(2026, 7, 31, 0, 0, 0, 0, time.UTC),
			Findings: []oracle.Finding{{Message: `b\x1b`, Example: &oracle.Example{Wire: []string{`c\x1b`}, Took: 3}}},
			Services: []Service{{Output: "d\n\\x1b"}},
		}},
	}
	if diff := cmp.Diff(want, in.visible()); diff != "" {
		t.Errorf("visible (-want +got):\n%s", diff)
	}
	if in.Name != "a\x1b" || in.Trials[0].Findings[0].Example.Wire[0] != "c\x1b" {
		t.Error("visible changed the report")
	}
}
