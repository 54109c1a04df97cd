package golden

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// recorder is a testing.TB that keeps what a test would have failed with.
type recorder struct {
	testing.TB
	failure string
}

func (r *recorder) Helper()                           {}
func (r *recorder) Errorf(format string, args ...any) { r.failure = fmt.Sprintf(format, args...) }

func TestCheck(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "testdata", "x.golden.txt")
	r := &recorder{TB: t}
	check(r, []byte("one\n"), file, true)
	check(r, []byte("one\n"), file, false)
	if r.failure != "" {
		t.Errorf("what was just written differs: %s", r.failure)
	}
	check(r, []byte("two\n"), file, false)
	if want := "- one\n+ two\n"; !strings.Contains(r.failure, want) {
		t.Errorf("failure = %q, want it to hold %q", r.failure, want)
	}
	if data, err := os.ReadFile(file); err != nil || string(data) != "one\n" {
		t.Errorf("comparing changed the file to %q, %v", data, err)
	}
}

func TestDiff(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", maxWidth+1)
	rows := []struct{ name, want, got, diff string }{
		{"one_line", "a\nb\nc\nd\ne", "a\nb\nX\nd\ne", "line 3:\n  a\n  b\n- c\n+ X\n  d\n  e\n"},
		{"added", "a\nb", "a\nX\nb", "line 2:\n  a\n+ X\n  b\n"},
		{"removed_at_the_end", "a\nb", "a", "line 2:\n  a\n- b\n"},
		{"repeated_line", "a\na", "a", "line 2:\n  a\n- a\n"},
		{"long_line", "a", long, "line 1:\n- a\n+ " + long[:maxWidth] + "[...]\n"},
		{"many_lines", "", strings.Repeat("y\n", 13), "line 1:\n" + strings.Repeat("+ y\n", maxLines) + "+ [3 more lines]\n  \n"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			if got := Diff(row.want, row.got); got != row.diff {
				t.Errorf("Diff = %q, want %q", got, row.diff)
			}
		})
	}
}

func ExampleDiff() {
	fmt.Print(Diff("verdict\nPASS\nend", "verdict\nFAIL\nend"))
	// Output:
	// line 2:
	//   verdict
	// - PASS
	// + FAIL
	//   end
}
