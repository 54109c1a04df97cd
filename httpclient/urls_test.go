package httpclient_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/brunt-go/brunt/httpclient"
)

// A redirect within the service is sent with all that the request was, whether its URL
// was relative or not.
func TestClient_redirectKeepsSecrets(t *testing.T) {
	t.Parallel()
	story(t, func(w http.ResponseWriter, req *http.Request) {
		if req.URL.Path == "/old" {
			w.Header().Set("Location", "/new")
			w.WriteHeader(http.StatusTemporaryRedirect)
			return
		}
		fmt.Fprint(w, req.Method, " ", req.Header.Get("Authorization"), " ", req.Header.Get("Cookie"))
	}, nil, func(t *testing.T, r *rig) {
		for _, target := range []string{"/old", "https://payments:8443/old"} {
			status, text, err := r.do(t.Context(), http.MethodPost, target, strings.NewReader("1 EUR"), "Authorization: Bearer 7", "Cookie: a=b")
			if text != "POST Bearer 7 a=b" || r.body[len(r.body)-1] != "1 EUR" {
				t.Errorf("%s: %d %q, %v, with the body %q", target, status, text, err, r.body[len(r.body)-1])
			}
		}
	})
}

// What is relative is added to BaseURL, and redirects within the service are followed.
func TestClient_urls(t *testing.T) {
	t.Parallel()
	rows := []struct{ name, base, target, want string }{
		{"slash", "https://payments:8443", "/charge", "200 /charge"},
		{"no_slash", "https://payments:8443", "charge", "200 /charge"},
		{"empty", "https://payments:8443", "", "200 /"},
		{"query", "https://payments:8443", "/charge?item=7&x=a%2Fb", "200 /charge?item=7&x=a%2Fb"},
		{"escaped", "https://payments:8443", "/items/a%2Fb", "200 /items/a%2Fb"},
		{"empty_names", "https://payments:8443/v1", "/items//7", "200 /v1/items//7"},
		{"a_url_in_it", "https://payments:8443", "/proxy/https://example.com/", "200 /proxy/https://example.com/"},
		{"parent", "https://payments:8443/v1", "/../7", "200 /v1/../7"},
		{"escaped_base", "https://payments:8443/a%2Fb/", "/ü/c d?x", "200 /a%2Fb/%C3%BC/c%20d?x"},
		{"base_path", "https://payments:8443/v1", "/charge/", "200 /v1/charge/"},
		{"base_path_slash", "https://payments:8443/v1/", "charge", "200 /v1/charge"},
		{"base_path_empty", "https://payments:8443/v1", "", "200 /v1"},
		{"absolute", "https://payments:8443/v1", "https://payments:8443/charge", "200 /charge"},
		{"absolute_upper_case", "https://payments:8443", "HTTPS://Payments:8443/charge", "200 /charge"},
		{"redirect", "https://payments:8443/v1", "/from?to=/to", "200 /to"},
		{"redirect_relative", "https://payments:8443/v1", "/from?to=to", "200 /v1/to"},
		{"redirect_absolute", "https://payments:8443/v1", "/from?to=https://payments:8443/x", "200 /x"},
		{"redirect_elsewhere", "https://payments:8443", "/from?to=https://evil:8443/x", "302 https://evil:8443/x"},
		{"redirect_to_plain_text", "https://payments:8443", "/from?to=http://payments:8443/x", "302 http://payments:8443/x"},
	}
	handle := func(w http.ResponseWriter, r *http.Request) {
		if to := r.URL.Query().Get("to"); to != "" {
			w.Header().Set("Location", to)
			w.WriteHeader(http.StatusFound)
			fmt.Fprint(w, to)
			return
		}
		fmt.Fprint(w, r.RequestURI)
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			story(t, handle, func(s *httpclient.Settings) { s.BaseURL = row.base }, func(t *testing.T, r *rig) {
				ctx, end := r.carrying()
				defer end()
				status, text, err := r.do(ctx, http.MethodGet, row.target, nil)
				if got := fmt.Sprintf("%d %s", status, text); err != nil || got != row.want {
					t.Errorf("%s, %v, want %s", got, err, row.want)
				}
			})
		})
	}
}
