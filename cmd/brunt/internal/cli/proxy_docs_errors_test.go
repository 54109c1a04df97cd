package cli

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/brunt-go/brunt/network/proxy/control"
)

// Each error of the page is one that can be had, and each that is tried here
// stands on the page.
func TestDocs_apiErrors(t *testing.T) {
	t.Parallel()
	const spec = `{"name": "%s", "listen": "127.0.0.1:0", "upstream": "localhost:1"}`
	few := func(s *control.Settings) { s.MaxProxies, s.MaxToxics, s.MaxBody = 1, 1, 1000 }
	token := func(s *control.Settings) { s.Token = "s3cret" }
	header := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	rows := []struct {
		method, path, body string
		settings           func(*control.Settings)
		change             func(*http.Request)
	}{
		{"POST", "/proxies", `{`, nil, nil},
		{"POST", "/proxies", `{"name": 1}`, nil, nil},
		{"POST", "/proxies", `{"name": "a", "upstream": "x", "lease": "soon"}`, nil, nil},
		{"POST", "/proxies?strict=true", `{"colour": "a"}`, nil, nil},
		{"POST", "/proxies", `{"upstream": "x"}`, nil, nil},
		{"POST", "/proxies", `{"name": "x"}`, nil, nil},
		{"POST", "/proxies", `{"name": "..", "upstream": "x"}`, nil, nil},
		{"POST", "/proxies", `{"name": "` + strings.Repeat("x", 257) + `", "upstream": "x"}`, nil, nil},
		{"POST", "/proxies?strict=1", `{"name": "x", "upstream": "x", "toxics": [{"type": "noop"}]}`, nil, nil},
		{"POST", "/proxies", fmt.Sprintf(spec, "redis"), nil, nil},
		{"POST", "/proxies", fmt.Sprintf(spec, "web"), few, nil},
		{"POST", "/proxies", strings.Repeat(" ", 1001), few, nil},
		{"POST", "/proxies", `{"name": "x", "listen": "nonsense", "upstream": "x"}`, nil, nil},
		{"POST", "/populate", `[{"name": "x", "upstream": "x"}, {"name": "y"}]`, nil, nil},
		{"POST", "/populate", `[{"name": "x", "upstream": "x", "toxics": [{"type": "bandwidth", "attributes": {"rate": -1}}]}]`, nil, nil},
		{"GET", "/proxies/nope", ``, nil, nil},
		{"PATCH", "/proxies/redis", `{"listen": "127.0.0.1:99999"}`, nil, nil},
		{"DELETE", "/proxies/redis/toxics/nope", ``, nil, nil},
		{"POST", "/proxies/redis/toxics", `{"type": "latnecy"}`, nil, nil},
		{"POST", "/proxies/redis/toxics", `{"type": "noop", "stream": "sideways"}`, nil, nil},
		{"POST", "/proxies/redis/toxics", `{"type": "noop", "name": "slow"}`, nil, nil},
		{"POST", "/proxies/redis/toxics", `{"type": "noop", "toxicity": 5}`, nil, nil},
		{"POST", "/proxies/redis/toxics", `{"type": "noop"}`, few, nil},
		{"POST", "/leases/nope", ``, nil, nil},
		{"POST", "/sessions/ci", `{}`, nil, nil},
		{"POST", "/sessions/%ff", `{"lease": "1h"}`, nil, nil},
		{"POST", "/sessions/ci", `{"lease": "1h"}`, few, nil},
		{"GET", "/events?after=x", ``, nil, nil},
		{"GET", "/proxies", ``, token, nil},
		{"GET", "/proxies", ``, nil, func(r *http.Request) { r.Host = "evil.test" }},
		{"POST", "/reset", ``, nil, header("Sec-Fetch-Site", "cross-site")},
		{"POST", "/proxies", fmt.Sprintf(spec, "late"), nil, nil},
	}
	documented := rowsBelow(t, page(t, "reference/proxy-api.md"), "## Errors")
	seen := make([]bool, len(documented))
	for _, row := range rows {
		h, server := served(t, row.settings)
		if row.path == "/sessions/ci" && row.settings != nil {
			if _, err := server.LeaseSession("other", time.Hour); err != nil {
				t.Fatal(err)
			}
		}
		if strings.Contains(row.body, `"late"`) {
			server.Close()
		}
		w := ask(t, h, row.method, row.path, row.body, row.change)
		var e control.Error
		if err := json.Unmarshal(w.Body.Bytes(), &e); err != nil || e.Status != w.Code {
			t.Errorf("%s %s %s = %d %q, want an error as JSON with its status", row.method, row.path, row.body, w.Code, w.Body)
			continue
		}
		found := false
		for i, d := range documented {
			pattern := strings.ReplaceAll(regexp.QuoteMeta(strings.Trim(d[1], "`")), `\.\.\.`, `.+`)
			if d[0] == strconv.Itoa(w.Code) && regexp.MustCompile(`^`+pattern+`$`).MatchString(e.Message) {
				seen[i], found = true, true
			}
		}
		if !found {
			t.Errorf("%s %s %s = %d %q, which the page does not have", row.method, row.path, row.body, w.Code, e.Message)
		}
	}
	for i, d := range documented {
		if !seen[i] {
			t.Errorf("the page has %s %s, which no request here gives", d[0], d[1])
		}
	}
	h, _ := served(t, nil)
	if w := ask(t, h, "GET", "/proxies", "", header("User-Agent", "Mozilla/5.0")); w.Code != 403 || w.Body.String() != "User agent not allowed\n" {
		t.Errorf("a browser gets %d %q", w.Code, w.Body)
	}
	if w := ask(t, h, "GET", "/nope", "", nil); w.Code != 404 || w.Body.String() != "404 page not found\n" {
		t.Errorf("an unknown route gives %d %q", w.Code, w.Body)
	}
	if w := ask(t, h, "HEAD", "/proxies", "", nil); w.Code != 405 || w.Body.Len() != 0 {
		t.Errorf("HEAD gives %d %q", w.Code, w.Body)
	}
}
