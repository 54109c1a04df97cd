package cli

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/brunt-go/brunt/network/proxy/control"
)

// The daemon's page is for browsers that call it by a name of this machine, and
// its API still is for none.
func TestDaemonHandler_page(t *testing.T) {
	t.Parallel()
	server, err := control.NewServer(control.DefaultSettings())
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	daemon := new(app).daemonHandler(server, defaultDaemonSettings())
	rows := []struct {
		name, method, url, site string // by a browser, as site says
		status                  int
		body                    string
	}{
		{"page", "GET", "http://localhost:8474/ui", "none", http.StatusOK, "<h1"},
		{"below", "GET", "http://127.0.0.1:8474/ui/live.js", "same-origin", http.StatusOK, "use strict"},
		{"no_proxy", "GET", "http://localhost:8474/ui/proxies/none", "none", http.StatusNotFound, "proxy not found"},
		{"other_name", "GET", "http://evil.example:8474/ui", "none", http.StatusForbidden, "host"},
		{"other_site", "POST", "http://localhost:8474/ui/reset", "cross-site", http.StatusForbidden, "another site"},
		{"own_form", "POST", "http://localhost:8474/ui/reset", "same-origin", http.StatusSeeOther, ""},
		{"home", "GET", "http://localhost:8474/", "none", http.StatusFound, `href="/ui"`},
		{"home_other_name", "GET", "http://evil.example:8474/", "none", http.StatusForbidden, "host"},
		{"home_other_site", "GET", "http://localhost:8474/", "cross-site", http.StatusForbidden, "another site"},
		{"home_written_to", "POST", "http://localhost:8474/", "same-origin", http.StatusForbidden, "User agent not allowed"},
		{"nowhere", "GET", "http://localhost:8474/nope", "none", http.StatusForbidden, "User agent not allowed"},
		{"api", "GET", "http://localhost:8474/proxies", "none", http.StatusForbidden, "User agent not allowed"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequest(row.method, row.url, nil)
			r.Header.Set("User-Agent", "Mozilla/5.0")
			r.Header.Set("Sec-Fetch-Site", row.site)
			w := httptest.NewRecorder()
			daemon.ServeHTTP(w, r)
			if w.Code != row.status || !strings.Contains(w.Body.String(), row.body) {
				t.Errorf("%s %s: %d %.200s, want %d and %q", row.method, row.url, w.Code, w.Body, row.status, row.body)
			}
		})
	}
}

// What is no browser finds nothing at /, as with Toxiproxy; with a token, nobody who
// does not have it.
func TestDaemonHandler_home(t *testing.T) {
	t.Parallel()
	settings := control.DefaultSettings()
	for _, token := range []string{"", "s3cret"} {
		settings.Token = token
		server, err := control.NewServer(settings)
		if err != nil {
			t.Fatal(err)
		}
		defer server.Close()
		daemon := new(app).daemonHandler(server, defaultDaemonSettings())
		ask := func(agent, password string) (int, http.Header) {
			r := httptest.NewRequest(http.MethodGet, "http://localhost:8474/", nil)
			r.Header.Set("User-Agent", agent)
			if password != "" {
				r.SetBasicAuth("", password)
			}
			w := httptest.NewRecorder()
			daemon.ServeHTTP(w, r)
			return w.Code, w.Header()
		}
		if status, h := ask("toxiproxy-cli", token); status != http.StatusNotFound || h.Get("X-Toxiproxy-Request-Id") == "" {
			t.Errorf("token %q: a client gets %d, %v, want 404 with an ID", token, status, h)
		}
		if status, h := ask("Mozilla/5.0", token); status != http.StatusFound || h.Get("Location") != "/ui" || h.Get("X-Frame-Options") != "DENY" {
			t.Errorf("token %q: a browser gets %d, %v, want 302 to /ui", token, status, h)
		}
		if status, _ := ask("Mozilla/5.0", "wrong"); token != "" && status != http.StatusUnauthorized {
			t.Errorf("with a wrong token a browser gets %d, want 401", status)
		}
	}
}
