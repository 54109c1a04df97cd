package docstest

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const page = "# The `first` heading\n" +
	"See [there](there.md#a-b), `code [no](link.md)`, ![picture](p.png).\n" +
	"<img src=\"q.png\">\n" +
	"<!-- x.go -->\n" +
	"```go\n" +
	"# no heading\n" +
	"[no](link.md)\n" +
	"```\n" +
	"\n" +
	"````text\n" +
	"```\n" +
	"````\n" +
	"## Why, and how?\n"

func TestPage(t *testing.T) {
	t.Parallel()
	p := Page{"page.md", page}
	blocks := []Block{
		{Page: "page.md", Line: 5, Lang: "go", Mark: "x.go", Above: "<img src=\"q.png\">", Text: "# no heading\n[no](link.md)\n"},
		{Page: "page.md", Line: 10, Lang: "text", Text: "```\n"},
	}
	if diff := cmp.Diff(blocks, p.Blocks()); diff != "" {
		t.Errorf("Blocks (-want +got):\n%s", diff)
	}
	if got, want := p.Links(), []string{"there.md#a-b", "p.png", "q.png"}; !slices.Equal(got, want) {
		t.Errorf("Links = %q, want %q", got, want)
	}
	if got, want := p.Anchors(), []string{"the-first-heading", "why-and-how"}; !slices.Equal(got, want) {
		t.Errorf("Anchors = %q, want %q", got, want)
	}
	if got, want := p.Spans(), []string{"first", "code [no](link.md)"}; !slices.Equal(got, want) {
		t.Errorf("Spans = %q, want %q", got, want)
	}
}

func TestPage_Plans(t *testing.T) {
	t.Parallel()
	p := Page{"page.md", "```yaml\nname: changed\n```\n" +
		"```yaml\nversion: 1\nname: whole\nload:\n  requests: 1\n```\n" +
		"```yaml\njobs: {}\n```\n" +
		"```yaml\nload:\n  requests: 2\nlimits: {max_faulted: 3}\n```\n"}
	var got []string
	for _, plan := range p.Plans("version: 1\nname: base\n") {
		got = append(got, plan.Whole)
	}
	want := []string{
		"version: 1\nname: changed\n",
		"version: 1\nname: whole\nload:\n  requests: 1\n",
		"version: 1\nname: whole\nload:\n  requests: 2\nlimits: {max_faulted: 3}\n",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Plans (-want +got):\n%s", diff)
	}
}

func TestQuotes(t *testing.T) {
	t.Parallel()
	const source = "func f() {\n\ta()\n\n\tif b {\n\t\tc()\n\t}\n}\n"
	rows := []struct {
		name, text string
		want       bool
	}{
		{"same_depth", "\ta()\n\n\tif b {\n", true},
		{"less_deep", "if b {\n\tc()\n}\n", true},
		{"line_left_out", "a()\nif b {\n", false},
		{"other_depth_inside", "if b {\nc()\n}\n", false},
		{"longer_than_the_source", source + "x\n", false},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			if got := Quotes(source, row.text); got != row.want {
				t.Errorf("Quotes(%q) = %v, want %v", row.text, got, row.want)
			}
		})
	}
}

func TestAbsent(t *testing.T) {
	t.Parallel()
	const source = "one\ntwo  \nthree\nfour\n"
	rows := []struct{ name, text, want string }{
		{"all", source, ""},
		{"the_end", "three\nfour\n", ""},
		{"left_out", "one\n...\nfour\n", ""},
		{"left_out_unsaid", "one\nfour\n", "four"},
		{"wrong_order", "two\n...\none\n", "one"},
		{"not_there", "one\ntwo\nfive\n", "five"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			if got, absent := Absent(source, row.text); got != row.want || absent != (row.want != "") {
				t.Errorf("Absent(%q) = %q, %v, want %q", row.text, got, absent, row.want)
			}
		})
	}
}
