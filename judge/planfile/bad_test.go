package planfile

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/brunt-go/brunt/internal/golden"
)

// What is said about each file of testdata/bad stands in one golden file, to be
// read as a whole.
func TestParse_bad(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/bad/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 50 {
		t.Fatalf("%d files, want at least 50", len(files))
	}
	var said bytes.Buffer
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, err = Parse(filepath.Base(file), data)
		if err == nil {
			t.Errorf("Parse(%s) = nil, want errors", file)
			continue
		}
		checkErrors(t, data, err)
		fmt.Fprintf(&said, "%v\n", err)
	}
	golden.Check(t, said.Bytes(), "txt")
}

// checkErrors fails t unless err is what Parse promises: Errors, each with a
// position inside the file, in order, on a line of its own.
func checkErrors(t *testing.T, data []byte, err error) {
	t.Helper()
	errs, ok := err.(Errors) //nolint:errorlint // it is not wrapped, and that is the promise
	if !ok || len(errs) == 0 {
		t.Fatalf("error is %T of %v, want Errors", err, err)
	}
	lines := bytes.Split(data, []byte("\n"))
	for i, e := range errs {
		if e.Line < 1 || e.Column < 1 || e.Line > len(lines) || e.Column > len(lines[e.Line-1])+1 {
			t.Errorf("%v: there is no such place in the file", e)
		}
		if e.Problem == "" {
			t.Errorf("%v: says nothing", e)
		}
		if i > 0 && (errs[i-1].Line > e.Line || errs[i-1].Line == e.Line && errs[i-1].Column > e.Column) {
			t.Errorf("%v stands behind %v", e, errs[i-1])
		}
	}
	if n := bytes.Count([]byte(err.Error()), []byte("\n")); n != len(errs)-1 {
		t.Errorf("%d problems on %d lines:\n%v", len(errs), n+1, err)
	}
}
