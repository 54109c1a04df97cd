package golden

import (
	"os"
	"strings"
	"testing"
)

// CheckSection fails t unless got is what stands in file between the lines
// "<!-- begin NAME -->" and "<!-- end NAME -->". With -update it puts it there.
// A page of the docs shows so what a test has just found out.
func CheckSection(t testing.TB, file, name, got string) {
	t.Helper()
	checkSection(t, file, name, got, *update)
}

func checkSection(t testing.TB, file, name, got string, update bool) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	begin, end := "<!-- begin "+name+" -->\n", "<!-- end "+name+" -->"
	before, rest, ok := strings.Cut(string(data), begin)
	want, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s has no section between %q and %q", file, strings.TrimSpace(begin), end)
	}
	got = strings.TrimRight(got, "\n") + "\n"
	if update {
		if err := os.WriteFile(file, []byte(before+begin+got+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if want != got {
		t.Errorf("%s, section %s, differs (go test -update writes it anew; -want +got):\n%s", file, name, Diff(want, got))
	}
}
