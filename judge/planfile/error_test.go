package planfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestError_text(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		in   Error
		want string
	}{
		{Error{File: "loan.yaml", Line: 12, Column: 5, Field: "faults.delay.share", Problem: "1.2, want a share from 0 to 1"}, "loan.yaml:12:5: faults.delay.share: 1.2, want a share from 0 to 1"},
		{Error{File: "loan.yaml", Line: 1, Column: 1, Problem: "the file is empty"}, "loan.yaml:1:1: the file is empty"},
		{Error{File: "loan.yaml", Problem: "no such file or directory"}, "loan.yaml: no such file or directory"},
		{Error{File: "a", Line: 1, Column: 2, Field: "faults.a\nb", Problem: "x\x1b[31m\ty"}, "a:1:2: faults.a␣b: x␣[31m␣y"},
	} {
		if got := row.in.Error(); got != row.want {
			t.Errorf("Error() = %q, want %q", got, row.want)
		}
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	errs := sorted([]*Error{
		{File: "f", Line: 2, Column: 1, Problem: "c"},
		{File: "f", Line: 1, Column: 9, Problem: "b"},
		{File: "f", Line: 1, Column: 3, Field: "y", Problem: "a"},
		{File: "f", Line: 1, Column: 3, Field: "x", Problem: "a"}, // the same, seen from elsewhere
	})
	const want = "f:1:3: x: a\nf:1:9: b\nf:2:1: c"
	if got := errs.Error(); got != want {
		t.Errorf("Error() = %q, want %q", got, want)
	}
	first, ok := errors.AsType[*Error](error(errs))
	if !ok || first.Field != "x" {
		t.Errorf("AsType[*Error] = %v, %v, want the first problem", first, ok)
	}
}

// A file that cannot be read is a problem at no line, and the system's error is
// behind it.
func TestRead_unreadable(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	missing := filepath.Join(dir, "none.yaml")
	for _, path := range []string{missing, dir} {
		_, err := Read(path)
		errs, ok := err.(Errors) //nolint:errorlint // it is not wrapped, and that is the promise
		if !ok || len(errs) != 1 || errs[0].Line != 0 || errs[0].Column != 0 || errs[0].File != path {
			t.Errorf("Read(%s) = %v, want one problem without a place", path, err)
		}
		if strings.Count(err.Error(), path) != 1 {
			t.Errorf("Read(%s) = %v, want the path once", path, err)
		}
		if !errors.As(err, new(*fs.PathError)) {
			t.Errorf("Read(%s) = %v, want a PathError behind it", path, err)
		}
	}
	if _, err := Read(missing); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Read(%s) = %v, want fs.ErrNotExist behind it", missing, err)
	}
}

// Of a file that never ends, no more is read than tells that it is too large.
func TestRead_endless(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/dev/zero"); err != nil {
		return // there are no endless files on this system
	}
	_, err := Read("/dev/zero")
	if err == nil || err.Error() != "/dev/zero:1:1: the file is larger than 1 MiB" {
		t.Errorf("Read(/dev/zero) = %v, want too large", err)
	}
}

func TestParse_dir(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ file, dir, want string }{
		{"plans/loan.yaml", "../services", "services"},
		{"plans/loan.yaml", "bin", filepath.Join("plans", "bin")},
		{"/etc/plans/loan.yaml", "./a/../b", "/etc/plans/b"},
		{"plans/loan.yaml", "/srv/", "/srv"},
		{"loan.yaml", ".", "."},
		{"", "bin", "bin"},
	} {
		text := strings.Replace(loanText(t), "exec: [brunt, sample, catalog]", "dir: "+row.dir+", exec: [brunt, sample, catalog]", 1)
		e, err := Parse(row.file, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := e.Services[0].Dir; got != filepath.FromSlash(row.want) {
			t.Errorf("dir %s of %q = %s, want %s", row.dir, row.file, got, row.want)
		}
	}
}
