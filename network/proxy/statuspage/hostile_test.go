package statuspage_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"golang.org/x/net/html"

	"github.com/brunt-go/brunt/network/proxy/control"
)

// hostile would run, load, break out and reorder, if it were anything but text.
const hostile = `<script>alert(1)</script>"'><img src=x onerror=alert(2)>/../?#%2F` + "\u202e" + `{{.}}`

// seen is how it must look.
const seen = `<script>alert(1)</script>"'><img src=x onerror=alert(2)>/../?#%2F\u202e{{.}}`

// Hostile names are text on every view, their forms reach what they name, and so
// does what is typed.
func TestHostile(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.create(hostile, hostile, "127.0.0.1:5000", "<script>alert(3)</script>:1")
		r.create("", strings.Repeat("w", 256), "127.0.0.1:5001", "db:1")
		r.create("", "קפה 借書 \U0001F4DA", "127.0.0.1:5002", "db:1")
		r.create("", "a//b", "127.0.0.1:5003", "db:1")
		r.toxic(hostile, hostile, control.ToxicSpec{Name: hostile, Type: "noop"})
		if c, err := r.network.Dial("tcp", "127.0.0.1:5000"); err == nil {
			c.Close() // for an event with an error
		}
		synctest.Wait()
		paths := views(t, r.get("/ui").Body.String())
		if len(paths) != 4 {
			t.Fatalf("views of proxies: %q, want 4", paths)
		}
		for _, path := range append(paths, "/ui?q="+hostile[:8]) {
			w := r.get(strings.ReplaceAll(path, "<", "%3C"))
			page := w.Body.String()
			if w.Code != 200 {
				t.Errorf("GET %s: %d", path, w.Code)
			}
			for _, bad := range []string{"<script>alert", "<img", "\u202e"} {
				// Only in what is typed may a mark that reorders text stay as it is.
				if strings.Contains(page, bad) {
					t.Errorf("%s: %q is in the page", path, bad)
				}
			}
			sound(t, page)
		}
		page := r.get("/ui").Body.String()
		if text := textOf(t, page); strings.Count(text, seen) < 3 { // name, session, events
			t.Errorf("the names can be read %d times, want more", strings.Count(text, seen))
		}

		var path string
		for _, p := range paths {
			if strings.HasPrefix(p, "/ui/sessions/") {
				path = p
			}
		}
		if w := r.post(path+"/toxics", "type", hostile, "stream", hostile, "name", hostile, "toxicity", hostile); w.Code != 400 || strings.Contains(w.Body.String(), "<script>alert") {
			t.Errorf("%d, or what was typed was not escaped", w.Code)
		}
		for _, action := range actions(t, r.get(path).Body.String()) {
			if strings.HasSuffix(action, "/remove") {
				if w := r.post(action); w.Code != 303 {
					t.Errorf("POST %s: %d", action, w.Code)
				}
			}
		}
		if toxics, err := r.server.Toxics(hostile, hostile); err != nil || len(toxics) > 0 {
			t.Errorf("the form did not remove %v (%v)", toxics, err)
		}
		for _, p := range paths {
			if w := r.post(p + "/delete"); w.Code != 303 {
				t.Errorf("POST %s/delete: %d", p, w.Code)
			}
		}
		if left := r.server.All(); len(left) > 0 {
			t.Errorf("the forms did not delete %v", left)
		}
	})
}

// views are the links to proxies on a page.
func views(t *testing.T, page string) []string {
	t.Helper()
	var out []string
	inTable := false
	tags(t, page, func(token html.Token) {
		inTable = inTable || token.Data == "tbody"
		if path := attr(token, "href"); inTable && token.Data == "a" && strings.Contains(path, "/proxies/") && !slices.Contains(out, path) {
			out = append(out, path)
		}
	})
	return out
}

// actions are those of the forms on a page.
func actions(t *testing.T, page string) []string {
	t.Helper()
	var out []string
	tags(t, page, func(token html.Token) {
		if token.Data == "form" && attr(token, "method") == "post" {
			out = append(out, attr(token, "action"))
		}
	})
	return out
}

// textOf is what a reader sees.
func textOf(t *testing.T, page string) string {
	t.Helper()
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
	return text.String()
}
