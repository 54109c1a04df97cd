package experiment

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Defaults and bounds of services.
const (
	DefaultReadyTimeout = 10 * time.Second
	// readyEvery is how often a service is asked whether it is ready.
	readyEvery = 20 * time.Millisecond
	// stopGrace is how long a service may take to stop when asked.
	stopGrace = 5 * time.Second
)

// running is a service that was started.
type running struct {
	Service
	addr   string
	group  int           // of the processes it is, 0 for a handler
	stop   func()        // ends it and everything it started
	ended  chan struct{} // closed when it ended
	result string        // how it ended; set before ended is closed
	failed bool          // it never became ready
	output *tail
}

// start starts s, which will listen at addr.
func (r *runner) start(s Service, addr string) (*running, error) {
	run := &running{Service: s, addr: addr, ended: make(chan struct{}), output: &tail{}}
	var err error
	if s.Handler != nil {
		err = r.serve(run)
	} else {
		err = r.exec(run)
	}
	if err != nil {
		return run, err
	}
	return run, nil
}

// serve runs a handler in this process.
func (r *runner) serve(run *running) error {
	l, err := r.network.Listen("tcp", run.addr)
	if err != nil {
		return err
	}
	server := &http.Server{Handler: run.Handler(r.names), ReadHeaderTimeout: time.Minute}
	go func() {
		defer close(run.ended)
		if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			run.result = err.Error()
		}
	}()
	run.stop = func() {
		// Handlers may still be at work for callers that gave up.
		ctx, cancel := context.WithTimeout(context.Background(), stopGrace)
		defer cancel()
		if server.Shutdown(ctx) != nil {
			r.log.Warn("a service did not finish its requests and is closed", slog.String("service", run.Name), slog.Duration("grace", stopGrace))
			server.Close()
		}
		<-run.ended
	}
	return nil
}

// exec starts a command in a process group of its own.
func (r *runner) exec(run *running) error {
	var args []string
	for _, word := range append(append([]string(nil), run.Exec...), run.Args...) {
		arg, err := expand(word, r.names)
		if err != nil {
			return err
		}
		args = append(args, arg)
	}
	cmd := exec.Command(args[0], args[1:]...) //nolint:noctx // it ends with its group
	if args[0] == "brunt" && r.executable != "" {
		// The name stays, whatever file the program is in.
		cmd.Path, cmd.Err = r.executable, nil
	}
	cmd.Dir = run.Dir
	_, port, _ := net.SplitHostPort(run.addr)
	cmd.Env = append(append([]string(nil), r.environ...), "LISTEN_ADDR="+run.addr, "PORT="+port)
	for name, value := range run.Env {
		v, err := expand(value, r.names)
		if err != nil {
			return err
		}
		cmd.Env = append(cmd.Env, name+"="+v)
	}
	cmd.Stdout, cmd.Stderr = run.output, run.output
	// What a killed service started may still hold its output open.
	cmd.WaitDelay = time.Second
	g, err := newGroup()
	if err != nil {
		return err
	}
	g.join(cmd)
	run.group = g.id()
	if err := cmd.Start(); err != nil {
		g.kill()
		return run.startError(cmd.Path, err)
	}
	r.log.Debug("service started", slog.String("service", run.Name), slog.Int("pid", cmd.Process.Pid), slog.String("command", filepath.Base(args[0])+" "+strings.Join(args[1:], " ")))
	go func() {
		defer close(run.ended)
		_ = cmd.Wait() // ProcessState says the same in full
		run.result = cmd.ProcessState.String()
	}()
	run.stop = func() {
		if err := g.stop(); err != nil {
			r.log.Warn("cannot ask a service to stop", slog.String("service", run.Name), slog.Any("error", err))
		}
		select {
		case <-run.ended:
		case <-time.After(stopGrace):
			r.log.Warn("a service did not stop when asked and is killed", slog.String("service", run.Name), slog.Duration("grace", stopGrace))
		}
		g.kill()
		<-run.ended
	}
	return nil
}

// await returns when the service is ready.
func (r *runner) await(ctx context.Context, run *running) error {
	limit := run.ReadyTimeout
	if limit == 0 {
		limit = DefaultReadyTimeout
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	url, err := expand(run.Ready, r.names)
	if err != nil {
		return fmt.Errorf("services.%s.ready: %w", run.Name, err)
	}
	client := newClient(Load{}, r.network.DialContext)
	defer client.CloseIdleConnections()
	var why error
	for {
		err := r.probe(ctx, client, run.addr, url)
		if err == nil {
			return nil
		}
		if why == nil || ctx.Err() == nil { // a probe the limit cut off says less than the one before
			why = err
		}
		select {
		case <-run.ended:
			return fmt.Errorf("it ended before it was ready (%s)", run.result)
		case <-ctx.Done():
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				return fmt.Errorf("it was not ready within %v: %w: %s", limit, why, run.unreadyHint(why))
			}
			return context.Cause(ctx)
		case <-time.After(readyEvery):
		}
	}
}

// probe asks once whether a service can be used.
func (r *runner) probe(ctx context.Context, client *http.Client, addr, url string) error {
	if url == "" {
		conn, err := r.network.DialContext(ctx, "tcp", addr)
		if err == nil {
			conn.Close()
		}
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	resp.Body.Close()
	if resp.StatusCode/100 != 2 {
		return fmt.Errorf("%s answered %s", url, resp.Status)
	}
	return nil
}
