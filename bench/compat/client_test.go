package compat

import (
	"encoding/json"
	"errors"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	client "github.com/Shopify/toxiproxy/v2/client"
	"github.com/google/go-cmp/cmp"
)

// differences are the steps of the tour in which brunt answers otherwise than
// Toxiproxy does, and why.
var differences = map[string]struct{ theirs, ours, why string }{
	"add with odd case and the default toxicity": {
		`{"attributes":{"rate":1},"name":"odd","stream":"UpStream","toxicity":1,"type":"bandwidth"}`,
		`{"attributes":{"rate":1},"name":"odd","stream":"upstream","toxicity":1,"type":"bandwidth"}`,
		"a stream has one spelling, whatever was sent",
	},
	"add with a word for a number": {
		"AddToxic: HTTP 400: bad request body: json: cannot unmarshal string into Go struct field LatencyToxic.attributes.latency of type int64",
		`AddToxic: HTTP 400: bad request body: latency: "long", want an integer`,
		"the error names the field and what it may hold",
	},
	"add with a toxicity of 5": {
		`{"attributes":{"jitter":0,"latency":0},"name":"much","stream":"downstream","toxicity":5,"type":"latency"}`,
		"AddToxic: HTTP 400: bad request body: toxicity: 5, must be from 0 to 1",
		"nothing that makes no sense is accepted",
	},
}

// Every method of Toxiproxy's client does with brunt what it does with Toxiproxy,
// errors included.
func TestClient(t *testing.T) {
	t.Parallel()
	taken := takenPort(t)
	theirs := tour(t, toxiproxyServer(t), taken)
	for name, start := range map[string]func(*testing.T) string{"in_process": bruntServer, "daemon": bruntDaemon} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ours := tour(t, start(t), taken)
			if len(ours) != len(theirs) {
				t.Fatalf("%d steps with brunt, %d with Toxiproxy", len(ours), len(theirs))
			}
			for i := range theirs {
				compareSteps(t, theirs[i], ours[i])
			}
		})
	}
}

func compareSteps(t *testing.T, theirs, ours step) {
	t.Helper()
	if d, differs := differences[theirs.name]; differs {
		if theirs.result != d.theirs || ours.result != d.ours {
			t.Errorf("%s: Toxiproxy says\n%s\nand brunt\n%s\nwant\n%s\nand\n%s\nfor %s", theirs.name, theirs.result, ours.result, d.theirs, d.ours, d.why)
		}
		return
	}
	if diff := cmp.Diff(theirs, ours, cmp.AllowUnexported(step{})); diff != "" {
		t.Errorf("%s (-Toxiproxy +brunt):\n%s", theirs.name, diff)
	}
}

// step is what a call of the client came to.
type step struct{ name, result string }

// tour calls every method of the client, in the ways that end well and in those
// that don't, and writes down what came back.
func tour(t *testing.T, endpoint, taken string) (steps []step) {
	t.Helper()
	c := client.NewClient(endpoint)
	see := func(name string, v any, err error) {
		t.Helper()
		var result string
		if err != nil {
			result = err.Error()
			if e := new(client.ApiError); errors.As(err, &e) != strings.Contains(result, "HTTP ") && !strings.Contains(name, "options") {
				t.Errorf("%s: the error is no ApiError: %v", name, err)
			}
		} else {
			data, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			result = sorted(t, data)
		}
		steps = append(steps, step{name, anyPort(result)})
	}

	version, err := c.Version()
	see("version", len(version) > 0, err)
	all, err := c.Proxies()
	see("no proxies", all, err)

	one, err := c.CreateProxy("one", "127.0.0.1:0", "127.0.0.1:1")
	see("create", one, err)
	_, err = c.CreateProxy("one", "127.0.0.1:0", "127.0.0.1:1")
	see("create again", nil, err)
	_, err = c.CreateProxy("", "127.0.0.1:0", "127.0.0.1:1")
	see("create without a name", nil, err)
	_, err = c.CreateProxy("two", "127.0.0.1:0", "")
	see("create without an upstream", nil, err)
	_, err = c.CreateProxy("two", taken, "127.0.0.1:1")
	see("create on a taken port", nil, err)
	_, err = c.CreateProxy("two", "nonsense", "127.0.0.1:1")
	see("create on nonsense", nil, err)
	fresh := c.NewProxy()
	fresh.Name, fresh.Listen, fresh.Upstream = "fresh", "localhost:0", "127.0.0.1:1"
	see("save a new one, disabled", fresh, fresh.Save())
	see("enable it", fresh, fresh.Enable())
	fresh.Upstream = "127.0.0.1:2"
	see("save another upstream", fresh, fresh.Save())
	see("disable it", fresh, fresh.Disable())
	see("delete it", nil, fresh.Delete())
	see("delete it again", nil, fresh.Delete())
	see("save what is gone", nil, fresh.Save())
	_, err = c.Proxy("fresh")
	see("show what is gone", nil, err)

	steps = append(steps, tourToxics(t, c, one)...)

	shown, err := c.Proxy("one")
	see("show", shown, err)
	all, err = c.Proxies()
	see("all proxies", all, err)
	see("names", slices.Sorted(maps.Keys(all)), err)
	see("disable before reset", one, one.Disable())
	see("reset", nil, c.ResetState())
	shown, err = c.Proxy("one")
	see("enabled, without toxics", shown, err)

	made, err := c.Populate([]client.Proxy{
		{Name: "p1", Listen: "127.0.0.1:0", Upstream: "127.0.0.1:1", Enabled: true},
		{Name: "p2", Listen: "127.0.0.1:0", Upstream: "127.0.0.1:1", Enabled: false},
	})
	see("populate", made, err)
	made, err = c.Populate(nil)
	see("populate nothing", made, err)
	_, err = c.Populate([]client.Proxy{{Name: "p3", Upstream: "127.0.0.1:1"}, {Name: "p4"}})
	see("populate without an upstream", nil, err)
	_, err = c.Populate([]client.Proxy{{Name: "p3", Listen: taken, Upstream: "127.0.0.1:1", Enabled: true}})
	see("populate on a taken port", nil, err)
	_, err = c.Proxy("p3")
	see("which makes none", nil, err)

	c.UserAgent = "Mozilla/5.0"
	_, err = c.Proxies()
	see("as a browser", nil, err)
	return steps
}

// tourToxics goes through the toxics of a proxy.
func tourToxics(t *testing.T, c *client.Client, p *client.Proxy) (steps []step) {
	t.Helper()
	see := func(name string, v any, err error) {
		t.Helper()
		data, _ := json.Marshal(v)
		result := sorted(t, data)
		if err != nil {
			result = err.Error()
		}
		steps = append(steps, step{name, anyPort(result)})
	}
	attributes := map[string]client.Attributes{
		"latency": {"latency": 100, "jitter": 10}, "bandwidth": {"rate": 64}, "slow_close": {"delay": 5},
		"timeout": {"timeout": 50}, "reset_peer": {"timeout": 5}, "limit_data": {"bytes": 1000}, "noop": {},
		"slicer": {"average_size": 64, "size_variation": 32, "delay": 10},
	}
	for _, kind := range slices.Sorted(maps.Keys(attributes)) {
		for _, stream := range []string{"upstream", "downstream"} {
			added, err := p.AddToxic("", kind, stream, 1, attributes[kind])
			see("add "+kind+" "+stream, added, err)
			see("remove "+kind+" "+stream, nil, p.RemoveToxic(kind+"_"+stream))
		}
	}
	added, err := p.AddToxic("slow", "latency", "", 0.5, client.Attributes{"latency": 100})
	see("add without a stream", added, err)
	added, err = p.AddToxic("odd", "bandwidth", "UpStream", -1, client.Attributes{"rate": 1})
	see("add with odd case and the default toxicity", added, err)
	see("remove it", nil, p.RemoveToxic("odd"))
	added, err = p.AddToxic("up", "bandwidth", "upstream", 1, client.Attributes{"rate": 1, "color": 7})
	see("add with an unknown attribute", added, err)
	for _, wrong := range []struct{ name, toxic, kind, stream string }{
		{"add again", "slow", "latency", "downstream"},
		{"add again to the other stream", "slow", "latency", "upstream"},
		{"add an unknown type", "x", "hiccup", "downstream"},
		{"add without a type", "x", "", "downstream"},
		{"add to an unknown stream", "x", "latency", "sideways"},
	} {
		_, err = p.AddToxic(wrong.toxic, wrong.kind, wrong.stream, 1, nil)
		see(wrong.name, nil, err)
	}
	_, err = p.AddToxic("x", "latency", "downstream", 1, client.Attributes{"latency": "long"})
	see("add with a word for a number", nil, err)
	added, err = p.AddToxic("much", "latency", "downstream", 5, nil)
	see("add with a toxicity of 5", added, err)
	_ = p.RemoveToxic("much") // brunt has refused it

	changed, err := p.UpdateToxic("slow", -1, client.Attributes{"jitter": 3})
	see("change one attribute", changed, err)
	changed, err = p.UpdateToxic("slow", 0.25, nil)
	see("change the toxicity", changed, err)
	_, err = p.UpdateToxic("gone", 1, nil)
	see("change what is gone", nil, err)
	see("remove what is gone", nil, p.RemoveToxic("gone"))
	toxics, err := p.Toxics()
	see("all toxics, upstream first", toxics, err)

	options := &client.ToxicOptions{ProxyName: "one", ToxicName: "by", ToxicType: "latency", Stream: "upstream", Toxicity: 1, Attributes: client.Attributes{"latency": 7}}
	added, err = c.AddToxic(options)
	see("add by options", added, err)
	_, err = c.AddToxic(options)
	see("add by options again", nil, err)
	options.Attributes = client.Attributes{"latency": 8}
	changed, err = c.UpdateToxic(options)
	see("change by options", changed, err)
	see("remove by options", nil, c.RemoveToxic(options))
	see("remove by options again", nil, c.RemoveToxic(options))
	_, err = c.UpdateToxic(options)
	see("change by options what is gone", nil, err)
	options.ProxyName = "gone"
	_, err = c.AddToxic(options)
	see("add by options to what is gone", nil, err)
	return steps
}

// sorted writes JSON with its fields in order of name.
func sorted(t *testing.T, data []byte) string {
	t.Helper()
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

var freePorts = regexp.MustCompile(`(127\.0\.0\.1|\[::\]|localhost):\d{4,5}\b`)

// anyPort hides the ports the system chose.
func anyPort(s string) string { return freePorts.ReplaceAllString(s, "$1:PORT") }
