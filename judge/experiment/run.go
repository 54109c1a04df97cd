package experiment

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"time"

	"github.com/brunt-go/brunt/network/proxy/httpproxy"
)

// interrupted is the Aborted of an arm whose run was told to stop.
const interrupted = "interrupted"

// runner runs one experiment.
type runner struct {
	experiment Experiment
	variant    string
	network    Network
	log        *slog.Logger
	progress   func(Progress)
	executable string
	environ    []string
	nice       int
	wasted     time.Duration // on tries of arms the machine stalled in

	names    Names
	caller   *caller
	proxies  []*httpproxy.Proxy
	serving  []chan struct{} // each closed when its proxy no longer serves
	services []*running
}

// Run runs every arm of e and judges them. The error is an experiment that makes
// no sense (FieldErrors); whatever goes wrong with the system is in the Result.
//
// When ctx ends, the faults are removed, the services stopped, and the Result
// says INCONCLUSIVE.
func Run(ctx context.Context, e Experiment, opts ...Option) (*Result, error) {
	if err := Check(e); err != nil {
		return nil, err
	}
	r := newRunner(e, opts)
	return r.run(ctx, []Phase{PhaseBefore, PhaseRepeat, PhaseFault, PhaseAfter}), nil
}

// run runs the phases and judges what they show.
func (r *runner) run(ctx context.Context, phases []Phase) *Result {
	e := r.experiment
	out := &Result{Name: e.Name, Variant: r.variant, Seed: e.Seed, Started: time.Now(), proxies: map[string]string{}}
	defer func() { out.Took = time.Since(out.Started) }()
	err := r.setUp(ctx)
	for _, p := range r.proxies {
		out.proxies[p.Name()] = r.names.Proxies[p.Name()].Addr
	}
	if err == nil {
		for _, phase := range phases {
			if err = r.phase(ctx, phase, out); err != nil {
				break
			}
		}
	}
	r.inspect(out)
	r.tearDown()
	out.stopped = ctx.Err() != nil
	var hop *hopError
	switch {
	case err == nil || out.stopped || errors.Is(err, errStop): // the arms say it all
	case errors.As(err, &hop):
		out.problem(Invalid, "", hop.hop, "%v", hop.err)
	default:
		out.problem(Invalid, "", "run", "%v", err)
	}
	e.judge(out)
	return out
}

// hopError is a failure of one part of the system.
type hopError struct {
	hop string
	err error
}

func (e *hopError) Error() string { return e.hop + ": " + e.err.Error() }
func (e *hopError) Unwrap() error { return e.err }

// errStop ends a run early: an arm says why.
var errStop = errors.New("the run is over")

// phase runs the arms of a phase.
func (r *runner) phase(ctx context.Context, phase Phase, out *Result) error {
	faults := []*Fault{nil}
	switch phase {
	case PhaseFault:
		faults = nil
		for i := range r.experiment.Faults {
			faults = append(faults, &r.experiment.Faults[i])
		}
	case PhaseAfter:
		if err := sleep(ctx, r.experiment.Judge.Lag); err != nil {
			return err
		}
	default: // one arm without faults
	}
	for _, f := range faults {
		arm, err := r.undisturbed(ctx, phase, f)
		if err != nil {
			return err
		}
		out.Arms = append(out.Arms, arm)
		if arm.Aborted != "" {
			return errStop
		}
		if name := r.ended(); name != "" {
			return &hopError{"service " + name, fmt.Errorf("it ended in %s", arm.label())}
		}
	}
	return nil
}

// sleep waits for d, or returns the cause when ctx ends first.
func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return context.Cause(ctx)
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// setUp listens, starts the services and waits until they are ready.
func (r *runner) setUp(ctx context.Context) error {
	e := r.experiment
	if r.nice != 0 {
		if err := setPriority(r.nice); err != nil {
			r.log.Debug("the priority stays as it is", slog.Int("nice", r.nice), slog.Any("error", err))
		}
	}
	r.names = Names{Services: map[string]Endpoint{}, Proxies: map[string]Endpoint{}}
	for _, s := range e.Services {
		addr, err := r.reserve(s)
		if err != nil {
			return &hopError{"service " + s.Name, err}
		}
		r.names.Services[s.Name] = endpoint(addr)
	}
	if err := r.listen(); err != nil {
		return err
	}
	for _, s := range e.Services {
		run, err := r.start(s, r.names.Services[s.Name].Addr)
		if err != nil {
			return &hopError{"service " + s.Name, err}
		}
		r.services = append(r.services, run)
		if err := r.await(ctx, run); err != nil {
			run.failed = true
			return &hopError{"service " + s.Name, err}
		}
	}
	var err error
	r.caller, err = newCaller(e.Load, e.Seed, r.names, newClient(e.Load, r.network.DialContext))
	return err
}

// listen starts the proxies.
func (r *runner) listen() error {
	listeners := make([]net.Listener, len(r.experiment.Proxies))
	for i, p := range r.experiment.Proxies {
		addr := p.Listen
		if addr == "" {
			addr = "127.0.0.1:0"
		}
		l, err := r.network.Listen("tcp", addr)
		if err != nil {
			for _, l := range listeners[:i] {
				l.Close()
			}
			return &hopError{"proxy " + p.Name, err}
		}
		listeners[i] = l
		r.names.Proxies[p.Name] = endpoint(l.Addr().String())
	}
	for i, p := range r.experiment.Proxies {
		proxy, err := r.proxy(p)
		if err != nil {
			for _, l := range listeners[i:] {
				l.Close()
			}
			return &hopError{"proxy " + p.Name, err}
		}
		ended := make(chan struct{})
		r.proxies, r.serving = append(r.proxies, proxy), append(r.serving, ended)
		go func() {
			defer close(ended)
			if err := proxy.Serve(listeners[i]); !errors.Is(err, httpproxy.ErrClosed) {
				r.log.Error("a proxy ended", slog.String("proxy", p.Name), slog.Any("error", err))
			}
		}()
	}
	return nil
}

func (r *runner) proxy(p Proxy) (*httpproxy.Proxy, error) {
	s := httpproxy.DefaultSettings()
	s.Name = p.Name
	var err error
	if s.Upstream, err = expand(p.Upstream, r.names); err != nil {
		return nil, err
	}
	return httpproxy.New(s, httpproxy.WithDialer(r.network.DialContext), httpproxy.WithLogger(r.log))
}

// groups are the process groups of the commands that run.
func (r *runner) groups() (ids []int) {
	for _, s := range r.services {
		if s.group != 0 {
			ids = append(ids, s.group)
		}
	}
	return ids
}

// ended names a service that is no longer running, or is "".
func (r *runner) ended() string {
	for _, s := range r.services {
		select {
		case <-s.ended:
			return s.Name
		default:
		}
	}
	return ""
}

// inspect notes how the services fared, before they are told to stop.
func (r *runner) inspect(out *Result) {
	for _, s := range r.services {
		state := ServiceState{Name: s.Name, Addr: s.addr}
		select {
		case <-s.ended:
			state.Ended, state.Output = s.result, s.output.String()
		default:
			if s.failed {
				state.Ended, state.Output = "never became ready", s.output.String()
			}
		}
		out.Services = append(out.Services, state)
	}
}

// proxyGrace is how long a proxy may take to end when nobody needs it any more.
const proxyGrace = time.Second

// tearDown removes every fault and ends everything that was started.
func (r *runner) tearDown() {
	if r.caller != nil {
		r.caller.client.CloseIdleConnections()
	}
	// Callers go before whom they call: a connection that was never used would
	// otherwise hold up the server's end.
	for _, p := range r.proxies {
		p.CloseIdle()
	}
	for i := len(r.services) - 1; i >= 0; i-- {
		if s := r.services[i]; s.stop != nil {
			s.stop()
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), proxyGrace)
	defer cancel()
	for i, p := range r.proxies {
		if p.Shutdown(ctx) != nil {
			r.log.Debug("connections are still open and are cut", slog.String("proxy", p.Name()), slog.Duration("grace", proxyGrace))
			p.Close()
		}
		<-r.serving[i]
	}
}
