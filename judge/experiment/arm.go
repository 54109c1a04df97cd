package experiment

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"sync"
	"time"

	"github.com/brunt-go/brunt/judge/ledger"
	"github.com/brunt-go/brunt/judge/oracle"
	"github.com/brunt-go/brunt/network/proxy/httpproxy"
)

// DefaultLease is how long a fault stays when the run stops renewing it.
const DefaultLease = 30 * time.Second

// drain is how long requests may take to end once the load is over: a caller
// that gave up is noticed within it.
const drain = 2 * time.Second

// noContext is for requests that are built and not sent.
var noContext = context.Background()

// errAborted is why an arm's load ends when its abort condition holds.
var errAborted = errors.New("the abort condition holds")

// undisturbed runs an arm, and again while the machine stalls in it, up to a
// number of tries.
func (r *runner) undisturbed(ctx context.Context, phase Phase, fault *Fault) (Arm, error) {
	for try := 1; ; try++ {
		start := time.Now()
		arm, err := r.arm(ctx, phase, fault)
		arm.Tries = try
		if err == nil && arm.Aborted == "" && arm.Stalled > stallLimit && try < stallTries && r.wasted < stallPatience {
			r.log.Info("the machine stalled, the arm is run again", slog.String("arm", arm.Name), slog.Duration("stalled", arm.Stalled))
			// What keeps the machine busy may be over in a moment.
			err := sleep(ctx, time.Duration(try)*stallPause)
			r.wasted += time.Since(start)
			if err == nil {
				continue
			}
		}
		if err == nil {
			r.progress(Progress{Variant: r.variant, Arm: arm.Name, Done: arm.Figures.Requests, Total: r.experiment.Load.total(), Injected: arm.Figures.Injected, Finished: true, Result: &arm})
		}
		return arm, err
	}
}

// arm runs the load once, under fault or, when it is nil, under none.
func (r *runner) arm(ctx context.Context, phase Phase, fault *Fault) (Arm, error) {
	out := Arm{Name: Baseline, Phase: phase, Planned: 0}
	if fault != nil {
		out.Name, out.At, out.Fault = fault.Name, fault.At, httpproxy.FaultNames(fault.Rule.Faults)
		out.Planned = r.experiment.planned(*fault, r.caller)
	}
	start := time.Now()
	a := &armRun{runner: r, out: &out, ledger: ledger.New(start), budget: r.experiment.budget()}
	a.ledger.Record(start, ledger.Entry{Event: ledger.Note{What: ledger.NoteArm, Text: out.Name}})
	if err := a.armProxies(fault); err != nil {
		return out, err
	}
	stop, stalled := a.renew(), watchStalls(r.groups())
	a.load(ctx)
	a.settle(ctx)
	out.Stalled = stalled()
	stop()
	out.Took = time.Since(start)
	out.Entries = a.ledger.Entries()
	out.Figures = oracle.Count(out.Entries)
	out.Latency = measure(out.Entries)
	r.log.Info("arm ended", slog.String("arm", out.Name), slog.Int("injected", out.Figures.Injected), slog.Duration("took", out.Took))
	return out, nil
}

// budget is the blast radius of an arm, or nil without one.
func (e Experiment) budget() *httpproxy.Budget {
	most := math.MaxInt
	if e.Limits.MaxFaulted > 0 {
		most = e.Limits.MaxFaulted
	}
	if e.Limits.MaxShare > 0 {
		most = min(most, int(e.Limits.MaxShare*float64(e.Load.total())))
	}
	if most == math.MaxInt {
		return nil
	}
	return httpproxy.NewBudget(most)
}

// armRun is an arm under way.
type armRun struct {
	runner *runner
	out    *Arm
	ledger *ledger.Ledger
	budget *httpproxy.Budget
	armed  []*httpproxy.Armed

	mu                      sync.Mutex
	full, degraded, dropped int
}

// armProxies arms every proxy, so that each records what passes, and puts the
// fault on one of them.
func (a *armRun) armProxies(fault *Fault) error {
	e := a.runner.experiment
	lease := e.Limits.Lease
	if lease == 0 {
		lease = DefaultLease
	}
	for _, p := range a.runner.proxies {
		arming := httpproxy.Arming{
			Rules:    httpproxy.Rules{Seed: e.Seed, Key: e.Key},
			Recorder: a.ledger, Budget: a.budget, MaxHold: e.Limits.MaxDelay, Lease: lease,
		}
		if fault != nil && fault.At == p.Name() {
			rule := fault.Rule
			rule.Name = fault.Name
			arming.Rules.List = []httpproxy.Rule{rule}
		}
		armed, err := p.Arm(arming)
		if err != nil {
			a.disarm()
			return fmt.Errorf("arm proxy %s: %w", p.Name(), err)
		}
		a.armed = append(a.armed, armed)
	}
	return nil
}

// renew keeps the leases from running out until stop is called.
func (a *armRun) renew() (stop func()) {
	every := a.runner.experiment.Limits.Lease / 3
	if every == 0 {
		every = DefaultLease / 3
	}
	quit, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		ticker := time.NewTicker(every)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				for _, armed := range a.armed {
					armed.Renew()
				}
			case <-quit:
				return
			}
		}
	}()
	return func() { close(quit); <-ended }
}

// load sends the load. An interrupt ends the calls under way; an abort lets them
// end, with every fault removed.
func (a *armRun) load(ctx context.Context) {
	sending, abort := context.WithCancelCause(ctx)
	defer abort(nil)
	do := func(_ context.Context, index int, due time.Time) {
		r, trace, err := a.runner.caller.request(ctx, index)
		entry := ledger.Entry{Trace: trace}
		answer := Answer{Err: err}
		if err == nil {
			if e := a.runner.experiment; e.Key.Identity() {
				entry.Key = e.Key.Of(r, uint64(index))
			}
			answer = a.runner.caller.call(r, due)
		}
		if ctx.Err() != nil && answer.Err != nil {
			return // interrupted: the call says nothing about the system
		}
		if a.record(entry, index, due, answer) {
			abort(errAborted)
		}
	}
	over := func(_ context.Context, index int, due time.Time) {
		a.record(ledger.Entry{Trace: a.runner.caller.trace(index)}, index, due, Answer{Err: errOverload})
	}
	a.runner.experiment.Load.each(sending, do, over)
	if ctx.Err() != nil {
		a.out.Aborted = interrupted
		a.ledger.Record(time.Now(), ledger.Entry{Event: ledger.Note{What: ledger.NoteInterrupted}})
	}
}

// record notes how a call ended. It reports whether the run must be aborted, and
// has then removed the faults.
func (a *armRun) record(entry ledger.Entry, index int, due time.Time, answer Answer) (aborted bool) {
	call := ledger.Call{Index: index, Outcome: a.runner.experiment.outcome(answer), Status: answer.Status, Took: answer.Took}
	if answer.Err != nil {
		call.Error = answer.Err.Error()
	}
	entry.Event = call
	a.ledger.Record(due.Add(answer.Took), entry)
	aborted = a.count(call.Outcome)
	a.mu.Lock()
	done := a.full + a.degraded + a.dropped
	a.mu.Unlock()
	a.runner.progress(Progress{Variant: a.runner.variant, Arm: a.out.Name, Done: done, Total: a.runner.experiment.Load.total(), Injected: a.budget.Used()})
	return aborted
}

// count counts an outcome and looks at the abort condition.
func (a *armRun) count(outcome string) (aborted bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch outcome {
	case oracle.Full:
		a.full++
	case oracle.Degraded:
		a.degraded++
	default:
		a.dropped++
	}
	when := a.runner.experiment.Limits.AbortWhen
	if when == nil || a.out.Aborted != "" || !when.holds(a.full, a.degraded, a.dropped, a.budget.Used()) {
		return false
	}
	a.out.Aborted = fmt.Sprintf("%s held after %d calls", when.Text, a.full+a.degraded+a.dropped)
	a.disarm()
	a.ledger.Record(time.Now(), ledger.Entry{Event: ledger.Note{What: ledger.NoteAborted, Text: a.out.Aborted}})
	return true
}

// outcome names the first outcome that holds for the answer.
func (e Experiment) outcome(answer Answer) string {
	for _, o := range e.Outcomes {
		if ok, err := o.Holds(answer); ok && err == nil {
			return o.Name
		}
	}
	return oracle.Dropped
}

// settle waits until the requests of the arm have ended, then removes the
// faults, so that the next arm finds nothing of this one.
func (a *armRun) settle(ctx context.Context) {
	a.wait(ctx)
	for i, armed := range a.armed {
		if armed.Expired() {
			a.out.Expired = a.runner.proxies[i].Name()
		}
	}
	a.ledger.Record(time.Now(), ledger.Entry{Event: ledger.Note{What: ledger.NoteRemoved}})
	a.disarm()
	a.wait(ctx)
}

func (a *armRun) wait(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, drain)
	defer cancel()
	for _, armed := range a.armed {
		if err := armed.Wait(ctx); err != nil {
			a.runner.log.Debug("requests are still under way", slog.String("arm", a.out.Name))
		}
	}
}

func (a *armRun) disarm() {
	for _, armed := range a.armed {
		armed.Disarm()
	}
}
