package httpproxy

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/brunt-go/brunt/judge/ledger"
)

// Arming is what a Proxy is armed with for a while.
type Arming struct {
	// Rules say which requests break and how. Without rules every request
	// passes and is recorded.
	Rules Rules
	// Recorder gets a Decision and an Exchange for each request. Default: none.
	Recorder ledger.Recorder
	// Budget bounds how many requests are hit. Default: no bound.
	Budget *Budget
	// MaxHold bounds how long a Hang holds a request, which is then reset.
	// Default: no bound.
	MaxHold time.Duration
	// Lease is how long the rules stay without Renew. Default: until Disarm.
	Lease time.Duration
}

// Armed is an Arming in force. Its methods are safe for concurrent use.
type Armed struct {
	proxy   *Proxy
	arming  Arming
	removed chan struct{} // closed when the rules are removed
	once    sync.Once
	lease   *time.Timer // nil without a lease
	expired atomic.Bool

	ordinals atomic.Uint64
	attempts *attempts
	inflight inflight
}

// Arm puts a on the proxy in place of what was there. Requests under way keep
// what they were given; those held by a removed fault go on.
func (p *Proxy) Arm(a Arming) (*Armed, error) {
	if err := CheckRules(a.Rules); err != nil {
		return nil, err
	}
	armed := newArmed(p, a)
	if a.Lease > 0 {
		armed.lease = time.AfterFunc(a.Lease, func() {
			armed.expired.Store(true)
			armed.Disarm()
		})
	}
	if before := p.armed.Swap(armed); before != nil {
		before.release()
	}
	return armed, nil
}

func newArmed(p *Proxy, a Arming) *Armed {
	return &Armed{proxy: p, arming: a, removed: make(chan struct{}), attempts: newAttempts()}
}

// Disarm removes the rules and lets the requests they hold go on. It may be
// called more than once.
func (a *Armed) Disarm() {
	a.proxy.armed.CompareAndSwap(a, nil)
	a.release()
}

// Renew starts the lease anew.
func (a *Armed) Renew() {
	if a.lease != nil && !a.isRemoved() {
		a.lease.Reset(a.arming.Lease)
	}
}

// Expired reports whether the lease ran out.
func (a *Armed) Expired() bool { return a.expired.Load() }

// Wait returns when every request that came while armed has ended, or with
// ctx's error.
func (a *Armed) Wait(ctx context.Context) error { return a.inflight.wait(ctx) }

func (a *Armed) release() {
	a.once.Do(func() {
		if a.lease != nil {
			a.lease.Stop()
		}
		close(a.removed)
	})
}

func (a *Armed) isRemoved() bool {
	select {
	case <-a.removed:
		return true
	default:
		return false
	}
}

// visit is one request that passes an armed proxy.
type visit struct {
	armed    *Armed
	id       uint64
	arrived  time.Time
	trace    string
	key      string
	attempt  int
	rule     *Rule  // nil: nothing happens to it
	holder   *Armed // whose removal lets it go on
	upstream int    // the status the upstream answered with
	err      error  // what went wrong with the upstream

	passage passage
	seen    observer
}

// begin decides what happens to r and records the decision. c is the scenario r
// carries, or nil.
func (a *Armed) begin(r *http.Request, c *carried) *visit {
	a.inflight.add()
	ordinal := a.ordinals.Add(1) - 1
	v := &visit{armed: a, holder: a, id: ordinal + 1, arrived: time.Now(), trace: TraceID(r.Header)}
	v.key = a.arming.Rules.Key.of(r, v.trace, ordinal)
	decision := ledger.Decision{Exchange: v.id}
	if v.key == "" {
		decision.Spared = ledger.SparedNoKey
	} else {
		v.attempt = a.attempts.next(v.key)
		v.rule, decision.Spared = a.choose(r, v.key, v.attempt)
	}
	if v.rule == nil && c != nil {
		v.decideScenario(r, c, &decision)
	}
	if v.rule != nil {
		decision.Rule, decision.Fault = v.rule.Name, FaultNames(v.rule.Faults)
		decision.Holds = slices.ContainsFunc(v.rule.Faults, holds)
		decision.Injected = decision.Spared == ""
	}
	if !decision.Injected {
		v.rule = nil
	}
	v.record(v.arrived, decision)
	return v
}

// choose returns the rule that hits the request, and why it is spared anyway.
func (a *Armed) choose(r *http.Request, key string, attempt int) (rule *Rule, spared string) {
	rules := a.arming.Rules
	for i := range rules.List {
		rule := &rules.List[i]
		if !rule.takes(r, attempt) || !Hits(rules.Seed, key, rule.Share) {
			continue
		}
		if a.isRemoved() {
			return nil, ""
		}
		if !a.arming.Budget.take() {
			return rule, ledger.SparedByLimit
		}
		return rule, ""
	}
	return nil, ""
}

// serve passes the request on, or breaks it, and records what passed.
func (v *visit) serve(w http.ResponseWriter, r *http.Request) {
	v.seen = observer{ResponseWriter: w, request: r, arrived: v.arrived}
	v.passage.proxy, v.passage.visit = v.armed.proxy, v
	v.passage.out.flushHeader = v.rule != nil
	whole := false
	// What panics here goes on panicking: the server then cuts the connection.
	defer func() { v.end(v.seen.exchange(whole, v.err != nil)) }()
	v.passage.serve(&v.seen, r)
	whole = true
}

// end records what passed on the wire.
func (v *visit) end(seen ledger.Exchange) {
	defer v.armed.inflight.done()
	seen.ID, seen.Upstream = v.id, v.upstream
	if v.err != nil {
		seen.Error = v.err.Error()
	}
	v.record(v.arrived.Add(seen.Took), seen)
}

func (v *visit) record(at time.Time, e ledger.Event) {
	if rec := v.armed.arming.Recorder; rec != nil {
		rec.Record(at, ledger.Entry{
			Trace: v.trace, Key: v.key, Point: v.armed.proxy.settings.Name, Attempt: v.attempt, Event: e,
		})
	}
}

// failed notes that the upstream let the proxy down, unless it was the caller
// who went away.
func (v *visit) failed(r *http.Request, err error) {
	if r.Context().Err() == nil {
		v.err = err
	}
}

// answer carries out the faults of the visit's rule around asking the upstream.
func (v *visit) answer(r *http.Request) (*http.Response, error) {
	if v.rule == nil {
		return v.ask(r)
	}
	x := &Exchange{Request: r, arrived: v.arrived, armed: v.holder, maxHold: v.armed.arming.MaxHold}
	next := func() (*http.Response, error) { return v.ask(r) }
	for i := len(v.rule.Faults) - 1; i >= 0; i-- {
		fault, inner := v.rule.Faults[i], next
		next = func() (*http.Response, error) { return fault.Apply(x, inner) }
	}
	return next()
}

// ask asks the upstream, and notes what it answers.
func (v *visit) ask(r *http.Request) (*http.Response, error) {
	resp, err := v.armed.proxy.client.RoundTrip(r)
	if err != nil {
		v.failed(r, err)
		return nil, err
	}
	v.upstream = resp.StatusCode
	if resp.StatusCode != http.StatusSwitchingProtocols {
		resp.Body = &watchedBody{resp.Body, v, r}
	}
	return resp, nil
}

// watchedBody reports an upstream's answer that breaks off.
type watchedBody struct {
	io.ReadCloser
	visit   *visit
	request *http.Request
}

func (b *watchedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		b.visit.failed(b.request, err)
	}
	return n, err
}
