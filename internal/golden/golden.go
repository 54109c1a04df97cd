// Package golden compares what a test produced with a file that a person has
// looked at. `go test -update` writes the files anew; the diff is then reviewed
// like any other change.
package golden

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// update is set by -update. A flag has to be known before any test runs.
var update = flag.Bool("update", false, "write golden files anew instead of comparing with them")

// Check fails t unless got is what testdata/<test's name>.golden.<ext> holds.
// With -update it writes the file.
func Check(t testing.TB, got []byte, ext string) {
	t.Helper()
	name := strings.NewReplacer("/", "-", " ", "_").Replace(t.Name())
	check(t, got, filepath.Join("testdata", name+".golden."+ext), *update)
}

func check(t testing.TB, got []byte, file string, update bool) {
	t.Helper()
	if update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("no golden file: %v (go test -update writes it)", err)
	}
	if !bytes.Equal(want, got) {
		t.Errorf("%s differs (go test -update writes it anew; -want +got):\n%s", file, Diff(string(want), string(got)))
	}
}
