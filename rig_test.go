package brunt_test

import (
	"bytes"
	"context"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.opentelemetry.io/otel/log"
	"go.opentelemetry.io/otel/log/logtest"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/telemetry"
)

// diary is what happened, in order. It may be used concurrently.
type diary struct {
	mu    sync.Mutex
	lines []string
}

func (d *diary) add(line string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lines = append(d.lines, line)
}

func (d *diary) all() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.lines)
}

func (d *diary) count(line string) int {
	n := 0
	for _, l := range d.all() {
		if l == line {
			n++
		}
	}
	return n
}

// output is a Stdout or Stderr.
type output struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}

// rig is an App under test and what it leaves behind.
type rig struct {
	diary   diary
	logs    *logtest.Recorder
	stderr  output
	signals chan os.Signal
	env     map[string]string
	opts    []brunt.Option
}

func newRig(opts ...brunt.Option) *rig {
	return &rig{logs: logtest.NewRecorder(), signals: make(chan os.Signal, 2), env: map[string]string{}, opts: opts}
}

// telemetry is a Builder that keeps the logs.
func (r *rig) telemetry(context.Context, telemetry.Surroundings) (telemetry.SDK, error) {
	r.diary.add("telemetry")
	t := telemetry.Noop()
	t.LoggerProvider = r.logs
	return telemetry.SDK{Telemetry: t, Shutdown: func(context.Context) error {
		r.diary.add("flush")
		return nil
	}}, nil
}

// run runs the App to its end.
func (r *rig) run(ctx context.Context, init func(context.Context, *brunt.Setup) ([]brunt.Service, error)) brunt.Status {
	app := brunt.NewApp(init, append([]brunt.Option{brunt.WithTelemetry(r.telemetry)}, r.opts...)...)
	return app.Run(ctx, brunt.Process{Environment: r.env, Stderr: &r.stderr, Signals: r.signals})
}

// serving runs an App whose Init returns services.
func (r *rig) serving(t *testing.T, services ...brunt.Service) brunt.Status {
	t.Helper()
	return r.run(t.Context(), func(context.Context, *brunt.Setup) ([]brunt.Service, error) { return services, nil })
}

// errors are the bodies of the ERROR records, in order.
func (r *rig) errors() []string { return r.records(log.SeverityError) }

// records are the bodies of the records with a severity.
func (r *rig) records(severity log.Severity) (bodies []string) {
	for _, records := range r.logs.Result() {
		for _, record := range records {
			if record.Severity == severity {
				bodies = append(bodies, record.Body.AsString())
			}
		}
	}
	return bodies
}

// attribute is the text of an attribute of the one ERROR record.
func (r *rig) attribute(key string) string {
	for _, records := range r.logs.Result() {
		for _, record := range records {
			for _, kv := range record.Attributes {
				if record.Severity == log.SeverityError && string(kv.Key) == key {
					return kv.Value.AsString()
				}
			}
		}
	}
	return ""
}

// service is a Service that does as it is told. What is nil is done as it should be.
type service struct {
	name     string
	diary    *diary
	serve    func(ctx context.Context, stopped <-chan struct{}) error
	shutdown func(ctx context.Context) error

	once    sync.Once
	stopped chan struct{}
}

func newService(r *rig, name string) *service {
	return &service{name: name, diary: &r.diary, stopped: make(chan struct{})}
}

func (s *service) String() string { return s.name }

func (s *service) Serve(ctx context.Context) error {
	s.diary.add("serve " + s.name)
	if s.serve != nil {
		return s.serve(ctx, s.stopped)
	}
	<-s.stopped
	return nil
}

func (s *service) Shutdown(ctx context.Context) error {
	s.diary.add("shutdown " + s.name)
	defer s.once.Do(func() { close(s.stopped) })
	if s.shutdown != nil {
		return s.shutdown(ctx)
	}
	return nil
}

// after sends sig when d has passed.
func (r *rig) after(d time.Duration, sig os.Signal) {
	time.AfterFunc(d, func() { r.signals <- sig })
}

// bubble runs f in fake time.
func bubble(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, f)
}

// took fails t when less or more than want has passed since began.
func took(t *testing.T, began time.Time, want time.Duration) {
	t.Helper()
	if got := time.Since(began); got != want {
		t.Errorf("took %v, want %v", got, want)
	}
}

// same fails t when got is not want.
func same(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n%s\nwant:\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// goexit ends the goroutine, as a test's FailNow does.
func goexit() { runtime.Goexit() }
