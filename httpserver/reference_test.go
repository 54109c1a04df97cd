package httpserver

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The page of what Apps emit has every record of httpserver, and no other.
func TestReference_records(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../docs/reference/telemetry.md")
	if err != nil {
		t.Fatal(err)
	}
	var listed, written []string
	quoted := regexp.MustCompile("`([^`]+)`")
	for _, row := range regexp.MustCompile("(?m)^\\| log[^|]*\\| `[^`]*/httpserver` \\|([^|]+)\\|").FindAllStringSubmatch(string(page), -1) {
		for _, name := range quoted.FindAllStringSubmatch(row[1], -1) {
			listed = append(listed, name[1])
		}
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	call := regexp.MustCompile(`\.(?:Debug|Info|Warn|Error)Context\([^"\n]*"([^"]+)"`)
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		for _, m := range call.FindAllStringSubmatch(string(source), -1) {
			written = append(written, m[1])
		}
	}
	slices.Sort(listed)
	slices.Sort(written)
	if listed, written = slices.Compact(listed), slices.Compact(written); !slices.Equal(listed, written) {
		t.Errorf("the page lists %q\nthe code writes %q", listed, written)
	}
}
