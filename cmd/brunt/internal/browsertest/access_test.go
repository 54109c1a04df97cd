package browsertest

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"
)

// violation is what axe finds wrong.
type violation struct {
	ID     string `json:"id"`
	Impact string `json:"impact"`
	Nodes  []struct {
		HTML    string `json:"html"`
		Summary string `json:"failureSummary"`
	} `json:"nodes"`
}

// axe runs the accessibility checks of axe-core on a page.
func axe(t *testing.T, p *tab) []violation {
	t.Helper()
	source, err := os.ReadFile(filepath.Join("testdata", "axe", "axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	if _, err := chromedp.Run(ctx, chromedp.Evaluate[chromedp.Void](string(source))); err != nil {
		t.Fatal(err)
	}
	found, err := chromedp.Run(ctx, chromedp.Evaluate[string](`axe.run().then(r => JSON.stringify(r.violations))`, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatal(err)
	}
	var out []violation
	if err := json.Unmarshal([]byte(found), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// axe finds nothing wrong in any view, light or dark, wide or narrow, folded or
// not.
func TestStatusPage_axe(t *testing.T) {
	t.Parallel()
	b := start(t)
	d := newDaemon(t)
	d.fill(t, "")
	for _, view := range []string{"overview", "proxy"} {
		for _, s := range []screen{screens()[0], screens()[1], narrow("light"), narrow("dark")} {
			t.Run(view+"_"+s.name, func(t *testing.T) {
				t.Parallel()
				p := b.visit(t, d.url+"/ui?events=all", s)
				if view == "proxy" {
					p.toHurt(t)
					p.do(t, chromedp.SendKeys(chromedp.CSS("#add-latency-latency"), "x\r"))
					p.until(t, `document.querySelector("[aria-invalid]") !== null`)
				}
				for _, open := range []string{"false", "true"} {
					eval[bool](t, p, `document.querySelectorAll("details").forEach(d => d.open = `+open+`), true`)
					for _, v := range axe(t, p) {
						t.Errorf("unfolded %s: %s (%s): %+v", open, v.ID, v.Impact, v.Nodes)
					}
				}
			})
		}
	}
}

// axe finds what is wrong with a bad page.
func TestChecks_axeNoticesABadPage(t *testing.T) {
	t.Parallel()
	p := start(t).open(t, []byte(`<!doctype html><title>bad</title><input><p style="color:#ccc;background:#fff">faint</p>`), screens()[0])
	var ids []string
	for _, v := range axe(t, p) {
		ids = append(ids, v.ID)
	}
	for _, want := range []string{"label", "color-contrast", "html-has-lang"} {
		if !slices.Contains(ids, want) {
			t.Errorf("not noticed: %s, only %v", want, ids)
		}
	}
}

// Whatever can be operated has a name for a screen reader, and buttons that do
// different things have different ones.
func TestStatusPage_names(t *testing.T) {
	t.Parallel()
	b := start(t)
	d := newDaemon(t)
	d.fill(t, "")
	controls := []string{"button", "link", "textbox", "searchbox", "combobox", "checkbox", "radio", "DisclosureTriangle"}
	for _, view := range []string{"overview", "proxy"} {
		t.Run(view, func(t *testing.T) {
			t.Parallel()
			p := b.visit(t, d.url+"/ui", screens()[0])
			if view == "proxy" {
				p.toHurt(t)
			}
			eval[bool](t, p, `document.querySelectorAll("details").forEach(d => d.open = true), true`)
			var tree accessibility.GetFullAXTreeResult
			p.do(t, command(accessibility.Enable, cdp.Empty{}), chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
				var err error
				tree, err = cdp.Call(ctx, target, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
				return err
			}))
			seen, roles := map[string]int{}, map[string]int{}
			for _, n := range tree.Nodes {
				if n.Ignored || n.Role == nil {
					continue
				}
				role, name := text(n.Role), text(n.Name)
				roles[role]++
				if !slices.Contains(controls, role) {
					continue
				}
				if name == "" {
					t.Errorf("a %s has no name", role)
				}
				if role == "button" || role == "DisclosureTriangle" {
					seen[role+" "+name]++
				}
			}
			for name, n := range seen {
				// A disclosure and the button in it may share a name.
				if n > 1 && name != "DisclosureTriangle Which connections" {
					t.Errorf("%d of %q", n, name)
				}
			}
			for _, role := range []string{"banner", "main", "heading", "status", "table", "columnheader", "rowheader"} {
				if roles[role] == 0 {
					t.Errorf("the page has no %s, only %v", role, roles)
				}
			}
			if roles["main"] != 1 || roles["banner"] != 1 {
				t.Errorf("landmarks: %d main, %d banner, want one each", roles["main"], roles["banner"])
			}
		})
	}
}

// text is a value of the accessibility tree.
func text(v *accessibility.Value) string {
	var s string
	if v == nil || json.Unmarshal(v.Value, &s) != nil {
		return ""
	}
	return s
}
