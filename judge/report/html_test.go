package report_test

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/brunt-go/brunt/internal/golden"
	"github.com/brunt-go/brunt/judge/experiment"
	"github.com/brunt-go/brunt/judge/ledger"
	"github.com/brunt-go/brunt/judge/oracle"
	"github.com/brunt-go/brunt/judge/report"
)

func htmlOf(t *testing.T, r *report.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := r.HTML(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Fewer calls than elsewhere: each is a line of the page.
func TestReport_HTML(t *testing.T) {
	t.Parallel()
	for name, r := range reports(40) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			golden.Check(t, []byte(htmlOf(t, r)), "html")
		})
	}
}

// tags walks the tags of a page and fails where one is not closed in its turn.
func tags(t *testing.T, page string, visit func(html.Token)) {
	t.Helper()
	void := []string{"meta", "link"}
	var open []string
	z := html.NewTokenizer(strings.NewReader(page))
	for {
		switch z.Next() {
		case html.ErrorToken:
			if !errors.Is(z.Err(), io.EOF) {
				t.Fatal(z.Err())
			}
			if len(open) > 0 {
				t.Errorf("not closed: %v", open)
			}
			return
		case html.StartTagToken:
			token := z.Token()
			visit(token)
			if !slices.Contains(void, token.Data) {
				open = append(open, token.Data)
			}
		case html.SelfClosingTagToken:
			visit(z.Token())
		case html.EndTagToken:
			token := z.Token()
			if n := len(open); n == 0 || open[n-1] != token.Data {
				t.Fatalf("</%s> closes %v", token.Data, open)
			}
			open = open[:len(open)-1]
		default: // text, comments, the doctype
		}
	}
}

// The page asks nothing of anybody, whatever it is made from: no script, no
// handler, and every reference is to a part of itself.
func TestReport_HTML_selfContained(t *testing.T) {
	t.Parallel()
	elements := strings.Fields("html head meta title link style body svg defs g circle path rect line use text " +
		"header main footer section article figure figcaption div p h1 h2 h3 ul ol li dl dt dd table thead tbody tr th td " +
		"span strong b bdi code pre time details summary")
	attributes := strings.Fields("lang charset http-equiv content name rel href class id viewbox aria-hidden aria-label aria-labelledby role tabindex " +
		"width height x y dx dy x1 x2 y1 y2 r rx cx cy d scope title datetime open")
	all := reports(200)
	for name, r := range hostileReports() {
		all["hostile_"+name] = r
	}
	for name, r := range all {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tags(t, htmlOf(t, r), func(token html.Token) {
				if !slices.Contains(elements, token.Data) {
					t.Errorf("element <%s>", token.Data)
				}
				for _, a := range token.Attr {
					if !slices.Contains(attributes, a.Key) {
						t.Errorf("<%s %s=%q>", token.Data, a.Key, a.Val)
					}
					if a.Key == "href" && !strings.HasPrefix(a.Val, "#") && !strings.HasPrefix(a.Val, "data:image/svg+xml;base64,") {
						t.Errorf("<%s href=%q>", token.Data, a.Val)
					}
				}
			})
		})
	}
}

func TestReport_HTML_noExternalURL(t *testing.T) {
	t.Parallel()
	for name, r := range reports(200) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			page := htmlOf(t, r)
			for _, bad := range []string{"://", "url(", "@import", "<script", "src="} {
				if i := strings.Index(page, bad); i >= 0 {
					t.Errorf("%q in %q", bad, page[max(0, i-40):i+40])
				}
			}
			const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">`
			if !strings.Contains(page, policy) {
				t.Errorf("the page lacks %s", policy)
			}
		})
	}
}

// Hostile text is there to be read, and is text only.
func TestReport_HTML_hostile(t *testing.T) {
	t.Parallel()
	for name, r := range hostileReports() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			page := htmlOf(t, r)
			for _, bad := range []string{"<script", "<img", "onerror=alert(2)>", "\x1b", "\u202e"} {
				if strings.Contains(page, bad) {
					t.Errorf("%q is in the page", bad)
				}
			}
			doc, err := html.Parse(strings.NewReader(page))
			if err != nil {
				t.Fatal(err)
			}
			var text strings.Builder
			for n := range doc.Descendants() {
				if n.Type == html.TextNode {
					text.WriteString(n.Data)
				}
			}
			const want = `<script>alert(1)</script>"><img src=x onerror=alert(2)>]]>\x1b[2J\x1b]0;owned\x07\u202eevil`
			if !strings.Contains(text.String(), want) {
				t.Errorf("the text lacks %s", want)
			}
		})
	}
}

// The first screen says what it comes to.
func TestReport_HTML_firstScreen(t *testing.T) {
	t.Parallel()
	rows := []struct{ name, title, lead string }{
		{"pass", "PASS", "135 requests were broken, the wire shows the same 135, and every guard engaged"},
		{"fail", "FAIL", "delay: the timeout did not engage"},
		{"invalid", "INVALID", "proxy catalog: no request passed it"},
		{"inconclusive", "INCONCLUSIVE", "the run was interrupted"},
		{"calibration", "Rule B at e = 5%", "It passes healthy and fails loose and noFallback."},
	}
	all := reports(200)
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			page := htmlOf(t, all[row.name])
			hero, _, _ := strings.Cut(page, "</header>")
			for _, want := range []string{"</svg>" + row.title + "</h1>", row.lead} {
				if !strings.Contains(hero, want) {
					t.Errorf("the header lacks %q", want)
				}
			}
		})
	}
}

// A long run is drawn with a bounded number of marks, and says so.
func TestReport_HTML_manyCalls(t *testing.T) {
	t.Parallel()
	const calls = 5000
	arm := experiment.Arm{Name: experiment.Baseline, Phase: experiment.PhaseBefore, Took: calls * time.Millisecond}
	for i := range calls {
		arm.Entries = append(arm.Entries, ledger.Entry{
			At: time.Duration(i) * time.Millisecond, Event: ledger.Call{Index: i, Outcome: oracle.Full, Took: time.Millisecond},
		})
	}
	arm.Figures = oracle.Count(arm.Entries)
	r := report.Run(&experiment.Result{Name: "many", Verdict: experiment.Pass, Arms: []experiment.Arm{arm}}, "test")
	marks := r.Trials[0].Arms[0].Marks
	if len(marks) != report.MaxMarks || marks[0].Index != 0 || marks[1].Index != 5 || marks[len(marks)-1].Index != 4995 {
		t.Errorf("%d marks, the first two and the last of calls %d, %d and %d, want 1000 of every fifth call", len(marks), marks[0].Index, marks[1].Index, marks[len(marks)-1].Index)
	}
	page := htmlOf(t, r)
	if n := strings.Count(page, `<use class="full" href="#full" x="`); n != report.MaxMarks+1 { // one in the legend
		t.Errorf("%d marks drawn, want %d", n, report.MaxMarks)
	}
	if want := "1000 of 5000 calls drawn, at even distances"; !strings.Contains(page, want) {
		t.Errorf("the page lacks %q", want)
	}
}

// A run that never got to its first arm still has a page.
func TestReport_nothingRan(t *testing.T) {
	t.Parallel()
	result := &experiment.Result{
		Name: "empty", Verdict: experiment.Invalid, Why: "service loan: it did not start",
		Problems: []experiment.Problem{{Verdict: experiment.Invalid, Hop: "service loan", Message: "it did not start"}},
	}
	run := report.Run(result, "test")
	calibration := report.Calibrate(&experiment.Calibration{Name: "empty", Variants: []experiment.VariantResult{{Name: "only", Result: result}}}, "test")
	none := report.Calibrate(&experiment.Calibration{Name: "none"}, "test")
	for _, r := range []*report.Report{run, calibration, none} {
		for _, write := range []func(io.Writer) error{
			r.JSON, r.JUnit, r.Markdown, r.HTML,
			func(w io.Writer) error { return r.Text(w, report.Style{}) },
		} {
			var b bytes.Buffer
			if err := write(&b); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(b.String(), r.Name) {
				t.Errorf("%s of %s does not name it:\n%s", r.Kind, r.Name, b.String())
			}
		}
	}
}
