package brunt_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A module that go.work leaves out is a module whose tests nobody runs.
func TestWorkspace_listsEveryModule(t *testing.T) {
	t.Parallel()
	work, err := os.ReadFile("go.work")
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for _, m := range regexp.MustCompile(`(?m)^\s+(\.\S*)$`).FindAllStringSubmatch(string(work), -1) {
		listed = append(listed, filepath.ToSlash(filepath.Clean(m[1])))
	}
	onDisk := modules(t)
	// tools pins linters: their requirements must not mix with ours.
	onDisk = slices.DeleteFunc(onDisk, func(dir string) bool { return dir == "tools" })
	slices.Sort(listed)
	slices.Sort(onDisk)
	if !slices.Equal(listed, onDisk) {
		t.Errorf("go.work lists %v, on disk are %v: add or remove a `use` line", listed, onDisk)
	}
}

// Each module names the same Go, without a patch level, so that users of any
// 1.26 can build it.
func TestWorkspace_goVersion(t *testing.T) {
	t.Parallel()
	files := []string{"go.work"}
	for _, dir := range modules(t) {
		files = append(files, filepath.Join(dir, "go.mod"))
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(data), "\ngo 1.26.0\n") && !strings.HasPrefix(string(data), "go 1.26.0\n") {
			t.Errorf("%s does not say `go 1.26.0`", file)
		}
		if strings.Contains(string(data), "\ntoolchain ") {
			t.Errorf("%s has a toolchain line: it forces a download on users", file)
		}
	}
}

func modules(t *testing.T) []string {
	t.Helper()
	var dirs []string
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && path != ".") {
			return filepath.SkipDir
		}
		if d.Name() == "go.mod" {
			dirs = append(dirs, filepath.ToSlash(filepath.Dir(path)))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return dirs
}
