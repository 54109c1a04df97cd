package statuspage_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/brunt-go/brunt/network/toxic"
)

// A browser is told to let the page have nothing but its own files, whatever it
// asks for, and errors too.
func TestHandler_headers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := formRig(t)
		const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
			"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
		for _, path := range []string{"/ui", db, "/ui/proxies/nobody", "/ui/nothing", "/ui/style.css", "/ui/live.js", "/ui/icon.svg"} {
			h := r.get(path).Header()
			for name, want := range map[string]string{"Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin", "X-Frame-Options": "DENY"} {
				if got := h.Get(name); got != want {
					t.Errorf("%s: %s: %q, want %q", path, name, got, want)
				}
			}
		}
		for path, want := range map[string]string{
			"/ui": "text/html; charset=utf-8", "/ui/style.css": "text/css; charset=utf-8", "/ui/live.js": "text/javascript; charset=utf-8", "/ui/icon.svg": "image/svg+xml",
		} {
			if got := r.get(path).Header().Get("Content-Type"); got != want {
				t.Errorf("%s: Content-Type %q, want %q", path, got, want)
			}
		}
		for _, path := range []string{"/ui/style.css", "/ui/live.js"} {
			for _, bad := range []string{"://", "@import", "url(", "eval(", "innerHTML"} {
				if strings.Contains(r.get(path).Body.String(), bad) {
					t.Errorf("%s has %q in it", path, bad)
				}
			}
		}
	})
}

// The style shows the attributes of the type that is chosen, for each type there
// is.
func TestHandler_style(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		style := newRig(t).get("/ui/style.css").Body.String()
		for _, kind := range toxic.Kinds() {
			if want := `form:has(option[value="` + kind + `"]:checked) [data-kind]:not([data-kind="` + kind + `"]) { display: none; }`; !strings.Contains(style, want) {
				t.Errorf("the style lacks %s", want)
			}
		}
	})
}

func TestHandler_filesAreAskedForOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		q := httptest.NewRequest("GET", "/ui/live.js", nil)
		q.Header.Set("If-None-Match", r.get("/ui/live.js").Header().Get("ETag"))
		w := httptest.NewRecorder()
		r.ui.ServeHTTP(w, q)
		if w.Code != http.StatusNotModified || w.Body.Len() > 0 {
			t.Errorf("asked again: %d with %d bytes, want 304 and none", w.Code, w.Body.Len())
		}
	})
}

// What changes something takes no GET.
func TestHandler_getChangesNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := formRig(t)
		all := append(actions(t, r.get("/ui").Body.String()), actions(t, r.get(db).Body.String())...)
		if len(all) < 8 {
			t.Errorf("%d forms: %q", len(all), all)
		}
		for _, path := range all {
			if w := r.get(path); w.Code != http.StatusMethodNotAllowed {
				t.Errorf("GET %s: %d, want 405", path, w.Code)
			}
		}
	})
}

// The guard of the API stands before the page: no page of another site sends its
// forms, and none reaches it by a name of its own.
func TestHandler_behindGuard(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name, method, host string
		header             []string
		status             int
	}{
		{"own_form", "POST", "localhost:8474", []string{"Sec-Fetch-Site", "same-origin", "Origin", "http://localhost:8474"}, http.StatusSeeOther},
		{"own_form_of_an_older_browser", "POST", "127.0.0.1:8474", []string{"Origin", "http://127.0.0.1:8474"}, http.StatusSeeOther},
		{"other_site", "POST", "localhost:8474", []string{"Sec-Fetch-Site", "cross-site", "Origin", "https://evil.example"}, http.StatusForbidden},
		{"other_port", "POST", "localhost:8474", []string{"Sec-Fetch-Site", "same-site", "Origin", "http://localhost:3000"}, http.StatusForbidden},
		{"other_site_of_an_older_browser", "POST", "localhost:8474", []string{"Origin", "https://evil.example"}, http.StatusForbidden},
		{"sandboxed_frame", "POST", "localhost:8474", []string{"Origin", "null"}, http.StatusForbidden},
		{"rebound_name", "POST", "evil.example:8474", []string{"Sec-Fetch-Site", "same-origin", "Origin", "http://evil.example:8474"}, http.StatusForbidden},
		{"rebound_name_reads", "GET", "evil.example:8474", []string{"Sec-Fetch-Site", "same-origin"}, http.StatusForbidden},
		{"other_site_reads", "GET", "localhost:8474", []string{"Sec-Fetch-Site", "cross-site"}, http.StatusForbidden},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				r := formRig(t)
				path := db
				if row.method == "POST" {
					path += "/disable"
				}
				q := httptest.NewRequest(row.method, path, nil)
				q.Host = row.host
				for i := 0; i < len(row.header); i += 2 {
					q.Header.Set(row.header[i], row.header[i+1])
				}
				w := httptest.NewRecorder()
				r.server.Guard(r.ui).ServeHTTP(w, q)
				if w.Code != row.status {
					t.Errorf("%d, want %d", w.Code, row.status)
				}
				it, err := r.server.Proxy("", "db")
				if done := row.status == http.StatusSeeOther; err != nil || it.Enabled == done {
					t.Errorf("enabled = %v (%v)", it.Enabled, err)
				}
			})
		})
	}
}
