// Package docs_test checks what the pages say against the code.
package docs_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/brunt-go/brunt/fault/jsonscenario"
)

// The pages whose snippets are checked.
var pages = []string{
	"concepts/request-faults.md",
	"how-to/json-codec.md",
	"how-to/own-codec.md",
	"how-to/own-points.md",
	"how-to/without-the-runtime.md",
}

// block is a fenced block of a page, the file it is said to be from, and where.
type block struct{ page, language, text, file string }

var fence = regexp.MustCompile("(?ms)^(?:<!-- (\\S+) -->\n)?```(\\w+)\n(.*?)^```$")

func blocks(t *testing.T) (all []block) {
	t.Helper()
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range fence.FindAllStringSubmatch(string(text), -1) {
			all = append(all, block{page, m[2], m[3], m[1]})
		}
	}
	return all
}

// Each snippet of Go is in the file its comment names, which the tests compile
// and run; only its indentation differs.
func TestSnippets_areFromTestedCode(t *testing.T) {
	t.Parallel()
	checked := 0
	for _, b := range blocks(t) {
		if b.language != "go" {
			continue
		}
		checked++
		if b.file == "" {
			t.Errorf("%s: this snippet has no comment that names its file:\n%s", b.page, b.text)
			continue
		}
		source, err := os.ReadFile(filepath.Join("..", b.file))
		if err != nil {
			t.Errorf("%s: %v", b.page, err)
			continue
		}
		if !strings.Contains(flat(string(source)), flat(b.text)) {
			t.Errorf("%s: this is not in %s:\n%s", b.page, b.file, b.text)
		}
	}
	if checked < 10 {
		t.Errorf("checked %d snippets: the pages have more", checked)
	}
}

// flat is text without indentation.
func flat(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimSpace(line)
	}
	return strings.Join(lines, "\n")
}

// Each scenario is one the codec takes, and its errors are those it gives.
func TestSnippets_scenarios(t *testing.T) {
	t.Parallel()
	for _, b := range blocks(t) {
		if b.language == "json" {
			if _, err := jsonscenario.Parse(b.text); err != nil {
				t.Errorf("%s: %v\n%s", b.page, err, b.text)
			}
		}
	}
	inline := regexp.MustCompile("`(\\{\"point\".*?\\})`")
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range inline.FindAllStringSubmatch(string(text), -1) {
			if _, err := jsonscenario.Parse(`{"rules":[` + m[1] + `]}`); err != nil {
				t.Errorf("%s: %v\n%s", page, err, m[1])
			}
		}
	}
}

// X6: the facts about OpenTelemetry are those of the version in go.mod.
func TestRequestFaults_version(t *testing.T) {
	t.Parallel()
	mod, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	version := regexp.MustCompile(`go\.opentelemetry\.io/otel (v\S+)`).FindStringSubmatch(string(mod))
	page, err := os.ReadFile("concepts/request-faults.md")
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("measured on go.opentelemetry.io/otel %s.", version[1]); !strings.Contains(string(page), want) {
		t.Errorf("request-faults.md must say %q", want)
	}
}

// Links between the pages, and to the code, lead somewhere.
func TestPages_links(t *testing.T) {
	t.Parallel()
	link := regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`)
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), m[1])); err != nil {
				t.Errorf("%s links to %s: %v", page, m[1], err)
			}
		}
	}
}
