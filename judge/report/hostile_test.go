package report_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/brunt-go/brunt/judge/report"
)

// hostileReports have hostile text wherever text comes from outside.
func hostileReports() map[string]*report.Report {
	return map[string]*report.Report{
		"run":         report.Run(hostileResult(), hostile),
		"calibration": report.Calibrate(hostileCalibration(), hostile),
	}
}

// Whatever a service is called or writes, no format lets it act on a terminal
// or reorder what stands around it.
func TestReport_hiddenCharacters(t *testing.T) {
	t.Parallel()
	formats := map[string]func(*report.Report, io.Writer) error{
		"text":     func(r *report.Report, w io.Writer) error { return r.Text(w, report.Style{}) },
		"json":     (*report.Report).JSON,
		"junit":    (*report.Report).JUnit,
		"markdown": (*report.Report).Markdown,
	}
	for kind, r := range hostileReports() {
		for name, write := range formats {
			t.Run(kind+"_"+name, func(t *testing.T) {
				t.Parallel()
				var b bytes.Buffer
				if err := write(r, &b); err != nil {
					t.Fatal(err)
				}
				for i, c := range b.String() {
					if c != '\n' && c != '\t' && unicode.In(c, unicode.Cc, unicode.Cf, unicode.Noncharacter_Code_Point) {
						t.Fatalf("%U at byte %d: %q", c, i, b.String()[max(0, i-20):i+1])
					}
				}
			})
		}
	}
}

func TestReport_Text_colour(t *testing.T) {
	t.Parallel()
	for kind, r := range hostileReports() {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			var b bytes.Buffer
			if err := r.Text(&b, report.Style{Color: true}); err != nil {
				t.Fatal(err)
			}
			left := regexp.MustCompile("\x1b\\[[0-9]+m").ReplaceAllString(b.String(), "")
			if len(left) == b.Len() {
				t.Error("no colour in it")
			}
			if strings.Contains(left, "\x1b") {
				t.Error("an escape sequence that is no colour of ours")
			}
		})
	}
}

// Plain and coloured text say the same.
func TestReport_Text_colourChangesNothingElse(t *testing.T) {
	t.Parallel()
	for name, r := range reports() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var plain, coloured bytes.Buffer
			if err := errors.Join(r.Text(&plain, report.Style{}), r.Text(&coloured, report.Style{Color: true})); err != nil {
				t.Fatal(err)
			}
			if got := regexp.MustCompile("\x1b\\[[0-9]+m").ReplaceAllString(coloured.String(), ""); got != plain.String() {
				t.Errorf("without its colours the text is\n%s\nwant\n%s", got, plain.String())
			}
		})
	}
}

// JSON alone keeps what was said, to the byte.
func TestReport_JSON_keepsText(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := hostileReports()["run"].JSON(&b); err != nil {
		t.Fatal(err)
	}
	var got struct{ Name, Why string }
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	want := strings.ToValidUTF8(hostile, "\ufffd")
	if got.Name != want || got.Why != want {
		t.Errorf("name = %q, want %q", got.Name, want)
	}
}

// A CI system reads the file with a plain XML parser.
func TestReport_JUnit_hostile(t *testing.T) {
	t.Parallel()
	for kind, r := range hostileReports() {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			var b bytes.Buffer
			if err := r.JUnit(&b); err != nil {
				t.Fatal(err)
			}
			known := map[string]bool{}
			for _, name := range strings.Fields("testsuites testsuite properties property testcase failure error skipped system-out") {
				known[name] = true
			}
			var text strings.Builder // CDATA sections may come in pieces
			dec := xml.NewDecoder(&b)
			for {
				token, err := dec.Token()
				if errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					t.Fatal(err)
				}
				switch token := token.(type) {
				case xml.StartElement:
					if !known[token.Name.Local] {
						t.Errorf("element <%s>: a name became markup", token.Name.Local)
					}
				case xml.CharData:
					text.Write(token)
				}
			}
			if !strings.Contains(text.String(), "<script>alert(1)</script>\"><img src=x onerror=alert(2)>]]>") {
				t.Error("the hostile text is nowhere to be read")
			}
		})
	}
}

// Outside of fences no text is markup, HTML, a link or a mention.
func TestReport_Markdown_hostile(t *testing.T) {
	t.Parallel()
	for kind, r := range hostileReports() {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			var b bytes.Buffer
			if err := r.Markdown(&b); err != nil {
				t.Fatal(err)
			}
			text := regexp.MustCompile("(?s)\n```text\n.*?\n```").ReplaceAllString(b.String(), "")
			text = strings.ReplaceAll(text, "@<!-- -->", "(at)")
			for _, own := range []string{"<!-- brunt-report -->", "<details>", "</details>", "<summary>", "</summary>", "<sub>", "</sub>"} {
				text = strings.ReplaceAll(text, own, "")
			}
			for _, bad := range []string{"<", "x](", " `", "@", "http://", "\n# head"} {
				if strings.Contains(text, bad) {
					t.Errorf("%q stands outside of fences", bad)
				}
			}
		})
	}
}
