package planfile

import (
	"github.com/brunt-go/brunt/internal/unit"
	"github.com/brunt-go/brunt/judge/experiment"
	"github.com/brunt-go/brunt/network/proxy/httpproxy"
)

// maxCalls is the most calls a load may make: each leaves entries in a ledger
// that is kept in memory.
const maxCalls = 10_000_000

func (r *reader) load(p part, l *experiment.Load) {
	readFields(r, p, loadFields(), l)
	if calls := l.Rate * l.Duration.Seconds(); calls > maxCalls {
		r.wrong(p.get("duration"), "at this rate %.0f calls, want at most %d", calls, maxCalls)
	}
}

func loadFields() []field[experiment.Load] {
	type load = experiment.Load
	return []field[load]{
		{"requests", func(r *reader, p part, l *load) { l.Requests = r.integer(p) }},
		{"concurrency", func(r *reader, p part, l *load) { l.Concurrency = r.integer(p) }},
		{"rate", func(r *reader, p part, l *load) {
			var err error
			if l.Rate, err = unit.ParseRate(p.node.text); err != nil {
				r.wrong(p, "%v", err)
			}
		}},
		{"duration", func(r *reader, p part, l *load) { l.Duration = r.time(p) }},
		{"max_in_flight", func(r *reader, p part, l *load) { l.MaxInFlight = r.integer(p) }},
		{"timeout", func(r *reader, p part, l *load) { l.Timeout = r.time(p) }},
		{"http", func(r *reader, p part, l *load) { readFields(r, p, requestFields(), l) }},
	}
}

// requestFields are the keys of load.http.
func requestFields() []field[experiment.Load] {
	type load = experiment.Load
	return []field[load]{
		{"method", func(_ *reader, p part, l *load) { l.Method = p.node.text }},
		{"url", func(r *reader, p part, l *load) { l.URL = r.refers(p, callNames()) }},
		{"headers", func(r *reader, p part, l *load) {
			l.Header = map[string]string{}
			r.keyed(p, headerName, func(name string, p part) { l.Header[name] = r.refers(p, callNames()) })
		}},
		{"body", func(r *reader, p part, l *load) { l.Body = r.refers(p, callNames()) }},
	}
}

// seedFields are the keys of plan.
func seedFields() []field[experiment.Experiment] {
	type plan = experiment.Experiment
	return []field[plan]{
		{"seed", func(r *reader, p part, e *plan) { e.Seed = r.seed(p) }},
		{"key", func(r *reader, p part, e *plan) {
			var err error
			if e.Key, err = httpproxy.ParseKey(p.node.text); err != nil {
				r.wrong(p, "%v", err)
			}
		}},
		{"tries", func(r *reader, p part, e *plan) { e.Tries = r.integer(p) }},
	}
}

func (r *reader) seed(p part) uint64 {
	if v, ok := p.node.value.(uint64); ok {
		return v
	}
	return uint64(max(0, r.integer(p)))
}

func limitFields() []field[experiment.Limits] {
	type limits = experiment.Limits
	return []field[limits]{
		{"max_faulted", func(r *reader, p part, l *limits) { l.MaxFaulted = r.integer(p) }},
		{"max_share", func(r *reader, p part, l *limits) { l.MaxShare = r.positiveShare(p) }},
		{"max_delay", func(r *reader, p part, l *limits) { l.MaxDelay = r.time(p) }},
		{"abort_when", func(r *reader, p part, l *limits) { l.AbortWhen = r.abort(p) }},
		{"lease", func(r *reader, p part, l *limits) { l.Lease = r.time(p) }},
		{"flake", func(r *reader, p part, l *limits) { l.Flake = r.positiveShare(p) }},
	}
}
