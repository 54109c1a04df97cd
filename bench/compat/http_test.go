package compat

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// call is a bare HTTP call.
type call struct {
	name, method, path, body string
	// ours, when set, is what brunt answers instead of what Toxiproxy does:
	// the status and part of the body; and why is the reason.
	ours, why string
}

const atPort0 = `"listen":"127.0.0.1:0"`

// calls are made in this order: each server goes through the same states.
func calls(taken string) []call {
	return []call{
		{name: "version", method: "GET", path: "/version"},
		{name: "unknown route", method: "GET", path: "/nowhere"},
		{name: "wrong method", method: "PUT", path: "/proxies"},
		{name: "head", method: "HEAD", path: "/proxies"},
		{name: "wrong method of reset", method: "GET", path: "/reset"},
		{name: "none yet", method: "GET", path: "/proxies"},

		{name: "create", method: "POST", path: "/proxies", body: `{"name":"a",` + atPort0 + `,"upstream":"127.0.0.1:1"}`},
		{name: "create, disabled", method: "POST", path: "/proxies", body: `{"name":"b","listen":"localhost:0","upstream":"http://x","enabled":false}`},
		{name: "create, odd case of fields", method: "POST", path: "/proxies", body: `{"NAME":"c",` + atPort0 + `,"Upstream":"u:1","color":"red"} trailing`},
		{name: "no body", method: "POST", path: "/proxies"},
		{name: "half a body", method: "POST", path: "/proxies", body: `{"name":"d"`},
		{name: "no JSON", method: "POST", path: "/proxies", body: `name=d`},
		{name: "a list for an object", method: "POST", path: "/proxies", body: `[]`, ours: "400 bad request body: json: cannot unmarshal array into Go value of type Proxy", why: "the error names no package of Go"},
		{name: "a number for a name", method: "POST", path: "/proxies", body: `{"name":1}`},
		{name: "no name", method: "POST", path: "/proxies", body: `{"upstream":"u:1"}`},
		{name: "neither", method: "POST", path: "/proxies", body: `{}`},
		{name: "no upstream", method: "POST", path: "/proxies", body: `{"name":"d"}`},
		{name: "name taken", method: "POST", path: "/proxies", body: `{"name":"a","upstream":"u:1"}`},
		{name: "port taken", method: "POST", path: "/proxies", body: `{"name":"d","listen":"` + taken + `","upstream":"u:1"}`},
		{name: "no address", method: "POST", path: "/proxies", body: `{"name":"d","listen":"nonsense","upstream":"u:1"}`},
		{name: "which made none", method: "GET", path: "/proxies/d"},

		{name: "show", method: "GET", path: "/proxies/a"},
		{name: "show the disabled one", method: "GET", path: "/proxies/b"},
		{name: "change by POST", method: "POST", path: "/proxies/a", body: `{"upstream":"127.0.0.1:2"}`},
		{name: "change by PATCH, the name ignored", method: "PATCH", path: "/proxies/a", body: `{"name":"z","enabled":false}`},
		{name: "nothing changed", method: "PATCH", path: "/proxies/a", body: `{}`},
		{name: "enable", method: "PATCH", path: "/proxies/a", body: `{"enabled":true}`},
		{name: "change without a body", method: "PATCH", path: "/proxies/a"},
		{name: "change to nonsense", method: "PATCH", path: "/proxies/a", body: `{"listen":"nonsense"}`},
		{name: "change what is gone", method: "PATCH", path: "/proxies/z", body: `{}`},

		{name: "no toxics", method: "GET", path: "/proxies/a/toxics"},
		{name: "toxics of none", method: "GET", path: "/proxies/z/toxics"},
		{name: "add", method: "POST", path: "/proxies/a/toxics", body: `{"type":"latency","attributes":{"latency":10,"Jitter":2}}`},
		{name: "add upstream", method: "POST", path: "/proxies/a/toxics", body: `{"type":"bandwidth","name":"bw","stream":"upstream","toxicity":0.5,"attributes":{"rate":5}}`},
		{name: "add, attributes at the top", method: "POST", path: "/proxies/a/toxics", body: `{"type":"latency","name":"top","latency":10}`},
		{name: "add again", method: "POST", path: "/proxies/a/toxics", body: `{"type":"latency"}`},
		{name: "no type", method: "POST", path: "/proxies/a/toxics", body: `{}`},
		{name: "unknown type", method: "POST", path: "/proxies/a/toxics", body: `{"type":"x"}`},
		{name: "empty stream", method: "POST", path: "/proxies/a/toxics", body: `{"type":"noop","stream":""}`},
		{name: "wrong stream and type", method: "POST", path: "/proxies/a/toxics", body: `{"type":"x","stream":"y"}`},
		{name: "toxic without a body", method: "POST", path: "/proxies/a/toxics"},
		{name: "toxic with half a body", method: "POST", path: "/proxies/a/toxics", body: `{"type":`},
		{name: "half an attribute", method: "POST", path: "/proxies/a/toxics", body: `{"type":"latency","name":"h","attributes":{"latency":1.5}}`, ours: "400 bad request body: latency: 1.5, want an integer", why: "the error names the field and what it may hold"},
		{name: "a toxic for no proxy", method: "POST", path: "/proxies/z/toxics", body: `{"type":"noop"}`},
		{name: "show a toxic", method: "GET", path: "/proxies/a/toxics/bw"},
		{name: "show no toxic", method: "GET", path: "/proxies/a/toxics/z"},
		{name: "change a toxic", method: "PATCH", path: "/proxies/a/toxics/latency_downstream", body: `{"attributes":{"jitter":1},"toxicity":0.5,"name":"n","type":"t","stream":"s"}`},
		{name: "change a toxic by POST", method: "POST", path: "/proxies/a/toxics/bw", body: `{"attributes":{"rate":6}}`},
		{name: "change a toxic to nothing new", method: "PATCH", path: "/proxies/a/toxics/bw", body: `{}`},
		{name: "change no toxic", method: "PATCH", path: "/proxies/a/toxics/z", body: `{}`},
		{name: "a change that fails", method: "PATCH", path: "/proxies/a/toxics/latency_downstream", body: `{"attributes":{"jitter":77,"latency":"x"}}`, ours: "400 bad request body: latency: ", why: "the error names the field and what it may hold"},
		{name: "and has changed nothing", method: "GET", path: "/proxies/a/toxics/latency_downstream", ours: `200 "jitter":1`, why: "21: half of it is applied"},
		{name: "change it to something", method: "PATCH", path: "/proxies/a/toxics/latency_downstream", body: `{"attributes":{"jitter":3}}`},
		{name: "all toxics", method: "GET", path: "/proxies/a/toxics"},
		{name: "all in the proxy", method: "GET", path: "/proxies/a"},
		{name: "remove a toxic", method: "DELETE", path: "/proxies/a/toxics/bw"},
		{name: "remove it again", method: "DELETE", path: "/proxies/a/toxics/bw"},

		// Defects of Toxiproxy that brunt does not have.
		{name: "a slicer without attributes", method: "POST", path: "/proxies/c/toxics", body: `{"type":"slicer"}`, ours: "400 average_size", why: "5: it crashes on traffic"},
		{name: "variation above average", method: "POST", path: "/proxies/c/toxics", body: `{"type":"slicer","name":"s6","attributes":{"average_size":4,"size_variation":5}}`, ours: "400 size_variation", why: "6: it crashes on traffic"},
		{name: "a negative rate", method: "POST", path: "/proxies/c/toxics", body: `{"type":"bandwidth","name":"s7","attributes":{"rate":-1}}`, ours: "400 rate", why: "7: it crashes on traffic"},
		{name: "a huge jitter", method: "POST", path: "/proxies/c/toxics", body: `{"type":"latency","name":"s8","attributes":{"jitter":5000000000000000000}}`, ours: "400 jitter", why: "8: it crashes on traffic"},
		{name: "a toxicity below 0", method: "POST", path: "/proxies/c/toxics", body: `{"type":"noop","name":"s9","toxicity":-1}`, ours: "400 toxicity: -1, must be from 0 to 1", why: "nothing that makes no sense is accepted"},
		{name: "a name with a slash", method: "POST", path: "/proxies", body: `{"name":"x/y",` + atPort0 + `,"upstream":"u:1"}`},
		{name: "a name with a slash, addressed", method: "GET", path: "/proxies/x%2Fy", ours: `200 "name":"x/y"`, why: "27: it can never be addressed"},
		{name: "a name with a slash, deleted", method: "DELETE", path: "/proxies/x%2Fy", ours: "204", why: "27: it can never be addressed"},

		{name: "populate", method: "POST", path: "/populate", body: `[{"name":"p",` + atPort0 + `,"upstream":"u:1","enabled":true},{"name":"q",` + atPort0 + `,"upstream":"u:1"}]`},
		{name: "populate none", method: "POST", path: "/populate", body: `[]`},
		{name: "populate without a name", method: "POST", path: "/populate", body: `[{"name":"r","upstream":"u:1"},{"upstream":"u:1"}]`},
		{name: "populate without an upstream", method: "POST", path: "/populate", body: `[{"name":"r"}]`},
		{name: "populate half", method: "POST", path: "/populate", body: `[{"name":`},
		{name: "populate a taken port", method: "POST", path: "/populate", body: `[{"name":"r",` + atPort0 + `,"upstream":"u:1","enabled":true},{"name":"s","listen":"` + taken + `","upstream":"u:1","enabled":true}]`},

		{name: "reset", method: "POST", path: "/reset"},
		{name: "reset has removed the toxics", method: "GET", path: "/proxies/a/toxics"},
		{name: "reset has enabled", method: "GET", path: "/proxies/b"},
		{name: "delete", method: "DELETE", path: "/proxies/a"},
		{name: "delete again", method: "DELETE", path: "/proxies/a"},

		{name: "move to a taken port", method: "PATCH", path: "/proxies/b", body: `{"listen":"` + taken + `"}`},
		{name: "which leaves it as it was", method: "GET", path: "/proxies/b", ours: `200 "enabled":true`, why: "22: it is left disabled, at the new address"},
	}
}

// added are the fields brunt's answers have beyond Toxiproxy's.
var added = []string{"seed", "hits"}

// Each answer has Toxiproxy's status, headers and fields.
func TestHTTP(t *testing.T) {
	t.Parallel()
	taken := takenPort(t)
	theirs, ours := toxiproxyServer(t), bruntServer(t)
	for _, c := range calls(taken) {
		want, got := ask(t, theirs, c), ask(t, ours, c)
		if c.ours != "" {
			if c.same(want, got) {
				t.Errorf("%s: both answer %s: it is no difference any more", c.name, got)
			}
			status, part, _ := strings.Cut(c.ours, " ")
			if fmt.Sprint(got.status) != status || !strings.Contains(string(got.body), part) {
				t.Errorf("%s: brunt answers\n%s\nwant %s, because %s", c.name, got, c.ours, c.why)
			}
			continue
		}
		if !c.same(want, got) {
			t.Errorf("%s: Toxiproxy answers\n%s\nand brunt\n%s", c.name, want, got)
		}
	}
}

// answer is what came back.
type answer struct {
	status int
	header string // those that clients may go by
	body   []byte
}

func (a answer) String() string {
	return fmt.Sprintf("%d, %s\n%s", a.status, a.header, a.body)
}

func ask(t *testing.T, base string, c call) answer {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), c.method, base+c.path, strings.NewReader(c.body))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatalf("%s: %v", c.name, err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	header := resp.Header.Get("Content-Type") + ", " + resp.Header.Get("X-Content-Type-Options")
	if resp.StatusCode < 404 { // routes and methods there are not have none
		header += fmt.Sprint(", id ", requestID.MatchString(resp.Header.Get("X-Toxiproxy-Request-Id")))
	}
	return answer{resp.StatusCode, header, []byte(anyPort(string(body)))}
}

var requestID = regexp.MustCompile(`^[0-9a-v]{20}$`)

// same reports whether brunt's answer is Toxiproxy's, but for fields it adds and
// one that Toxiproxy shows by mistake.
func (c call) same(theirs, ours answer) bool {
	if theirs.status != ours.status || theirs.header != ours.header {
		return false
	}
	var a, b any
	if json.Unmarshal(theirs.body, &a) != nil || json.Unmarshal(ours.body, &b) != nil {
		return bytes.Equal(theirs.body, ours.body)
	}
	// Errors end with a new line, and answers don't.
	return bytes.HasSuffix(theirs.body, []byte("\n")) == bytes.HasSuffix(ours.body, []byte("\n")) && sameFields(a, b)
}

func sameFields(theirs, ours any) bool {
	a, isMap := theirs.(map[string]any)
	b, alsoMap := ours.(map[string]any)
	if isMap && alsoMap {
		delete(a, "Logger")
		for _, name := range added {
			delete(b, name)
		}
		same := slices.Equal(slices.Sorted(maps.Keys(a)), slices.Sorted(maps.Keys(b)))
		for name := range a {
			same = same && sameFields(a[name], b[name])
		}
		return same
	}
	list, isList := theirs.([]any)
	other, alsoList := ours.([]any)
	if isList && alsoList {
		return slices.EqualFunc(list, other, sameFields)
	}
	return reflect.DeepEqual(theirs, ours)
}
