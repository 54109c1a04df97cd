package brunt_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/brunt-go/brunt/internal/docstest"
)

func read(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// R62: Main's documentation lists all its defaults.
func TestDocs_defaults(t *testing.T) {
	t.Parallel()
	doc, _, _ := strings.Cut(read(t, "main.go"), "\nfunc Main(")
	for _, want := range []string{"Host: [OSHost].", "Telemetry: [telemetry.New] with", "ShutdownGracePeriod: 20s.", "Drain: none.", "Faults: none."} {
		if !strings.Contains(doc, "\n//   - "+want) {
			t.Errorf("Main's documentation does not say %q", want)
		}
	}
}

// R201: the page on the runtime has Faults after the telemetry and before Init, and
// what runs under a scenario or doesn't leads to the page on scenarios.
func TestDocs_start(t *testing.T) {
	t.Parallel()
	page := read(t, "docs/reference/runtime.md")
	order := regexp.MustCompile(`(?m)^\d\. (Telemetry|.Faults.|.Init.|All Services)`).FindAllStringSubmatch(page, -1)
	var got []string
	for _, m := range order {
		got = append(got, m[1])
	}
	if want := []string{"Telemetry", "`Faults`", "`Init`", "All Services"}; !slices.Equal(got, want) {
		t.Errorf("the start is %q, want %q", got, want)
	}
	for _, file := range []string{"app.go", "job/doc.go", "health/httphealth/doc.go", "docs/how-to/write-a-service.md"} {
		if !strings.Contains(read(t, file), "concepts/request-faults.md") {
			t.Errorf("%s does not lead to the page on scenarios", file)
		}
	}
}

// R161: a job's documentation says that its BAGGAGE is trusted, and why.
func TestDocs_job(t *testing.T) {
	t.Parallel()
	doc := strings.ReplaceAll(read(t, "job/doc.go"), "\n// ", " ")
	for _, want := range []string{"A scenario in BAGGAGE is trusted", "Whoever sets the variable sets every other one"} {
		if !strings.Contains(doc, want) {
			t.Errorf("package job does not say %q", want)
		}
	}
}

// R200, as far as there are servers and clients to speak of.
func TestDocs_scenarios(t *testing.T) {
	t.Parallel()
	page := docstest.Page{Text: read(t, "docs/concepts/request-faults.md")}
	for _, want := range []string{
		"The model", "A fault is a real failure", "Trust", "In an App of the runtime", "Containing a scenario", "What a trace shows",
	} {
		if !slices.Contains(page.Headings(), want) {
			t.Errorf("the page has no heading %q", want)
		}
	}
}
