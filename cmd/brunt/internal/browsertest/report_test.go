package browsertest

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// sideways lists what sticks out of the window and does not scroll in a box of
// its own.
const sideways = `(() => {
	const out = [];
	const width = document.documentElement.clientWidth;
	if (document.documentElement.scrollWidth > width) out.push("the page: " + document.documentElement.scrollWidth + " in " + width);
	for (const e of document.querySelectorAll("body *")) {
		if (e.closest(".scroll") && !e.matches(".scroll")) continue;
		if (e.closest("svg") && !e.matches("svg")) continue;
		const r = e.getBoundingClientRect();
		if (r.width > 0 && (r.right > width + 1 || r.left < -1)) out.push(e.tagName + "." + e.className + " from " + r.left + " to " + r.right + " in " + width);
	}
	return out.slice(0, 5);
})()`

// On every screen the report is quiet, fits, and says first what it comes to.
func TestReport(t *testing.T) {
	t.Parallel()
	b := start(t)
	titles := map[string]string{"run": "FAIL", "calibration": "Rule B at e = 5%"}
	for name, page := range pages(t, "") {
		for _, s := range screens() {
			t.Run(name+"_"+s.name, func(t *testing.T) {
				t.Parallel()
				p := b.open(t, page, s)
				if out := eval[[]string](t, p, sideways); len(out) > 0 {
					t.Errorf("sticks out sideways: %q", out)
				}
				if got := eval[string](t, p, `document.querySelector("h1").innerText.trim()`); got != titles[name] {
					t.Errorf("h1 = %q, want %q", got, titles[name])
				}
				if !eval[bool](t, p, `(() => {
					const seen = [...document.querySelectorAll("h1, .lead")].map(e => e.getBoundingClientRect());
					return seen.length == 2 && seen.every(r => r.height > 0 && r.top >= 0 && r.bottom <= innerHeight && r.left >= 0 && r.right <= innerWidth);
				})()`) {
					t.Error("the verdict and why are not within the first screen")
				}
				if n := eval[int](t, p, `document.querySelectorAll("svg.timeline use").length`); n < 200 {
					t.Errorf("%d calls are drawn, want 200 for each arm", n)
				}
				if n := eval[int](t, p, `[...document.querySelectorAll("svg.timeline use")].filter(e => e.getBoundingClientRect().width < 1).length`); n > 0 {
					t.Errorf("%d calls are drawn as nothing", n)
				}
				if heard := p.heard(); len(heard) > 0 {
					t.Errorf("the page is not quiet: %q", heard)
				}
			})
		}
	}
}

// On a desktop both tables of a calibration are within the first screen.
func TestReport_bothTablesAtOnce(t *testing.T) {
	t.Parallel()
	p := start(t).open(t, pages(t, "")["calibration"], screens()[0])
	const bottoms = `[...document.querySelectorAll(".tables table")].map(e => e.getBoundingClientRect().bottom <= innerHeight)`
	if got := eval[[]bool](t, p, bottoms); len(got) != 2 || !got[0] || !got[1] {
		t.Errorf("tables within the first screen: %v, want both", got)
	}
}

// Hostile names are text that people can read, and nothing else.
func TestReport_hostileNames(t *testing.T) {
	t.Parallel()
	b := start(t)
	for name, page := range pages(t, hostile) {
		for _, s := range screens() {
			t.Run(name+"_"+s.name, func(t *testing.T) {
				t.Parallel()
				p := b.open(t, page, s)
				if text := eval[string](t, p, `document.body.innerText`); strings.Count(text, shown) < 10 {
					t.Errorf("the names can be read %d times, want many", strings.Count(text, shown))
				}
				if n := eval[int](t, p, `document.querySelectorAll("script, img, iframe, object").length`); n > 0 {
					t.Errorf("%d elements came out of names", n)
				}
				if eval[bool](t, p, `"pwned" in window`) {
					t.Error("a name was run")
				}
				if out := eval[[]string](t, p, sideways); len(out) > 0 {
					t.Errorf("sticks out sideways: %q", out)
				}
				if heard := p.heard(); len(heard) > 0 {
					t.Errorf("the page is not quiet: %q", heard)
				}
			})
		}
	}
}

// Tables that scroll and details that open can be reached without a mouse.
func TestReport_keyboard(t *testing.T) {
	t.Parallel()
	p := start(t).open(t, pages(t, "")["run"], screens()[2])
	reached := map[string]bool{}
	for range 12 {
		p.do(t, chromedp.KeyEvent("\t"))
		reached[eval[string](t, p, `document.activeElement.tagName + "." + document.activeElement.className`)] = true
	}
	for _, want := range []string{"SUMMARY.", "DIV.scroll", "PRE.scroll"} {
		if !reached[want] {
			t.Errorf("Tab never reaches %s, only %v", want, reached)
		}
	}
}

// The checks above can fail: a page that does everything wrong is noticed.
func TestChecks_noticeABadPage(t *testing.T) {
	t.Parallel()
	const bad = `<!doctype html><meta charset="utf-8"><title>bad</title>
<h1 style="width: 3000px">wide</h1>
<img src="http://127.0.0.1:9/x" onerror="window.pwned = 2">
<script>console.error("printed"); window.pwned = 1; throw new Error("thrown")</script>`
	p := start(t).open(t, []byte(bad), screens()[0])
	if out := eval[[]string](t, p, sideways); len(out) != 2 {
		t.Errorf("sticks out sideways: %q, want the page and its h1", out)
	}
	if !eval[bool](t, p, `"pwned" in window`) {
		t.Error("the script did not run: the check of hostile names proves nothing")
	}
	heard := strings.Join(p.heard(), "\n")
	for _, want := range []string{"console: error", "exception: Uncaught", "request: http://127.0.0.1:9/x"} {
		if !strings.Contains(heard, want) {
			t.Errorf("not noticed: %s, only\n%s", want, heard)
		}
	}
}
