package planfile

import (
	"regexp"
	"slices"
	"time"

	"github.com/brunt-go/brunt/judge/experiment"
	"github.com/brunt-go/brunt/judge/oracle"
)

func verdictFields() []field[experiment.Judge] {
	type judge = experiment.Judge
	return []field[judge]{
		{"noise", func(r *reader, p part, j *judge) {
			noise := r.share(p)
			if noise == 1 {
				r.wrong(p, "%v, must be below 1: every run would pass", p.node)
			}
			j.Noise = &noise
		}},
		{"lag", func(r *reader, p part, j *judge) { j.Lag = r.duration(p) }},
		{"scan", func(r *reader, p part, j *judge) {
			for _, item := range p.items() {
				j.Scan = append(j.Scan, r.share(item))
			}
		}},
		{"require", func(r *reader, p part, j *judge) {
			for _, item := range p.items() {
				if o := r.demand(item); o != nil {
					j.Require = append(j.Require, o)
				}
			}
		}},
	}
}

// demand reads an oracle or a condition.
func (r *reader) demand(p part) oracle.Oracle {
	known := oracles()
	if p.node.kind == mapping {
		for _, pair := range p.node.pairs {
			if o, ok := known[pair.name]; ok {
				return o.read(r, p.child(pair))
			}
		}
		return nil
	}
	name := p.node.text
	o, ok := known[name]
	switch {
	case !ok && regexp.MustCompile(`^[A-Za-z_]+$`).MatchString(name) && !slices.Contains(nameList(figureVariables()), name):
		r.wrong(p, "%v is no oracle, %s, or a condition", p.node, wantOneOf(name, sortedKeys(known)))
		return nil
	case !ok:
		return r.condition(p)
	case o.needs != "":
		r.wrong(p, "needs settings, such as {%s: %s}", name, o.needs)
		return nil
	default:
		return o.read(r, p)
	}
}

// demanded is an oracle a file can ask for.
type demanded struct {
	// needs are the least settings it can do with, or "" when it has none.
	needs string
	read  func(*reader, part) oracle.Oracle
}

// oracles are those a file can ask for. A new oracle gets a line here, and one
// in the schema.
func oracles() map[string]demanded {
	return map[string]demanded{
		oracle.FallbackEngaged{}.Name(): {"", func(*reader, part) oracle.Oracle { return oracle.FallbackEngaged{} }},
		oracle.TimeoutEngaged{}.Name(): {"{timeout: 100ms}", func(r *reader, p part) oracle.Oracle {
			o := oracle.TimeoutEngaged{Slack: DefaultSlack}
			readFields(r, p, timeoutFields(), &o)
			return o
		}},
		oracle.Coverage{}.Name(): {"{at: PROXY}", func(r *reader, p part) oracle.Oracle {
			var o oracle.Coverage
			readFields(r, p, coverageFields(), &o)
			return o
		}},
	}
}

// DefaultSlack is how far from its timeout a caller may give up unless the file
// says otherwise: what a loaded machine's scheduler may take.
const DefaultSlack = 50 * time.Millisecond

func timeoutFields() []field[oracle.TimeoutEngaged] {
	type timeout = oracle.TimeoutEngaged
	return []field[timeout]{
		{"at", func(r *reader, p part, o *timeout) { o.Point = r.proxy(p) }},
		{"timeout", func(r *reader, p part, o *timeout) { o.Timeout = r.time(p) }},
		{"slack", func(r *reader, p part, o *timeout) { o.Slack = r.duration(p) }},
	}
}

func coverageFields() []field[oracle.Coverage] {
	return []field[oracle.Coverage]{
		{"at", func(r *reader, p part, o *oracle.Coverage) { o.Point = r.proxy(p) }},
	}
}
