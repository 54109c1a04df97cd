package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// command runs the command line args and returns its stdout, its stderr and its
// status.
func command(t *testing.T, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	var out, errs bytes.Buffer
	status = Run(t.Context(), args, strings.NewReader(""), &out, &errs)
	return out.String(), errs.String(), status
}

// What is too long for a header, or for a scenario in one, is refused: the
// scripts hold the short ones.
func TestScenario_tooLong(t *testing.T) {
	t.Parallel()
	huge := filepath.Join(t.TempDir(), "huge.json")
	if err := os.WriteFile(huge, bytes.Repeat([]byte(" "), maxInput+1), 0o600); err != nil {
		t.Fatal(err)
	}
	var many []string
	for i := range 64 {
		many = append(many, fmt.Sprintf("m%d=x", i))
	}
	write := []string{"scenario", "write", "--key", "acme.fault", "--rule"}
	rows := []struct {
		name string
		args []string
		want string
	}{
		{"member", append(write, strings.Repeat("a", 2100)), "brunt: jsonscenario: member acme.fault: 2147 bytes percent-encoded, must be at most 2048: shorten it, or carry an ID of it\n"},
		{"members", append(write, "a", "--rest", strings.Join(many, ",")), "brunt: member m63 would be dropped: it comes after 64 others\n"},
		{"header", append(write, "a", "--rest", "big="+strings.Repeat("x", 9000)), "brunt: the header would have 9053 bytes, must be at most 8192: every member of a longer one is dropped\n"},
		{"file", []string{"scenario", "write", "--key", "acme.fault", "--file", huge}, "brunt: " + huge + ": over 1048576 bytes, which no header can carry\n"},
		{"read", []string{"scenario", "read", "--key", "acme.fault", strings.Join(many, ",") + ",acme.fault={}"}, "brunt: no scenario arrives: member acme.fault is dropped: it comes after 64 others\n"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			if _, stderr, status := command(t, row.args...); stderr != row.want || status != exitUsage {
				t.Errorf("status %d, stderr %q, want %d, %q", status, stderr, exitUsage, row.want)
			}
		})
	}
}

// full is a disk that is full.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestScenario_outputFails(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"scenario", "write", "--key", "acme.fault", "--rule", "a abort"},
		{"scenario", "read", "--key", "acme.fault", "acme.fault={}"},
		{"scenario", "read", "--key", "acme.fault", "acme.fault={}", "--json"},
	} {
		var stderr bytes.Buffer
		status := Run(t.Context(), args, strings.NewReader(""), full{}, &stderr)
		if want := "brunt: no space left on device\n"; status != exitOutput || stderr.String() != want {
			t.Errorf("%q: status %d, stderr %q, want %d, %q", args, status, stderr.String(), exitOutput, want)
		}
	}
}

// Each command line that writes a scenario in the pages and the examples works.
func TestScenario_pages(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob("../../../../docs/how-to/*.md")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "scenario.json")
	if err := os.WriteFile(file, []byte(`{"rules": []}`), 0o600); err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`brunt (scenario write --key(?: [^ ')\n]+| '[^'\n]*')+)`)
	word := regexp.MustCompile(`'[^']*'|[^ ']+`)
	seen := 0
	for _, page := range append(pages, "../../../../examples/two-services/README.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range line.FindAllStringSubmatch(string(text), -1) {
			seen++
			var args []string
			for _, w := range word.FindAllString(m[1], -1) {
				args = append(args, strings.Replace(strings.Trim(w, "'"), "scenario.json", file, 1))
			}
			if _, stderr, status := command(t, args...); status != exitPass {
				t.Errorf("%s: %q: status %d: %s", page, args, status, stderr)
			}
		}
	}
	if seen < 6 {
		t.Errorf("found %d command lines, the pages have more", seen)
	}
}
