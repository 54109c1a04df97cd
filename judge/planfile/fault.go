package planfile

import (
	"encoding/json"
	"path"

	"github.com/brunt-go/brunt/judge/experiment"
	"github.com/brunt-go/brunt/network/proxy/httpproxy"
)

func readFaults(r *reader, p part, e *experiment.Experiment) {
	r.keyed(p, partName, func(name string, p part) {
		f := experiment.Fault{Name: name, Rule: httpproxy.Rule{Name: name, Share: 1}}
		if name == experiment.Baseline {
			r.wrong(p, "is the name of the arm without faults, want another")
		}
		readFields(r, p, faultFields(), &f)
		e.Faults = append(e.Faults, f)
	})
}

// faultFields are which requests a fault chooses, and every kind of fault there
// is.
func faultFields() []field[experiment.Fault] {
	type fault = experiment.Fault
	fields := []field[fault]{
		{"at", func(r *reader, p part, f *fault) { f.At = r.proxy(p) }},
		{"share", func(r *reader, p part, f *fault) { f.Rule.Share = r.positiveShare(p) }},
		{"attempts", func(r *reader, p part, f *fault) {
			for _, item := range p.items() {
				f.Rule.Attempts = append(f.Rule.Attempts, r.integer(item))
			}
		}},
		{"match", func(r *reader, p part, f *fault) { readFields(r, p, matchFields(), &f.Rule.Match) }},
	}
	for _, kind := range httpproxy.Kinds() {
		fields = append(fields, field[fault]{kind, func(r *reader, p part, f *fault) { r.kind(kind, p, f) }})
	}
	return fields
}

func matchFields() []field[httpproxy.Match] {
	type match = httpproxy.Match
	return []field[match]{
		{"methods", func(r *reader, p part, m *match) { m.Methods = r.words(p) }},
		{"path", func(r *reader, p part, m *match) {
			m.Path = p.node.text
			if _, err := path.Match(m.Path, ""); err != nil {
				r.wrong(p, "%v, want a pattern such as /orders/*/items: %v", p.node, err)
			}
		}},
		{"headers", func(r *reader, p part, m *match) { m.Header = r.headers(p) }},
	}
}

// kind reads what happens. The proxy reads its faults itself, from JSON.
func (r *reader) kind(kind string, p part, f *experiment.Fault) {
	settings := p.node.instance()
	if m, ok := settings.(map[string]any); ok && p.node.has("headers") {
		m["headers"] = r.headers(p.get("headers")) // a value may look like a number
	}
	data, err := json.Marshal(settings)
	if err != nil {
		r.wrong(p, "%v", err)
		return
	}
	fault, err := httpproxy.ParseFault(kind, data)
	if err != nil {
		r.wrong(p, "%v", err)
		return
	}
	f.Rule.Faults = append(f.Rule.Faults, fault)
}

// proxy reads the name of a proxy of the plan.
func (r *reader) proxy(p part) string {
	if !r.proxies.has(p.node.text) {
		r.wrong(p, "%s", r.proxies.missing(p.node.text))
	}
	return p.node.text
}
