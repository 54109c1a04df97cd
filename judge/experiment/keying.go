package experiment

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/brunt-go/brunt/judge/ledger"
	"github.com/brunt-go/brunt/network/proxy/httpproxy"
)

// planKey is the hop of a run whose key does not tell its calls apart.
const planKey = "plan.key"

// sampled is how many of a load's calls are looked at to tell whether something
// differs from call to call. Texts refer to nothing but a call's index and trace,
// so what differs at all differs soon.
const sampled = 100

// onlyKey is the value of the key that all of the load's own requests have, or ""
// where they differ or don't have it.
func (e Experiment) onlyKey(c *caller) string {
	calls := min(e.Load.total(), sampled)
	if !e.Key.Identity() || calls < 2 {
		return ""
	}
	var only string
	for index := range calls {
		r, _, err := c.request(noContext, index)
		if err != nil {
			return ""
		}
		key := e.Key.Of(r, uint64(index))
		if index > 0 && key != only {
			return ""
		}
		only = key
	}
	return only
}

// misKeyed says what is wrong with the key where all calls of f's arm share its
// value and that keeps the arm from showing anything, or is "". Whatever else such
// an arm seems to show is wrong.
func (e Experiment) misKeyed(f Fault, arm Arm) string {
	calls, keys, traces := 0, map[string]bool{}, map[string]bool{}
	var only string
	for entry := range ledger.All[ledger.Call](arm.Entries) {
		if entry.Key != "" { // else it was never sent
			calls++
			keys[entry.Key], traces[entry.Trace], only = true, true, entry.Key
		}
	}
	if calls < 2 || len(keys) != 1 {
		return ""
	}
	unjoined := false
	for entry := range ledger.All[ledger.Exchange](arm.Entries) {
		switch {
		case entry.Point != f.At || entry.Key == "":
		case entry.Key != only:
			return "" // the system gives its requests keys of its own
		case !traces[entry.Trace]:
			unjoined = true
		}
	}
	if !f.selects() && !unjoined {
		return ""
	}
	return e.shared(only, calls, f)
}

// selects reports whether a fault is meant for some requests and not for others,
// by their key.
func (f Fault) selects() bool { return f.Rule.Share < 1 || len(f.Rule.Attempts) > 0 }

// shared says that all calls have the same key, what that does to f, and what to
// do.
func (e Experiment) shared(only string, calls int, f Fault) string {
	name := e.Key.String()
	if name == "" {
		name = "trace"
	}
	so := "they break together or not at all"
	switch {
	case len(f.Rule.Attempts) > 0:
		so = "they count as attempts of one call"
	case f.Rule.Share == 1:
		so = "nothing says which request belongs to which of them"
	}
	return fmt.Sprintf("%s has one value, %.40q, in all %d calls, so %s: choose a key that differs from call to call, such as %s", name, only, calls, so, e.betterKey())
}

// betterKey names a key that tells the load's calls apart.
func (e Experiment) betterKey() string {
	const none = "query.index with index={{.Index}} in load.http.url"
	c, err := newCaller(e.Load, e.Seed, e.sampleNames(), nil)
	if err != nil {
		return none
	}
	first, _, err := c.request(noContext, 0)
	if err != nil {
		return none
	}
	var names []string
	for pair := range strings.SplitSeq(first.URL.RawQuery, "&") {
		name, _, _ := strings.Cut(pair, "=")
		names = append(names, "query."+name)
	}
	for _, name := range slices.Sorted(maps.Keys(e.Load.Header)) {
		names = append(names, "header."+name)
	}
	for _, name := range names {
		if key, err := httpproxy.ParseKey(name); err == nil && e.differs(key, c) {
			return name
		}
	}
	return none
}

// differs reports whether key has another value in each of the load's calls.
func (e Experiment) differs(key httpproxy.Key, c *caller) bool {
	seen := map[string]bool{"": true}
	for index := range min(e.Load.total(), sampled) {
		r, _, err := c.request(noContext, index)
		if err != nil {
			return false
		}
		value := key.Of(r, uint64(index))
		if seen[value] {
			return false
		}
		seen[value] = true
	}
	return true
}
