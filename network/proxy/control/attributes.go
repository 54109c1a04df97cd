package control

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/brunt-go/brunt/network/toxic"
)

// toxiproxys are the attributes Toxiproxy knows.
func toxiproxys() map[string][]string {
	return map[string][]string{
		"latency":    {"latency", "jitter"},
		"bandwidth":  {"rate"},
		"slow_close": {"delay"},
		"timeout":    {"timeout"},
		"reset_peer": {"timeout"},
		"slicer":     {"average_size", "size_variation", "delay"},
		"limit_data": {"bytes"},
	}
}

// attributesOf shows the attributes of a toxic. Of a type that Toxiproxy knows,
// those that it does not are left out while they have their default: some of its
// clients read attributes as a map of integers, and would fail.
func attributesOf(t toxic.Toxic) json.RawMessage {
	all, err := toxic.Attributes(t)
	if err != nil {
		return json.RawMessage("null") // never: what was checked can be written
	}
	known, ok := toxiproxys()[t.Kind()]
	if !ok {
		return all
	}
	plain, err := toxic.ParseLax(t.Kind(), required(t.Kind()))
	if err != nil {
		return all
	}
	usual, err := toxic.Attributes(plain)
	var has, defaults map[string]json.RawMessage
	if err != nil || json.Unmarshal(all, &has) != nil || json.Unmarshal(usual, &defaults) != nil {
		return all
	}
	var b bytes.Buffer
	b.WriteByte('{')
	for _, a := range t.Attributes() {
		if !slices.Contains(known, a.Name) && bytes.Equal(has[a.Name], defaults[a.Name]) {
			continue
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		name, _ := json.Marshal(a.Name) // never fails for a string
		b.Write(name)
		b.WriteByte(':')
		b.Write(has[a.Name])
	}
	b.WriteByte('}')
	return b.Bytes()
}

// required are attributes without which a toxic of a type is none.
func required(kind string) []byte {
	if kind == "slicer" {
		return []byte(`{"average_size":1}`)
	}
	return nil
}
