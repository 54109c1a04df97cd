package control

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/brunt-go/brunt/network/proxy"
)

// A list can be sent again and again: what is so stays, with its connections; what
// is not is made so. See network.md 5.25 5.26.
func TestServer_Populate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		populate := func(list string) { r.must("POST", "/populate", list, nil) }
		toxics := func() (names []string) {
			all, err := r.server.Toxics("", "p")
			if err != nil {
				t.Fatal(err)
			}
			for _, x := range all {
				names = append(names, x.Name+" "+string(x.Attributes))
			}
			return names
		}
		populate(`[{"name":"p","listen":"p:0","upstream":"server:80"}]`)
		p, err := r.server.Proxy("", "p")
		if err != nil {
			t.Fatal(err)
		}
		c := r.dial(p.Listen)
		r.echo(c, "a")
		r.must("POST", "/proxies/p/toxics", `{"type":"latency","attributes":{"latency":100}}`, nil)

		populate(`[{"name":"p","listen":"p:0","upstream":"server:80"}]`) // port 0 too
		if got := r.echo(c, "b"); got != 100*time.Millisecond {
			t.Errorf("the same list again: an echo took %v, want the toxic's 100ms", got)
		}
		populate(`[{"name":"p","listen":"p:0","upstream":"server:80","toxics":[
			{"type":"latency","attributes":{"latency":30}},{"type":"noop","name":"n"}]}]`)
		if got := r.echo(c, "c"); got != 30*time.Millisecond {
			t.Errorf("with its toxics said: an echo took %v, want 30ms", got)
		}
		if got := toxics(); len(got) != 2 || got[1] != "n {}" {
			t.Errorf("toxics %q, want latency and n", got)
		}
		populate(`[{"name":"p","listen":"p:0","upstream":"server:80","toxics":[{"type":"noop","name":"n"}]}]`)
		if got := toxics(); len(got) != 1 {
			t.Errorf("toxics %q, want n alone", got)
		}
		populate(`[{"name":"p","listen":"p:0","upstream":"server:80","enabled":false}]`)
		if p, err := r.server.Proxy("", "p"); err != nil || p.Enabled {
			t.Errorf("enabled false is not honoured: %+v, %v", p, err)
		}
		populate(`[{"name":"p","listen":"p:7","upstream":"server:80"}]`)
		if got := toxics(); len(got) != 0 {
			t.Errorf("moved, it has the toxics %q, want none", got)
		}
	})
}

// A proxy that starts where it was told to listen before has not moved: it keeps its
// toxics, though only now its address has a number and a port.
func TestServer_Populate_starts(t *testing.T) {
	t.Parallel()
	for _, listen := range []string{"127.0.0.1:0", "localhost:0"} {
		s, err := NewServer(DefaultSettings())
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		no, yes := false, true
		spec := ProxySpec{Name: "p", Listen: listen, Upstream: "127.0.0.1:1", Enabled: &no}
		if _, err := s.Create("", spec); err != nil {
			t.Fatal(err)
		}
		if _, err := s.AddToxic("", "p", ToxicSpec{Type: "noop"}, false); err != nil {
			t.Fatal(err)
		}
		spec.Enabled = &yes
		got, err := s.Populate("", []ProxySpec{spec}, false)
		if err != nil {
			t.Fatal(err)
		}
		if !got[0].Enabled || len(got[0].Toxics) != 1 {
			t.Errorf("%s: Populate = %+v, want it started, with its toxic", listen, got[0])
		}
	}
}

// A toxic that is so already is left alone: what it allows at once it allows once, and
// no event tells of a change.
func TestServer_Populate_unchanged(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		const list = `[{"name":"p","listen":"p:1","upstream":"server:80","toxics":[
			{"type":"bandwidth","attributes":{"rate":1,"burst":100}}]}]`
		r.must("POST", "/populate", list, nil)
		r.must("POST", "/populate", list, nil)
		c := r.dial("p:1")
		hundred := strings.Repeat("x", 100)
		if got := r.echo(c, hundred); got != 0 {
			t.Errorf("100 bytes took %v, want no time", got)
		}
		r.must("POST", "/populate", list, nil)
		if got := r.echo(c, hundred); got != 100*time.Millisecond {
			t.Errorf("100 bytes after the same list again took %v, want 100ms", got)
		}
		r.must("DELETE", "/proxies/p", "", nil)
		for e := range r.server.Events(t.Context(), Filter{After: new(uint64)}) {
			if e.Type == proxy.ToxicChanged {
				t.Errorf("the same list changed a toxic: %+v", e)
			}
			if e.Type == Deleted {
				break
			}
		}
	})
}

// A proxy has the toxics of a list from its first connection on.
func TestServer_Populate_first(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.must("POST", "/populate", `[{"name":"p","listen":"p:1","upstream":"server:80","toxics":[
			{"type":"latency","attributes":{"latency":30},"connections":{"last":1}}]}]`, nil)
		if got := r.echo(r.dial("p:1"), "a"); got != 30*time.Millisecond {
			t.Errorf("the first echo took %v, want 30ms", got)
		}
		if got := r.echo(r.dial("p:1"), "a"); got != 0 {
			t.Errorf("on the second connection an echo took %v, want no time", got)
		}
		events := r.server.Events(t.Context(), Filter{Type: "toxic_added", After: new(uint64)})
		for e := range events {
			if e.ID > 2 {
				t.Errorf("the toxic was added by event %d", e.ID)
			}
			break
		}
	})
}

func TestParseConfig(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, in string
		strict   bool
		warnings int
		want     string
	}{
		{"empty_list", `[]`, true, 0, ""},
		{"toxics", `[{"name":"p","upstream":"u:1","toxics":[{"type":"latency","attributes":{"latency":5}}]}]`, true, 0, ""},
		{"unknown_field", `[{"name":"p","upstream":"u:1","color":"red"}]`, false, 1, ""},
		{"unknown_field_strict", "[\n{\"name\":\"p\",\"color\":\"red\"}]", true, 0, `json: unknown field "color" at proxy 1`},
		{"unknown_attribute", `[{"name":"p","upstream":"u:1","toxics":[{"type":"latency","attributes":{"lag":5}}]}]`, false, 1, ""},
		{"unknown_attribute_strict", `[{"name":"p","upstream":"u:1","toxics":[{"type":"latency","attributes":{"lag":5}}]}]`, true, 0, `toxic 1: bad request body: "lag": unknown attribute of latency (it has latency, jitter, distribution, percentiles, on_connect) at proxy 1`},
		{"no_list", `{"p":{"name":"p","upstream":"u:1"}}`, false, 0, `object, want a list of proxies such as [{"name": "a", "listen": ":1", "upstream": "b:2"}]`},
		{"byte_order_mark", "\ufeff[]", true, 0, ""},
		{"byte_order_mark_and_more", "\ufeff[ x]", true, 0, "1:3: invalid character 'x' looking for beginning of value"},
		{"same_name", `[{"name":"p","upstream":"u:1"},{"name":"q","upstream":"u:1"},{"name":"p","upstream":"u:2"}]`, false, 1, ""},
		{"same_name_strict", `[{"name":"p","upstream":"u:1"},{"name":"p","upstream":"u:2"}]`, true, 0, `name: "p", must not be that of proxy 1 too at proxy 2`},
		{"unknown_field_and_wrong_type", `[{"color":"red","name":1,"upstream":"u:1"}]`, false, 0, "json: cannot unmarshal number into Go struct field Proxy.name of type string at proxy 1"},
		{"wrong_type", `[{"name":"p","upstream":"u:1"},{"name":1}]`, false, 0, "json: cannot unmarshal number into Go struct field Proxy.name of type string at proxy 2"},
		{"nothing", ``, false, 0, "1:1: unexpected end of JSON input"},
		{"syntax", "[\n  {]", false, 0, "2:4: invalid character ']' looking for beginning of object key string"},
		{"more", `[] []`, false, 0, "1:4: invalid character '[' after top-level value"},
		{"no_upstream", `[{"name":"p"}]`, false, 0, "missing required field: upstream at proxy 1"},
		{"no_type", `[{"name":"p","upstream":"u:1","toxics":[{}]}]`, false, 0, `toxic 1: invalid toxic type at proxy 1`},
		{"partly_down", `[{"name":"p","upstream":"u:1","toxics":[{"type":"down","toxicity":0.5}]}]`, false, 0, `toxic 1: bad request body: mode: refuse and mirror are about all connections: toxicity must be 1 and nothing selected; mode "rst" can do otherwise at proxy 1`},
		{"twice", `[{"name":"p","upstream":"u:1","toxics":[{"type":"noop"},{"type":"noop"}]}]`, false, 0, `toxic 2: toxic already exists at proxy 1`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, warnings, err := ParseConfig([]byte(test.in), test.strict)
			got := ""
			if err != nil {
				got = err.Error()
			}
			if got != test.want || len(warnings) != test.warnings {
				t.Errorf("ParseConfig(%s) = %q, %q, want %d warnings, %q", test.in, warnings, got, test.warnings, test.want)
			}
		})
	}
}
