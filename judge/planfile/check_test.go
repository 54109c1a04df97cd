package planfile

import "testing"

func TestNearest(t *testing.T) {
	t.Parallel()
	root, _, problems := parseYAML("plan.yaml", []byte("services:\n  a: {exec: [x, y]}\n  a.b: {env: {C.D: e}}\n  a.b.c: 1\nload:\n"))
	if len(problems) > 0 {
		t.Fatal(sorted(problems))
	}
	for in, want := range map[string]string{
		"":                     "",
		"services":             "services",
		"services.a":           "services.a",
		"services.a.exec":      "services.a.exec",
		"services.a.exec[1]":   "services.a.exec[1]",
		"services.a.exec[2]":   "services.a.exec",
		"services.a.exec[x]":   "services.a.exec",
		"services.a.listen":    "services.a",
		"services.a.b":         "services.a.b",
		"services.a.b.env.C.D": "services.a.b.env.C.D",
		"services.a.b.env.C":   "services.a.b.env",
		"services.a.b.c":       "services.a.b.c",
		"services.ab":          "services",
		"load.http.url":        "load",
		"faults.late.at":       "",
	} {
		if got := nearest(part{node: root}, in).path; got != want {
			t.Errorf("nearest(%s) = %q, want %q", in, got, want)
		}
	}
}

func TestWithin(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		field, path string
		want        bool
	}{
		{"a", "a", true}, {"a.b", "a", true}, {"a[0]", "a", true}, {"a", "", true}, {"", "", true},
		{"ab", "a", false}, {"a", "a.b", false}, {"", "a", false},
	} {
		if got := within(row.field, row.path); got != row.want {
			t.Errorf("within(%q, %q) = %v, want %v", row.field, row.path, got, row.want)
		}
	}
}
