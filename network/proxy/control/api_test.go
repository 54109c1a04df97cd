package control

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
)

const (
	aProxy  = `{"name":"p","listen":"p:1","upstream":"server:80","enabled":true,"toxics":[],"seed":0}`
	aToxic  = `{"attributes":{"latency":100,"jitter":0},"name":"latency_downstream","type":"latency","stream":"downstream","toxicity":1,"hits":0}`
	textual = "text/plain; charset=utf-8"
	asJSON  = "application/json"
)

// Toxiproxy's API, call after call on one server: what it answers, to the byte.
// What is more than Toxiproxy's are seed and hits. See network.md 4.2.
func TestHandler(t *testing.T) {
	t.Parallel()
	calls := []struct {
		method, path, in string
		status           int
		want             string
		content          string
	}{
		{"GET", "/version", "", 200, "{\"version\": \"git\"}\n", "application/json;charset=utf-8"},
		{"GET", "/proxies", "", 200, `{}`, asJSON},
		{"POST", "/proxies", ``, 400, `{"error":"bad request body: EOF","status":400}` + "\n", textual},
		{"POST", "/proxies", `{`, 400, `{"error":"bad request body: unexpected EOF","status":400}` + "\n", textual},
		{"POST", "/proxies", `{}`, 400, `{"error":"missing required field: name","status":400}` + "\n", textual},
		{"POST", "/proxies", `{"name":"p"}`, 400, `{"error":"missing required field: upstream","status":400}` + "\n", textual},
		{"POST", "/proxies", `{"NAME":"p","listen":"p:1","upstream":"server:80","x":1} trailing`, 201, aProxy, asJSON},
		{"POST", "/proxies", `{"name":"p","upstream":"server:80"}`, 409, `{"error":"proxy already exists","status":409}` + "\n", textual},
		{"POST", "/proxies", `{"name":"q","listen":"p:1","upstream":"server:80"}`, 500, `{"error":"listen tcp p:1: bind: address already in use","status":500}` + "\n", textual},
		{"GET", "/proxies/q", "", 404, `{"error":"proxy not found","status":404}` + "\n", textual},
		{"GET", "/proxies/p", "", 200, aProxy, asJSON},
		{"GET", "/proxies", "", 200, `{"p":` + aProxy + `}`, asJSON},
		{"HEAD", "/proxies", "", 405, "", ""},
		{"PUT", "/proxies/p", "", 405, "", ""},
		{"GET", "/nothing", "", 404, "404 page not found\n", textual},
		{"GET", "/proxies/p/toxics", "", 200, `[]`, asJSON},
		{"POST", "/proxies/p/toxics", `{}`, 400, `{"error":"invalid toxic type","status":400}` + "\n", textual},
		{"POST", "/proxies/p/toxics", `{"type":"latency","stream":""}`, 400, `{"error":"stream was invalid, can be either upstream or downstream","status":400}` + "\n", textual},
		{"POST", "/proxies/p/toxics", `{"type":"latency","attributes":{"latency":100,"lag":1},"latency":5}`, 200, aToxic, asJSON},
		{"POST", "/proxies/p/toxics", `{"type":"latency"}`, 409, `{"error":"toxic already exists","status":409}` + "\n", textual},
		{"POST", "/proxies/p/toxics", `{"type":"noop","stream":"UPstream"}`, 200, `{"attributes":{},"name":"noop_UPstream","type":"noop","stream":"upstream","toxicity":1,"hits":0}`, asJSON},
		{"GET", "/proxies/p/toxics", "", 200, `[{"attributes":{},"name":"noop_UPstream","type":"noop","stream":"upstream","toxicity":1,"hits":0},` + aToxic + `]`, asJSON},
		{"GET", "/proxies/p/toxics/latency_downstream", "", 200, aToxic, asJSON},
		{"GET", "/proxies/p/toxics/none", "", 404, `{"error":"toxic not found","status":404}` + "\n", textual},
		{"GET", "/proxies/none/toxics/none", "", 404, `{"error":"proxy not found","status":404}` + "\n", textual},
		{"PATCH", "/proxies/p/toxics/latency_downstream", `{"name":"x","type":"x","stream":"x","toxicity":0.25,"attributes":{"jitter":7}}`, 200, strings.NewReplacer(`"jitter":0`, `"jitter":7`, `"toxicity":1`, `"toxicity":0.25`).Replace(aToxic), asJSON},
		{"POST", "/proxies/p/toxics/latency_downstream", `{"toxicity":1,"attributes":{"jitter":0}}`, 200, aToxic, asJSON},
		{"DELETE", "/proxies/p/toxics/latency_downstream", "", 204, "", ""},
		{"DELETE", "/proxies/p/toxics/latency_downstream", "", 404, `{"error":"toxic not found","status":404}` + "\n", textual},
		{"PATCH", "/proxies/p", `{"name":"x","enabled":false}`, 200, "", asJSON},
		{"POST", "/proxies/p", `{"listen":"p:2","upstream":"server:81"}`, 200, "", asJSON},
		{"PATCH", "/proxies/none", `{`, 404, `{"error":"proxy not found","status":404}` + "\n", textual},
		{"POST", "/reset", "", 204, "", ""},
		{"GET", "/proxies/p", "", 200, strings.NewReplacer("p:1", "p:2", ":80", ":81").Replace(aProxy), asJSON},
		{"DELETE", "/proxies/p", "", 204, "", ""},
		{"DELETE", "/proxies/p", "", 404, `{"error":"proxy not found","status":404}` + "\n", textual},
		{"POST", "/populate", `[]`, 201, `{"proxies":null}`, asJSON},
		{"POST", "/populate", `{}`, 400, `{"error":"bad request body: json: cannot unmarshal object into Go value of type []Proxy","status":400,"proxies":null}`, asJSON},
		{"POST", "/populate", `[{"name":"p","listen":"p:1","upstream":"server:80"},{"upstream":"x"}]`, 400, `{"error":"missing required field: name at proxy 2","status":400,"proxies":null}`, asJSON},
		{"GET", "/proxies", "", 200, `{}`, asJSON},
		{"POST", "/populate", `[{"name":"p","listen":"p:1","upstream":"server:80"},{"name":"q","listen":"p:1","upstream":"server:80"}]`, 500, `{"error":"listen tcp p:1: bind: address already in use","status":500,"proxies":[` + aProxy + `]}`, asJSON},
		{"GET", "/proxies", "", 200, `{"p":` + aProxy + `}`, asJSON},
	}
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		for _, c := range calls {
			got := r.request(c.method, c.path, c.in)
			if got.Status != c.status || (c.want != "" || c.status == 204) && got.Body != c.want || got.Header.Get("Content-Type") != c.content {
				t.Errorf("%s %s %s =\n%d %s %s, want\n%d %s %s", c.method, c.path, c.in,
					got.Status, got.Header.Get("Content-Type"), got.Body, c.status, c.content, c.want)
			}
			if id := got.Header.Get("X-Toxiproxy-Request-Id"); len(id) != 20 {
				t.Errorf("%s %s: request ID %q, want 20 characters", c.method, c.path, id)
			}
		}
	})
}

// What makes no sense is refused, by the attribute's name and its bound, and
// nothing is left of it. See network.md 5.5 5.6 5.7 5.8.
func TestHandler_nonsense(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, want string }{
		{"slicer_without_size", `{"type":"slicer"}`, "average_size: 0, must be from 1 to 9007199254740991"},
		{"slicer_variation", `{"type":"slicer","attributes":{"average_size":1,"size_variation":2}}`, "size_variation: 2, must be below average_size, 1"},
		{"rate", `{"type":"bandwidth","attributes":{"rate":-1}}`, "rate: -1, must be from 0 to 1000000000"},
		{"jitter", `{"type":"latency","attributes":{"jitter":5000000000000000000}}`, "jitter: 5000000000000000000, must be from 0 to 86400000"},
		{"fraction", `{"type":"latency","attributes":{"latency":1.5}}`, "latency: 1.5, want an integer"},
		{"huge", `{"type":"latency","attributes":{"latency":1e400}}`, "latency: 1e400, want an integer"},
		{"toxicity", `{"type":"noop","toxicity":5}`, "toxicity: 5, must be from 0 to 1"},
		{"negative_toxicity", `{"type":"noop","toxicity":-1}`, "toxicity: -1, must be from 0 to 1"},
		{"name", `{"type":"noop","name":".."}`, `name: "..", can't be asked for in a URL`},
		{"control", `{"type":"noop","name":"a\nb"}`, `name: "a\nb", must have no control characters`},
		{"long", `{"type":"noop","name":"` + strings.Repeat("x", 300) + `"}`, "name: 300 bytes, must be at most 256"},
		{"lease", `{"type":"noop","lease":"soon"}`, `lease: "soon", want a duration such as "30s"`},
		{"short_lease", `{"type":"noop","lease":"-1s"}`, "lease: -1s, must be from 1ms to 24h0m0s"},
		{"source", `{"type":"noop","source":"10.0.0.0/99"}`, `netip.ParsePrefix("10.0.0.0/99"): prefix length out of range`},
		{"ordinals", `{"type":"noop","connections":{"first":5,"last":2}}`, "connections.last: 2, must be >= first, 5"},
		{"down", `{"type":"down","toxicity":0.5}`, `mode: refuse and mirror are about all connections: toxicity must be 1 and nothing selected; mode "rst" can do otherwise`},
	}
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.must("POST", "/proxies", `{"name":"p","listen":"p:1","upstream":"server:80"}`, nil)
		for _, test := range tests {
			got := r.request("POST", "/proxies/p/toxics", test.in)
			if want := errorBody(400, "bad request body: "+test.want); got.Status != 400 || got.Body != want {
				t.Errorf("%s: %d %swant 400 %s", test.name, got.Status, got.Body, want)
			}
		}
		var toxics []Toxic
		if r.must("GET", "/proxies/p/toxics", "", &toxics); len(toxics) > 0 {
			t.Errorf("left behind: %+v", toxics)
		}
		r.must("POST", "/proxies/p/toxics", `{"type":"slicer","name":"s","attributes":{"average_size":9}}`, nil)
		// network.md 5.21
		if got := r.request("PATCH", "/proxies/p/toxics/s", `{"attributes":{"average_size":4,"size_variation":5}}`); got.Status != 400 {
			t.Errorf("PATCH = %d %s, want 400", got.Status, got.Body)
		}
		var s Toxic
		if r.must("GET", "/proxies/p/toxics/s", "", &s); !strings.Contains(string(s.Attributes), `"average_size":9`) {
			t.Errorf("half of a refused PATCH was taken: %s", s.Attributes)
		}
	})
}

// A value of another type is named as by Toxiproxy, and by no type of this program.
func TestHandler_types(t *testing.T) {
	t.Parallel()
	tests := []struct{ path, in, want string }{
		{"/proxies", `{"name":1}`, "number into Go struct field Proxy.name of type string"},
		{"/proxies", `{"name":"q","upstream":"u:1","enabled":"yes"}`, "string into Go struct field Proxy.enabled of type bool"},
		{"/proxies", `[]`, "array into Go value of type Proxy"},
		{"/proxies/p", `{"listen":1}`, "number into Go struct field Proxy.listen of type string"},
		{"/proxies/p/toxics", `"x"`, "string into Go value of type Toxic"},
		{"/proxies/p/toxics", `{"type":"noop","after_bytes":"x"}`, "string into Go struct field Toxic.after_bytes of type int64"},
		{"/proxies/p/toxics/x", `{"toxicity":"x"}`, "string into Go struct field Toxic.toxicity of type float64"},
		{"/proxies/p/toxics/x", `[]`, "array into Go value of type Toxic"},
		{"/sessions/s", `[]`, "array into Go value of type Session"},
	}
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.must("POST", "/proxies", `{"name":"p","listen":"p:1","upstream":"server:80"}`, nil)
		r.must("POST", "/proxies/p/toxics", `{"name":"x","type":"noop"}`, nil)
		for _, test := range tests {
			got := r.request("POST", test.path, test.in)
			if want := errorBody(400, "bad request body: json: cannot unmarshal "+test.want); got.Body != want {
				t.Errorf("POST %s %s = %d %swant %s", test.path, test.in, got.Status, got.Body, want)
			}
		}
		got := r.request("POST", "/populate", `[{"name":"q","upstream":"u:1","toxics":[{"type":1}]}]`).Body
		if want := "cannot unmarshal number into Go struct field Proxy.toxics.type of type string"; !strings.Contains(got, want) {
			t.Errorf("POST /populate = %s, want %s", got, want)
		}
	})
}

func errorBody(status int, message string) string {
	w := httptest.NewRecorder()
	writeError(w, errorf(status, "%s", message))
	return w.Body.String()
}

// What was shown can be sent back, to a strict server too.
func TestHandler_sendBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(s *Settings) { s.Strict = true })
		r.must("POST", "/sessions/s/proxies", `{"name":"p","listen":"p:1","upstream":"server:80","lease":"1h"}`, nil)
		r.must("POST", "/sessions/s/proxies/p/toxics", `{"type":"latency","attributes":{"latency":5},"count":3,"lease":"1h"}`, nil)
		shown := r.request("GET", "/sessions/s/proxies/p", "").Body
		r.must("DELETE", "/sessions/s", "", nil)
		var done struct{ Proxies []Proxy }
		r.must("POST", "/sessions/s/populate", "["+shown+"]", &done)
		if p := done.Proxies[0]; len(p.Toxics) != 1 || p.Toxics[0].Count != 3 || p.Lease == nil || p.Toxics[0].Lease == nil {
			t.Errorf("sent back, it is %+v, want it as it was", p)
		}
	})
}

// A proxy can have a seed of its own.
func TestHandler_seed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(s *Settings) { s.Proxy.Seed = 5 })
		var p, q Proxy
		r.must("POST", "/proxies", `{"name":"p","listen":"p:1","upstream":"server:80"}`, &p)
		r.must("POST", "/proxies", `{"name":"q","listen":"q:1","upstream":"server:80","seed":7}`, &q)
		if p.Seed != 5 || q.Seed != 7 {
			t.Errorf("seeds %d and %d, want the server's 5 and 7", p.Seed, q.Seed)
		}
	})
}

// Any name can be asked for, escaped. See network.md 5.27.
func TestHandler_names(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.must("POST", "/proxies", `{"name":"a/b ?#%","listen":"p:1","upstream":"server:80"}`, nil)
		r.must("POST", "/proxies/a%2Fb%20%3F%23%25/toxics", `{"type":"noop","name":"c/d"}`, nil)
		r.must("DELETE", "/proxies/a%2Fb%20%3F%23%25/toxics/c%2Fd", "", nil)
		r.must("DELETE", "/proxies/a%2Fb%20%3F%23%25", "", nil)
	})
}

// What no path or no metric could hold is no name, of a session neither. See
// network.md 5.27.
func TestHandler_badNames(t *testing.T) {
	t.Parallel()
	const proxy = `{"name":"p","listen":"p:1","upstream":"server:80"}`
	tests := []struct{ name, path, in, want string }{
		{"proxy_slash", "/proxies", `{"name":"/","upstream":"server:80"}`, `name: \"/\", can't be asked for in a URL`},
		{"session_no_utf8", "/sessions/%ff/proxies", proxy, `session: \"\\xff\", must be UTF-8`},
		{"session_control", "/sessions/a%0Ab/proxies", proxy, `session: \"a\\nb\", must have no control characters`},
		{"session_long", "/sessions/" + strings.Repeat("a", 257) + "/proxies", proxy, `session: 257 bytes, must be at most 256`},
		{"session_lease", "/sessions/%ff", `{"lease":"1m"}`, `session: \"\\xff\", must be UTF-8`},
	}
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		for _, test := range tests {
			want := `{"error":"` + test.want + `","status":400}` + "\n"
			if got := r.request("POST", test.path, test.in); got.Status != http.StatusBadRequest || got.Body != want {
				t.Errorf("%s: %d %s, want 400 %s", test.name, got.Status, got.Body, want)
			}
		}
	})
}

// What Toxiproxy does not look at may be anything. See network.md 4.2.
func TestHandler_ignored(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.must("POST", "/proxies", `{"name":"p","listen":"p:1","upstream":"server:80","toxics":{"a":1}}`, nil)
		r.must("PATCH", "/proxies/p", `{"toxics":[{"type":5,"lease":"x"}]}`, nil)
		r.must("POST", "/proxies/p/toxics", `{"name":"n","type":"noop"}`, nil)
		r.must("PATCH", "/proxies/p/toxics/n", `{"name":5,"type":[],"stream":{},"toxicity":0.5}`, nil)
	})
}

// Strict, by the server's settings or for one request, refuses what Toxiproxy
// ignores. See network.md 5.26.
func TestHandler_strict(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, path, in string }{
		{"field", "/proxies", `{"name":"p","upstream":"server:80","listne":"p:1"}`},
		{"trailing", "/proxies", `{"name":"p","upstream":"server:80"} x`},
		{"toxics", "/proxies", `{"name":"p","upstream":"server:80","toxics":[{"type":"noop"}]}`},
		{"attribute", "/populate", `[{"name":"p","upstream":"server:80","toxics":[{"type":"latency","attributes":{"lag":1}}]}]`},
	}
	synctest.Test(t, func(t *testing.T) {
		lax, strict := newRig(t), newRig(t, func(s *Settings) { s.Strict = true })
		for _, test := range tests {
			if got := strict.request("POST", test.path, test.in); got.Status != http.StatusBadRequest {
				t.Errorf("%s: %d %s, want 400", test.name, got.Status, got.Body)
			}
			if got := lax.request("POST", test.path+"?strict=true", test.in); got.Status != http.StatusBadRequest {
				t.Errorf("%s for one request: %d %s, want 400", test.name, got.Status, got.Body)
			}
		}
	})
}

// There are bounds to what a caller can make a server hold.
func TestHandler_limits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(s *Settings) { s.MaxProxies, s.MaxToxics, s.MaxBody = 1, 1, 200 })
		r.must("POST", "/proxies", `{"name":"p","listen":"p:1","upstream":"server:80"}`, nil)
		r.must("POST", "/proxies/p/toxics", `{"type":"noop"}`, nil)
		for _, test := range []struct {
			path, in string
			status   int
			want     string
		}{
			{"/proxies", `{"name":"q","upstream":"server:80"}`, 403, "too many proxies: at most 1"},
			{"/proxies/p/toxics", `{"type":"noop","name":"other"}`, 403, "too many toxics: at most 1"},
			{"/proxies", `{"name":"` + strings.Repeat("x", 300) + `"}`, 413, "request body: more than 200 bytes"},
		} {
			if got := r.request("POST", test.path, test.in); got.Status != test.status || got.Body != errorBody(test.status, test.want) {
				t.Errorf("POST %s = %d %s, want %d %s", test.path, got.Status, got.Body, test.status, test.want)
			}
		}
	})
}
