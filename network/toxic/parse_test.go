package toxic

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"time"
)

func TestParse(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name, kind, in string
		want           string // the attributes, or the error
	}{
		{"latency", "latency", `{"latency":100,"jitter":20}`, `{"latency":100,"jitter":20,"distribution":"uniform","percentiles":null,"on_connect":false}`},
		{"table", "latency", `{"distribution":"table","percentiles":{"50":20,"99":250.5}}`,
			`{"latency":0,"jitter":0,"distribution":"table","percentiles":{"50":20,"99":250.5},"on_connect":false}`},
		{"any_case", "bandwidth", `{"Rate":5}`, `{"rate":5,"burst":0,"scope":"connection"}`},
		{"null_is_absent", "bandwidth", `{"rate":null}`, `{"rate":0,"burst":0,"scope":"connection"}`},
		{"no_data", "timeout", ``, `{"timeout":0}`},
		{"slow_close", "slow_close", `{"delay":7}`, `{"delay":7}`},
		{"slicer", "slicer", `{"average_size":64,"size_variation":32,"delay":10}`, `{"average_size":64,"size_variation":32,"delay":10}`},
		{"reset_peer", "reset_peer", `{"timeout":7,"after_bytes":3}`, `{"timeout":7,"after_bytes":3}`},
		{"limit_data", "limit_data", `{"bytes":7,"close":"rst"}`, `{"bytes":7,"close":"rst"}`},
		{"corrupt", "corrupt", `{"offsets":[7,3]}`, `{"offsets":[7,3],"rate":0}`},
		{"blackhole", "blackhole", `{}`, `{}`},
		{"noop", "noop", `{}`, `{}`},
		{"down", "down", `{}`, `{"mode":"refuse"}`},
		{"down_mode", "down", `{"mode":"up"}`, `mode: "up", must be one of refuse, rst, mirror`},

		{"kind", "lag", `{}`, `invalid toxic type "lag", want one of bandwidth, blackhole, corrupt, down, latency, limit_data, noop, reset_peer, slicer, slow_close, timeout`},
		{"unknown", "noop", `{"lag":1}`, `"lag": unknown attribute of noop (it has none)`},
		{"misspelt", "latency", `{"latncy":1}`, `"latncy": unknown attribute of latency (it has latency, jitter, distribution, percentiles, on_connect)`},
		{"no_object", "noop", `[]`, `attributes: [], want an object`},
		{"fraction", "latency", `{"latency":1.5}`, `latency: 1.5, want an integer of milliseconds`},
		{"text", "latency", `{"latency":"5"}`, `latency: "5", want an integer of milliseconds`},
		{"text_of_us", "slicer", `{"average_size":1,"delay":"5ms"}`, `delay: "5ms", want an integer of microseconds`},
		{"text_of_rate", "bandwidth", `{"rate":"fast"}`, `rate: "fast", want an integer of KB/s`},
		{"text_of_bytes", "limit_data", `{"bytes":"5k"}`, `bytes: "5k", want an integer of bytes`},
		{"text_of_share", "corrupt", `{"rate":"5%"}`, `rate: "5%", want a number`},
		{"no_percentiles", "latency", `{"percentiles":5}`, `percentiles: 5, want ms by percentile, such as {"50":20,"99":250}`},
		{"no_offsets", "corrupt", `{"offsets":5}`, `offsets: 5, want places from 0, such as [0,100]`},
		{"overflow", "latency", `{"jitter":5000000000000000000}`, `jitter: 5000000000000000000, must be from 0 to 86400000`},
		{"beyond_int64", "latency", `{"jitter":50000000000000000000}`, `jitter: 50000000000000000000, want an integer of milliseconds`},
		{"negative", "latency", `{"latency":-1}`, `latency: -1, must be from 0 to 86400000`},
		{"two_problems", "latency", `{"latency":-1,"jitter":-2}`, "jitter: -2, must be from 0 to 86400000\nlatency: -1, must be from 0 to 86400000"},
		{"distribution", "latency", `{"distribution":"gauss"}`, `distribution: "gauss", must be one of uniform, normal, pareto, lognormal, table`},
		{"table_empty", "latency", `{"distribution":"table"}`, `percentiles: empty, must not be with distribution table`},
		{"table_and_latency", "latency", `{"distribution":"table","latency":1,"percentiles":{"50":1}}`, `latency: 1ms, jitter: 0s, must be 0 with distribution table`},
		{"percentiles_unused", "latency", `{"percentiles":{"50":1}}`, `percentiles: 1, must be empty unless distribution is table`},
		{"percentile_name", "latency", `{"distribution":"table","percentiles":{"p50":1}}`, `percentiles: "p50", must be from 0 to 100`},
		{"percentile_nan", "latency", `{"distribution":"table","percentiles":{"NaN":1}}`, `percentiles: "NaN", must be from 0 to 100`},
		{"percentile_value", "latency", `{"distribution":"table","percentiles":{"50":-1}}`, `percentiles["50"]: -1, must be from 0 to 86400000`},
		{"percentiles_fall", "latency", `{"distribution":"table","percentiles":{"50":9,"99":1}}`, `percentiles: 9ms at 50, must be <= 1ms at 99`},
		{"percentile_twice", "latency", `{"distribution":"table","percentiles":{"50":1,"50.0":2}}`, `percentiles: 50 is there twice`},
		{"lognormal_no_median", "latency", `{"distribution":"lognormal","jitter":5}`, `latency: 0, must be > 0 with distribution lognormal: it is the median`},
		{"rate", "bandwidth", `{"rate":-1}`, `rate: -1, must be from 0 to 1000000000`},
		{"burst", "bandwidth", `{"burst":-1}`, `burst: -1, must be from 0 to 9007199254740991`},
		{"scope", "bandwidth", `{"scope":"world"}`, `scope: "world", must be one of connection, proxy`},
		{"slicer_defaults", "slicer", `{}`, `average_size: 0, must be from 1 to 9007199254740991`},
		{"slicer_variation", "slicer", `{"average_size":5,"size_variation":6}`, `size_variation: 6, must be below average_size, 5`},
		{"limit_close", "limit_data", `{"close":"gone"}`, `close: "gone", must be one of fin, rst`},
		{"corrupt_nothing", "corrupt", `{}`, `offsets: 0 of them, rate: 0, exactly one must be set`},
		{"corrupt_rate", "corrupt", `{"rate":1.5}`, `rate: 1.5, must be from 0 to 1`},
		{"corrupt_offset", "corrupt", `{"offsets":[5,-1]}`, `offsets[1]: -1, must be from 0 to 9007199254740991`},
		{"on_connect", "latency", `{"on_connect":1}`, `on_connect: 1, want true or false`},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			toxic, err := Parse(row.kind, []byte(row.in))
			if got := told(toxic, err); got != row.want {
				t.Errorf("Parse(%s, %s) = %s\nwant %s", row.kind, row.in, got, row.want)
			}
		})
	}
}

// told is a toxic's attributes, or the error.
func told(t Toxic, err error) string {
	if err != nil {
		return err.Error()
	}
	data, err := Attributes(t)
	if err != nil {
		return err.Error()
	}
	return string(data)
}

func TestParse_errors(t *testing.T) {
	t.Parallel()
	if _, err := Parse("lag", nil); !errors.Is(err, ErrKind) {
		t.Errorf("Parse of an unknown kind = %v, want %v", err, ErrKind)
	}
	if _, err := Parse("noop", []byte(`{"x":1}`)); !errors.Is(err, ErrUnknown) {
		t.Errorf("Parse of an unknown attribute = %v, want %v", err, ErrUnknown)
	}
	const plain = `latency: "1s", want an integer`
	if _, err := ParseLax("latency", []byte(`{"latency":"1s"}`)); err == nil || err.Error() != plain {
		t.Errorf("ParseLax of a text = %v, want %s, which clients of Toxiproxy know", err, plain)
	}
	if _, err := ParseLax("noop", []byte(`{"x":1}`)); err != nil {
		t.Errorf("ParseLax of an unknown attribute = %v", err)
	}
}

// A merge changes what it names and nothing else; one that is wrong, nothing.
func TestMerge(t *testing.T) {
	t.Parallel()
	before := &Slicer{AverageSize: 64, SizeVariation: 32, Delay: 10 * time.Microsecond}
	rows := []struct{ name, in, want string }{
		{"one", `{"size_variation":5}`, `{"average_size":64,"size_variation":5,"delay":10}`},
		{"none", `{}`, `{"average_size":64,"size_variation":32,"delay":10}`},
		{"wrong", `{"average_size":3,"delay":5}`, `size_variation: 32, must be below average_size, 3`},
		{"unknown", `{"x":5}`, `"x": unknown attribute of slicer (it has average_size, size_variation, delay)`},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			if got := told(Merge(before, []byte(row.in))); got != row.want {
				t.Errorf("Merge(%s) = %s, want %s", row.in, got, row.want)
			}
			if *before != (Slicer{AverageSize: 64, SizeVariation: 32, Delay: 10 * time.Microsecond}) {
				t.Errorf("Merge(%s) changed what it was given to %+v", row.in, before)
			}
		})
	}
	if got, want := told(MergeLax(before, []byte(`{"x":5}`))), rows[1].want; got != want {
		t.Errorf("MergeLax = %s, want %s", got, want)
	}
	// Other values replace a list, they are not added to it.
	if got, want := told(Merge(&Corrupt{Offsets: []int64{1, 2}}, []byte(`{"offsets":[3]}`))), `{"offsets":[3],"rate":0}`; got != want {
		t.Errorf("Merge = %s, want %s", got, want)
	}
}

func TestCheck_inGo(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name string
		in   Toxic
		want string
	}{
		{"nan", &Corrupt{Rate: math.NaN()}, "rate: NaN, must be from 0 to 1"},
		{"long", &Latency{Latency: MaxDelay + 1}, "latency: 24h0m0.000000001s, must be from 0 to 24h0m0s"},
		{"percentile_nan", &Latency{Distribution: "table", Percentiles: Percentiles{"5": math.NaN()}}, `percentiles["5"]: NaN, must be from 0 to 86400000`},
	}
	for _, row := range rows {
		if err := Check(row.in); err == nil || err.Error() != row.want {
			t.Errorf("Check(%+v) = %v, want %s", row.in, err, row.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, kind := range Kinds() {
		f.Add(kind, `{"latency":100,"jitter":20,"distribution":"table","percentiles":{"50":1,"99":5}}`)
		f.Add(kind, `{"average_size":1,"size_variation":0,"rate":0.5,"offsets":[1,2]}`)
		f.Add(kind, `{"rate":5e18,"bytes":-1,"timeout":null}`)
	}
	f.Fuzz(func(t *testing.T, kind, data string) {
		toxic, err := ParseLax(kind, []byte(data))
		if err != nil {
			return
		}
		text, err := Attributes(toxic)
		if err != nil || !json.Valid(text) {
			t.Fatalf("Attributes of %q = %s, %v", data, text, err)
		}
		again, err := Parse(kind, text)
		if err != nil || told(again, nil) != string(text) {
			t.Fatalf("Parse(%s) = %s, %v", text, told(again, nil), err)
		}
		// Whatever was accepted works without a panic.
		p := pipeline{limit: 1 << 20}
		base := time.Unix(1_700_000_000, 0)
		p.insert(newStation(NewSpec("a", Upstream, toxic)), 0, base)
		p.push(Chunk{Data: []byte(strings.Repeat("x", 100)), At: base})
		p.push(Chunk{End: EndFIN, At: base})
		p.advance(base.Add(time.Second))
	})
}
