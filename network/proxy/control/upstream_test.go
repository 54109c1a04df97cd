package control

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
)

func TestCheckUpstream(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, want string }{
		{"address", "localhost:6379", ""},
		{"ip6", "[::1]:6379", ""},
		{"name_of_port", "localhost:http", ""},
		{"http", "http://example.com/a/b", `upstream: "http://example.com/a/b" is a URL; want an address such as example.com:80`},
		{"https", "HTTPS://example.com", `upstream: "HTTPS://example.com" is a URL; want an address such as example.com:443`},
		{"url_with_port", "https://example.com:5556/a", `upstream: "https://example.com:5556/a" is a URL; want an address such as example.com:5556`},
		{"url_ip6", "http://[::1]/", `upstream: "http://[::1]/" is a URL; want an address such as [::1]:80`},
		{"no_port", "redis", "upstream: address redis: missing port in address; want an address such as redis:6379"},
		{"port_alone", "18999", "upstream: address 18999: missing port in address; want an address such as localhost:18999"},
		{"no_port_number", "65536", "upstream: address 65536: missing port in address; want an address such as 65536:6379"},
		{"bare_ip6", "::1", "upstream: address ::1: too many colons in address; want an address such as [::1]:6379"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := ""
			if err := CheckUpstream(test.in); err != nil {
				got = err.Error()
			}
			if got != test.want {
				t.Errorf("CheckUpstream(%s) = %q, want %q", test.in, got, test.want)
			}
		})
	}
}

// A proxy with an upstream that can't be one is made, as by Toxiproxy, and warned of:
// made alone, in a list, or changed.
func TestServer_upstreamWarning(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	s, err := NewServer(DefaultSettings(), WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	no := false
	warned := func(what string, err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if got := strings.Count(log.String(), "want an address such as x:80"); got != 1 {
			t.Errorf("%s: warned %d times, want once:\n%s", what, got, &log)
		}
		log.Reset()
	}
	_, err = s.Create("", ProxySpec{Name: "a", Upstream: "http://x", Enabled: &no})
	warned("Create", err)
	list := []ProxySpec{{Name: "b", Upstream: "http://x", Enabled: &no}}
	_, err = s.Populate("", list, false)
	warned("Populate", err)
	_, err = s.Populate("", []ProxySpec{{Name: "b", Upstream: "http://x/y", Enabled: &no}}, false)
	warned("Populate, changed", err)
	_, err = s.Change("", "a", ProxySpec{Upstream: "http://x/z"})
	warned("Change", err)
	if _, err = s.Change("", "a", ProxySpec{Upstream: "http://x/z", Enabled: &no}); err != nil || log.Len() > 0 {
		t.Errorf("with nothing changed: %v, and warned:\n%s", err, &log)
	}
}
