package httphealth

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/health"
)

const scopeName = "github.com/brunt-go/brunt/health/httphealth"

// NewHandler returns a handler of the two probes, for a server there is already. A
// probe waits a second for its Monitor. Of a path that is neither probe it makes a 404.
func NewHandler(s *brunt.Setup, opts ...health.Option) http.Handler {
	return newHandler(s, DefaultSettings().Timeout, health.NewProbes(opts...))
}

func newHandler(s *brunt.Setup, timeout time.Duration, probes health.Probes) http.Handler {
	log := s.Telemetry.Logger(scopeName)
	mux := http.NewServeMux()
	mux.Handle("GET /health/liveness", probe{"liveness", probes.Liveness, timeout, log})
	mux.Handle("GET /health/readiness", probe{"readiness", health.And(running(s), probes.Readiness), timeout, log})
	return mux
}

// running is well until the App begins to stop.
func running(s *brunt.Setup) health.Monitor {
	return health.MonitorFunc(func(context.Context) (bool, error) {
		select {
		case <-s.Stopping():
			return false, nil
		default:
			return true, nil
		}
	})
}

// probe answers one of the questions.
type probe struct {
	name    string
	monitor health.Monitor
	timeout time.Duration
	log     *slog.Logger
}

// ServeHTTP implements http.Handler.
func (p probe) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	status, text := http.StatusOK, "ok\n"
	if !p.healthy(r.Context()) {
		status, text = http.StatusServiceUnavailable, "unavailable\n"
	}
	w.WriteHeader(status)
	_, _ = io.WriteString(w, text) // the caller is gone, if it fails
}

// healthy asks the monitor. Why it can't tell is logged, and not for whoever asks. One
// that hangs, at a lock that is never released for one, is left alone.
func (p probe) healthy(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, p.timeout)
	defer cancel()
	asked := make(chan answer, 1)
	go func() { asked <- p.ask(ctx) }()
	var a answer
	select {
	case a = <-asked:
	case <-ctx.Done():
		select {
		case a = <-asked:
		case <-time.After(moment):
			a.err = fmt.Errorf("it has not returned: %w", ctx.Err())
		}
	}
	switch {
	case a.stack != "":
		p.log.ErrorContext(ctx, "health monitor panicked", "probe", p.name, "error", a.err.Error(), "stack", a.stack)
	case a.err != nil:
		p.log.WarnContext(ctx, "health monitor failed", "probe", p.name, "error", a.err.Error())
	}
	return a.healthy && a.err == nil
}

// moment is for a Monitor that notices the end of its time as the probe does, and is
// about to say more than that.
const moment = 100 * time.Millisecond

// answer is what a Monitor said; stack is that of its panic.
type answer struct {
	healthy bool
	err     error
	stack   string
}

// ask has the monitor's answer, whatever the monitor does.
func (p probe) ask(ctx context.Context) (a answer) {
	defer func() {
		if v := recover(); v != nil {
			a = answer{err: fmt.Errorf("%v", v), stack: string(debug.Stack())}
		}
	}()
	a.healthy, a.err = p.monitor.Healthy(ctx)
	return a
}
