package brunttest

import (
	"context"
	"maps"
	"os"
	"runtime/pprof"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/brunt-go/brunt"
)

// Init builds an App's Services; it is brunt.App's Init.
type Init = func(ctx context.Context, s *brunt.Setup) ([]brunt.Service, error)

// StartOption changes how Start starts an App. A nil one changes nothing.
type StartOption interface{ apply(*start) }

type startOptionFunc func(*start)

func (f startOptionFunc) apply(s *start) { f(s) }

type start struct {
	app  []brunt.Option
	args []string
	env  map[string]string
}

// WithApp changes the App, as the options of brunt.Main do. Given several times, they
// are applied in their order.
func WithApp(opts ...brunt.Option) StartOption {
	return startOptionFunc(func(s *start) { s.app = append(s.app, opts...) })
}

// WithEnv gives the process environment variables. Of a name that comes twice the last
// counts. The test's own environment is not passed on. Default: none.
func WithEnv(env map[string]string) StartOption {
	return startOptionFunc(func(s *start) { maps.Copy(s.env, env) })
}

// WithArgs gives the process arguments. Default: none.
func WithArgs(args ...string) StartOption {
	return startOptionFunc(func(s *start) { s.args = args })
}

// Start starts the App that brunt.Main would run with init and the options of WithApp,
// as a process of its own. Without brunt.WithHost it runs on a machine that nobody else
// is on. The channel receives the App's status, once. Start does not wait: Listening
// tells when a server is up.
//
// An App that still runs when the test ends is stopped by SIGTERM, and fails the test
// if its exit status is not 0. So does one that ended with such a status before, unless
// the test took it from the channel, Wait or Stop, or killed the App by two signals. So
// does a goroutine of the App that has not ended when the App has, such as that of a
// connection nobody closed.
//
// If the test failed, what the App wrote is logged. An App that ends before it is
// signalled, and not with 0, is logged there and then, with what it wrote: the test may
// wait for it in vain, and get no further.
func Start(t testing.TB, init Init, opts ...StartOption) (*Process, <-chan brunt.Status) {
	t.Helper()
	s := &start{env: map[string]string{}}
	for _, o := range opts {
		if o != nil {
			o.apply(s)
		}
	}
	app := brunt.NewApp(init, append([]brunt.Option{brunt.WithHost(NewHost(t).Host())}, s.app...)...)
	status := make(chan brunt.Status, 1)
	p := &Process{signals: make(chan os.Signal, 2), untaken: status, ended: make(chan struct{})}
	p.id = strconv.FormatInt(processes.Add(1), 10)
	process := brunt.Process{
		Args: s.args, Environment: s.env, Stdout: &p.stdout, Stderr: &p.stderr, Signals: p.signals,
	}
	go pprof.Do(context.Background(), pprof.Labels(label, p.id), func(ctx context.Context) {
		p.status = app.Run(ctx, process)
		if p.status.Code() != brunt.ExitSuccess && !p.signalled.Load() {
			t.Logf("brunttest: the App ended before the test stopped it: %v", p.status)
			p.logOutput(t)
			p.told = true
		}
		status <- p.status
		close(p.ended)
	})
	t.Cleanup(func() { p.end(t) })
	return p, status
}

// killed is what the status of an App is above that a second signal ended.
const killed = 128

// processes counts the processes of all tests, to tell their goroutines apart.
var processes atomic.Int64

// end stops the App if need be, and reports what is wrong with how it ended.
func (p *Process) end(t testing.TB) {
	t.Helper()
	defer func() {
		if t.Failed() && !p.told {
			p.logOutput(t)
		}
	}()
	select {
	case <-p.ended:
		if code := p.status.Code(); code != brunt.ExitSuccess && code <= killed && !p.taken() {
			t.Errorf("brunttest: the App has ended, and the test did not take its status: %v", p.status)
		}
	default:
		if status := p.Stop(); status.Code() != brunt.ExitSuccess {
			t.Errorf("brunttest: the App was stopped when the test ended: %v", status)
		}
	}
	if p.status.Code() > killed {
		return // what it left running is what it was at
	}
	settle(func() bool { return p.running() == "" })
	if stacks := p.running(); stacks != "" {
		t.Errorf("brunttest: the App has ended, these goroutines of it have not:\n%s", stacks)
	}
}

// logOutput logs what the App has written so far.
func (p *Process) logOutput(t testing.TB) {
	t.Helper()
	if out := p.Stdout() + p.Stderr(); out != "" {
		t.Logf("the App wrote:\n%s", out)
	}
}
