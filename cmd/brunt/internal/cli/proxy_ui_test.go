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
		name, method, url, site string
		status                  int
		body                    string
	}{
		{"page", "GET", "http://localhost:8474/ui", "none", http.StatusOK, "<h1"},
		{"below", "GET", "http://127.0.0.1:8474/ui/live.js", "same-origin", http.StatusOK, "use strict"},
		{"no_proxy", "GET", "http://localhost:8474/ui/proxies/none", "none", http.StatusNotFound, "proxy not found"},
		{"other_name", "GET", "http://evil.example:8474/ui", "none", http.StatusForbidden, "host"},
		{"other_site", "POST", "http://localhost:8474/ui/reset", "cross-site", http.StatusForbidden, "another site"},
		{"own_form", "POST", "http://localhost:8474/ui/reset", "same-origin", http.StatusSeeOther, ""},
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
