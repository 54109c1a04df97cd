package httpproxy_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/brunt-go/brunt/network/proxy/httpproxy"
)

func TestCheckSettings(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name, upstream string
		want           string // part of the error, "" for none
	}{
		{"host_port", "127.0.0.1:9001", ""},
		{"name_port", "catalog:80", ""},
		{"ipv6", "[::1]:80", ""},
		{"http", "http://catalog:80/", ""},
		{"https", "https://catalog:443", ""},
		{"empty", "", "want host:port"},
		{"no_port", "catalog", "has no port"},
		{"port_0", "catalog:0", "has no port from 1 to 65535"},
		{"port_too_big", "catalog:70000", "has no port from 1 to 65535"},
		{"scheme", "ftp://catalog:21", "has the scheme ftp"},
		{"path", "http://catalog:80/api", "has more than an address"},
		{"user", "http://me@catalog:80", "has more than an address"},
		{"spaces", "cata log:80", "is not an address"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s := httpproxy.DefaultSettings()
			s.Name, s.Upstream = "catalog", row.upstream
			err := httpproxy.CheckSettings(s)
			if row.want == "" && err != nil || row.want != "" && (err == nil || !strings.Contains(err.Error(), row.want)) {
				t.Errorf("CheckSettings(%q) = %v, want %q", row.upstream, err, row.want)
			}
		})
	}
	if err := httpproxy.CheckSettings(httpproxy.Settings{}); err == nil || strings.Count(err.Error(), "\n") != 2 {
		t.Errorf("CheckSettings of nothing = %v, want three problems", err)
	}
}

func TestParseKey(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"", "trace", "ordinal", "query.index", "header.X-Order"} {
		k, err := httpproxy.ParseKey(s)
		if err != nil || k.String() != s {
			t.Errorf("ParseKey(%q) = %q, %v", s, k, err)
		}
	}
	for _, s := range []string{"query", "query.", "header.", "index", "Trace", "cookie.id"} {
		if _, err := httpproxy.ParseKey(s); err == nil || !strings.Contains(err.Error(), "want query.NAME, header.NAME, trace or ordinal") {
			t.Errorf("ParseKey(%q) = %v, want what is expected", s, err)
		}
	}
}

func TestKey_of(t *testing.T) {
	t.Parallel()
	const id = "4bf92f3577b34da6a3ce929d0e0e4736"
	r := httptest.NewRequest("GET", "/x?index=17", nil)
	r.Header.Set("X-Order", "A-1")
	traced := r.Clone(t.Context())
	traced.Header.Set("Traceparent", "00-"+id+"-00f067aa0ba902b7-01")
	rows := []struct {
		key  string
		r    *http.Request
		want string
	}{
		{"query.index", r, "17"}, {"query.none", r, ""}, {"header.x-order", r, "A-1"}, {"header.None", r, ""},
		{"ordinal", r, "5"}, {"trace", r, ""}, {"trace", traced, id}, {"", traced, id}, {"", r, "5"},
	}
	for _, row := range rows {
		k, err := httpproxy.ParseKey(row.key)
		if err != nil {
			t.Fatal(err)
		}
		if got := k.Of(row.r, 5); got != row.want {
			t.Errorf("key %q of %v = %q, want %q", row.key, row.r.Header, got, row.want)
		}
	}
}

// A key in the query is what url.Values says it is, in the oddest of queries.
func FuzzKey_query(f *testing.F) {
	for _, query := range []string{
		"index=17", "no=K-903&index=17&index=18", "index", "&&index=&index=1", "i%6Edex=a+b%26c", "index=%zz&index=2", "index=1;2&index=3",
		"%zz=1&index=4", "xindex=1&index2=2", "=1&index==5",
	} {
		f.Add(query)
	}
	key, err := httpproxy.ParseKey("query.index")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, query string) {
		u := &url.URL{RawQuery: query}
		if got, want := key.Of(&http.Request{URL: u}, 0), u.Query().Get("index"); got != want {
			t.Errorf("key of %q = %q, want %q", query, got, want)
		}
	})
}

func TestTraceID(t *testing.T) {
	t.Parallel()
	const id = "4bf92f3577b34da6a3ce929d0e0e4736"
	rows := []struct{ in, want string }{
		{"00-" + id + "-00f067aa0ba902b7-01", id},
		{"01-" + id + "-00f067aa0ba902b7-01-more", id},
		{"00-" + id + "-00f067aa0ba902b7-01-more", ""},
		{"01-" + id + "-00f067aa0ba902b7-01more", ""},
		{"ff-" + id + "-00f067aa0ba902b7-01", ""},
		{"00-" + strings.ToUpper(id) + "-00f067aa0ba902b7-01", ""},
		{"00-00000000000000000000000000000000-00f067aa0ba902b7-01", ""},
		{"00-" + id, ""}, {"", ""}, {"-", ""},
	}
	for _, row := range rows {
		if got := httpproxy.TraceID(http.Header{"Traceparent": {row.in}}); got != row.want {
			t.Errorf("TraceID(%q) = %q, want %q", row.in, got, row.want)
		}
	}
}

func TestParseFault(t *testing.T) {
	t.Parallel()
	rows := []struct {
		kind, in string
		want     httpproxy.Fault // nil: an error that contains problem
		problem  string
	}{
		{"delay", `"240ms"`, &httpproxy.Delay{Header: 240 * time.Millisecond}, ""},
		{"delay", `{"header":"80ms","body":"1s","after_bytes":10}`, &httpproxy.Delay{Header: 80 * time.Millisecond, Body: time.Second, AfterBytes: 10}, ""},
		{"delay", `"0s"`, nil, "delays nothing"},
		{"delay", `"-1s"`, nil, "want a duration"},
		{"delay", `240`, nil, "cannot unmarshal number"},
		{"delay", `{"headers":"1s"}`, nil, `unknown field "headers"`},
		{"delay", `{"body":"1s","after_bytes":-1}`, nil, "after_bytes -1: must be >= 0"},
		{"reply", `{"status":503,"headers":{"Retry-After":"1"},"body":"no","upstream":"skip"}`, &httpproxy.Reply{Status: 503, Header: map[string]string{"Retry-After": "1"}, Body: "no", Upstream: "skip"}, ""},
		{"reply", `{}`, nil, "status 0, want one from 200 to 599"},
		{"reply", `{"status":"503"}`, nil, "cannot unmarshal string"},
		{"reply", `{"status":503,"upstream":"maybe"}`, nil, `upstream "maybe", want ask or skip`},
		{"reply", `{"status":503,"headers":{"A: b":"c"}}`, nil, "not a header field"},
		{"reply", `{"status":503,"headers":{"A":"b\r\nC: d"}}`, nil, "not a header field"},
		{"hang", `true`, &httpproxy.Hang{}, ""},
		{"hang", `false`, nil, "remove its line"},
		{"hang", `null`, nil, "remove its line"},
		{"hang", `"yes"`, nil, "cannot unmarshal string"},
		{"reset", `true`, &httpproxy.Reset{}, ""},
		{"truncate", `true`, &httpproxy.Truncate{AfterBytes: 1}, ""},
		{"truncate", `{"after_bytes":200}`, &httpproxy.Truncate{AfterBytes: 200}, ""},
		{"truncate", `{"after_bytes":0}`, nil, "must be >= 1"},
		{"lost", `true`, &httpproxy.Lost{}, ""},
		{"lost", `{"then":"hang"}`, &httpproxy.Lost{Then: "hang"}, ""},
		{"lost", `{"then":"explode"}`, nil, "want reset or hang"},
		{"explode", `true`, nil, `fault "explode", want one of delay, hang, lost, reply, reset, truncate`},
	}
	for _, row := range rows {
		t.Run(row.kind, func(t *testing.T) {
			t.Parallel()
			got, err := httpproxy.ParseFault(row.kind, []byte(row.in))
			if row.want == nil {
				if err == nil || !strings.Contains(err.Error(), row.problem) {
					t.Errorf("ParseFault(%s, %s) = %+v, %v; want an error with %q", row.kind, row.in, got, err, row.problem)
				}
				return
			}
			if err != nil || !reflect.DeepEqual(got, row.want) {
				t.Errorf("ParseFault(%s, %s) = %+v, %v; want %+v", row.kind, row.in, got, err, row.want)
			}
		})
	}
}

func FuzzParseFault(f *testing.F) {
	for _, kind := range httpproxy.Kinds() {
		for _, in := range []string{`true`, `"1s"`, `{"status":503}`, `{"header":"1s","body":"1s"}`, `{"after_bytes":1}`, `null`, `[]`} {
			f.Add(kind, []byte(in))
		}
	}
	f.Fuzz(func(t *testing.T, kind string, data []byte) {
		fault, err := httpproxy.ParseFault(kind, data)
		if err == nil && (fault.Kind() != kind || fault.Check() != nil) {
			t.Errorf("ParseFault(%q, %q) gave %+v, which does not check", kind, data, fault)
		}
		if err == nil && !json.Valid(data) {
			t.Errorf("ParseFault(%q, %q) took what is no JSON", kind, data)
		}
	})
}

func FuzzTraceID(f *testing.F) {
	f.Add("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
	f.Fuzz(func(t *testing.T, v string) {
		if id := httpproxy.TraceID(http.Header{"Traceparent": {v}}); id != "" && (len(id) != 32 || !strings.Contains(v, id)) {
			t.Errorf("TraceID(%q) = %q", v, id)
		}
	})
}
