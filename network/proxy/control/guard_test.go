package control

import (
	"net/http"
	"testing"
	"testing/synctest"
)

func TestServer_Guard(t *testing.T) {
	t.Parallel()
	header := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	host := func(h string) func(*http.Request) { return func(r *http.Request) { r.Host = h } }
	with := func(token string) func(*Settings) { return func(s *Settings) { s.Token = token } }
	open := func(*Settings) {}
	tests := []struct {
		name string
		in   func(*Settings)
		as   func(*http.Request)
		want int
	}{
		{"localhost", open, host("localhost:8474"), 201},
		{"loopback", open, host("127.0.0.2"), 201},
		{"loopback_6", open, host("[::1]:8474"), 201},
		{"sub_localhost", open, host("brunt.localhost:8474"), 201},
		{"dot", open, host("LOCALHOST.:8474"), 201},
		{"rebound", open, host("evil.example:8474"), 403},
		{"looks_local", open, host("localhost.evil.example"), 403},
		{"no_host", open, host(""), 201}, // as in HTTP/1.0
		{"port_alone", open, host(":8474"), 403},
		{"cross_origin_no_host", open, func(r *http.Request) {
			r.Host = ""
			r.Header.Set("Origin", "http://evil.example")
		}, 403},
		{"allowed", func(s *Settings) { s.Hosts = []string{"proxy"} }, host("proxy:8474"), 201},
		{"all_allowed", func(s *Settings) { s.Hosts = []string{"*"} }, host("x"), 201},
		{"cross_site", open, header("Sec-Fetch-Site", "cross-site"), 403},
		{"cross_origin", open, header("Origin", "http://evil.example"), 403},
		{"same_origin", open, header("Sec-Fetch-Site", "same-origin"), 201},
		{"browser", open, header("User-Agent", "Mozilla/5.0 (X11)"), 403},
		{"no_token", with("s3cret"), host("localhost"), 401},
		{"bearer", with("s3cret"), header("Authorization", "Bearer s3cret"), 201},
		{"wrong_bearer", with("s3cret"), header("Authorization", "Bearer s3cre"), 401},
		{"basic", with("s3cret"), func(r *http.Request) { r.SetBasicAuth("any", "s3cret") }, 201},
		{"wrong_basic", with("s3cret"), func(r *http.Request) { r.SetBasicAuth("s3cret", "") }, 401},
		{"token_any_host", with("s3cret"), func(r *http.Request) { r.Host = "proxy"; r.SetBasicAuth("", "s3cret") }, 201},
		{"token_cross_site", with("s3cret"), func(r *http.Request) {
			r.SetBasicAuth("", "s3cret")
			r.Header.Set("Origin", "http://evil.example")
		}, 403},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, test.in)
				got := r.request("POST", "/proxies", `{"name":"p","listen":"p:1","upstream":"server:80"}`, test.as)
				if got.Status != test.want {
					t.Errorf("POST = %d %s, want %d", got.Status, got.Body, test.want)
				}
				if id := got.Header.Get("X-Toxiproxy-Request-Id"); len(id) != 20 {
					t.Errorf("X-Toxiproxy-Request-Id %q, want one of 20 characters on every answer", id)
				}
				if n := r.server.Info().Proxies; (n == 1) != (test.want == 201) {
					t.Errorf("%d proxies after a %d", n, got.Status)
				}
			})
		})
	}
}

// A browser is told so as by Toxiproxy.
func TestServer_browser(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		got := r.request("GET", "/proxies", "", func(r *http.Request) { r.Header.Set("User-Agent", "Mozilla/4") })
		if got.Status != 403 || got.Body != "User agent not allowed\n" {
			t.Errorf("GET = %d %q", got.Status, got.Body)
		}
	})
}
