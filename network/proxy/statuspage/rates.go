package statuspage

import (
	"sync"
	"time"

	"github.com/brunt-go/brunt/network/proxy/control"
)

const (
	// window is over how long a rate is taken at least.
	window = time.Second
	// stale is when a sample is too old to tell what is the case now.
	stale = 10 * time.Second
)

// rates tells throughput from the counters that views have seen. Nothing runs
// while nobody looks.
type rates struct {
	mu      sync.Mutex
	proxies map[key]*samples
}

// samples are two looks at the counters, a window apart or more.
type samples struct{ older, newer sample }

type sample struct {
	at       time.Time
	up, down int64
}

// rate is bytes a second that went out in each direction. It is not Known at the
// first look, nor after a pause.
type rate struct {
	Known    bool
	Up, Down float64
}

func newRates() *rates { return &rates{proxies: make(map[key]*samples)} }

// observe returns the rates of proxies by their counters now.
func (r *rates) observe(now time.Time, all []control.Stats) map[key]rate {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := make(map[key]rate, len(all))
	for _, s := range all {
		k := key{s.Session, s.Proxy}
		if r.proxies[k] == nil {
			r.proxies[k] = new(samples)
		}
		out[k] = r.proxies[k].observe(sample{now, s.Upstream.Written, s.Downstream.Written})
	}
	return out
}

// forget drops what is not among the proxies.
func (r *rates) forget(there map[key]rate) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for k := range r.proxies {
		if _, ok := there[k]; !ok {
			delete(r.proxies, k)
		}
	}
}

func (s *samples) observe(now sample) rate {
	if now.up < s.newer.up || now.down < s.newer.down { // another proxy of that name
		*s = samples{}
	}
	if now.at.Sub(s.newer.at) >= window {
		s.older, s.newer = s.newer, now
	}
	took := now.at.Sub(s.older.at)
	if s.older.at.IsZero() || took > stale {
		return rate{}
	}
	per := func(then, now int64) float64 { return float64(now-then) / took.Seconds() }
	return rate{true, per(s.older.up, now.up), per(s.older.down, now.down)}
}
