package job_test

import (
	"context"
	"errors"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/baggage"
	"go.opentelemetry.io/otel/codes"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"
	"go.uber.org/goleak"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/config"
	"github.com/brunt-go/brunt/fault"
	"github.com/brunt-go/brunt/fault/jsonscenario"
	"github.com/brunt-go/brunt/fit"
	"github.com/brunt-go/brunt/job"
	"github.com/brunt-go/brunt/telemetry"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var errBroken = errors.New("broken")

// run runs an App that is one job, and returns its spans.
func run(t *testing.T, p brunt.Process, f func(context.Context, *brunt.Setup) error, opts ...brunt.Option) (brunt.Status, []sdktrace.ReadOnlySpan) {
	t.Helper()
	recorder := tracetest.NewSpanRecorder()
	build := func(context.Context, telemetry.Surroundings) (telemetry.SDK, error) {
		tel := telemetry.Noop()
		tel.TracerProvider = sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(recorder))
		return telemetry.SDK{Telemetry: tel}, nil
	}
	init := func(_ context.Context, s *brunt.Setup) ([]brunt.Service, error) {
		return []brunt.Service{job.NewService(s, func(ctx context.Context) error { return f(ctx, s) })}, nil
	}
	app := brunt.NewApp(init, append([]brunt.Option{brunt.WithTelemetry(build)}, opts...)...)
	status := app.Run(t.Context(), p)
	return status, recorder.Ended()
}

const (
	traceID = "0af7651916cd43dd8448eb211c80319c"
	spanID  = "b7ad6b7169203331"
	parent  = "00-" + traceID + "-" + spanID + "-01"
)

// R159: the run joins the trace and the baggage of the environment.
func TestJob_environment(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name   string
		env    map[string]string
		parent string // its span's, "" for the root of a new trace
		tenant string
		state  string
	}{
		{"none", nil, "", "", ""},
		{"trace", map[string]string{"TRACEPARENT": parent}, spanID, "", ""},
		{"state", map[string]string{"TRACEPARENT": parent, "TRACESTATE": "acme=1"}, spanID, "", "acme=1"},
		{"baggage", map[string]string{"BAGGAGE": "tenant=acme"}, "", "acme", ""},
		{"both", map[string]string{"TRACEPARENT": parent, "BAGGAGE": "tenant=acme"}, spanID, "acme", ""},
		{"malformed", map[string]string{"TRACEPARENT": "00-zz", "BAGGAGE": "=;="}, "", "", ""},
		{"lower_case_is_another", map[string]string{"traceparent": parent, "baggage": "tenant=acme"}, "", "", ""},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			var b baggage.Baggage
			status, spans := run(t, brunt.Process{Environment: row.env}, func(ctx context.Context, _ *brunt.Setup) error {
				b = baggage.FromContext(ctx)
				if !trace.SpanFromContext(ctx).IsRecording() {
					t.Error("the run's context has no span")
				}
				return nil
			})
			if status.Code() != 0 || len(spans) != 1 {
				t.Fatalf("Run() = %v, %d spans", status, len(spans))
			}
			span := spans[0]
			got := ""
			if span.Parent().IsValid() {
				got = span.Parent().SpanID().String()
			}
			if got != row.parent || row.parent != "" && span.SpanContext().TraceID().String() != traceID {
				t.Errorf("the parent is %q of trace %v, want %q", got, span.SpanContext().TraceID(), row.parent)
			}
			if b.Member("tenant").Value() != row.tenant || span.Parent().TraceState().String() != row.state {
				t.Errorf("baggage %q, state %q, want tenant %q, state %q", b, span.Parent().TraceState(), row.tenant, row.state)
			}
			if span.Name() != "run job" || span.Status().Code != codes.Unset {
				t.Errorf("the span is %q with status %v", span.Name(), span.Status())
			}
		})
	}
}

// R159, R160: a scenario in BAGGAGE is trusted and fails the points of the job. No
// member is stripped. R61: the Injector is the Setup's.
func TestJob_scenario(t *testing.T) {
	t.Parallel()
	const point = "kafka:orders"
	codec, err := jsonscenario.New("acme.fault")
	if err != nil {
		t.Fatal(err)
	}
	tenant, err := baggage.Parse("tenant=acme")
	if err != nil {
		t.Fatal(err)
	}
	b, err := codec.Encode(tenant, fit.Scenario{Rules: []fit.Rule{{Point: point, Fault: fit.Fault{Abort: true}}}})
	if err != nil {
		t.Fatal(err)
	}
	faults := func(context.Context, *brunt.Setup) (fault.Settings, error) {
		settings := fault.DefaultSettings()
		settings.Decoder = codec
		return settings, nil
	}
	status, spans := run(t, brunt.Process{Environment: map[string]string{"BAGGAGE": b.String()}}, func(ctx context.Context, s *brunt.Setup) error {
		if got := baggage.FromContext(ctx); got.Len() != 2 {
			t.Errorf("the run's baggage is %v, want all of it", got)
		}
		_, err := fault.Do(ctx, s.Faults, point, func(context.Context) (int, error) { return 0, nil })
		return err
	}, brunt.WithFaults(faults))

	if status.Code() != brunt.ExitFailure || !errors.Is(status.Err(), fit.ErrInjected) {
		t.Errorf("Run() = %v, want the abort", status)
	}
	var events []string
	for _, e := range spans[0].Events() {
		events = append(events, e.Name)
	}
	if !slices.Equal(events, []string{"brunt.fit.evaluation"}) {
		t.Errorf("the run's span has events %q", events)
	}
	want := attribute.String("error.type", "github.com/brunt-go/brunt/fault.InjectedError") // R84
	if !slices.Contains(spans[0].Attributes(), want) || spans[0].Status().Code != codes.Error {
		t.Errorf("the run's span has status %v and attributes %v", spans[0].Status(), spans[0].Attributes())
	}
}

// The run's error decides the exit status.
func TestJob_status(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name string
		run  func() error
		code int
	}{
		{"done", func() error { return nil }, 0},
		{"error", func() error { return errBroken }, 1},
		{"config", func() error { return &config.Error{Name: "X", Err: errBroken} }, 78},
		{"panic", func() error { panic("boom") }, 1},
		{"goexit", func() error { runtime.Goexit(); return nil }, 1},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			status, spans := run(t, brunt.Process{}, func(context.Context, *brunt.Setup) error { return row.run() })
			if status.Code() != row.code {
				t.Errorf("Run() = %v, want exit status %d", status, row.code)
			}
			if len(spans) != 1 {
				t.Fatalf("%d spans ended, want that of the run", len(spans))
			}
			if failed := spans[0].Status().Code == codes.Error; failed != (row.code != 0) {
				t.Errorf("the span has status %v", spans[0].Status())
			}
		})
	}
}

// The stack that is told of a panic is that of the function, not of what wraps it.
func TestJob_panicStack(t *testing.T) {
	t.Parallel()
	status, _ := run(t, brunt.Process{}, explode)
	var p *brunt.PanicError
	if !errors.As(status.Err(), &p) || !strings.Contains(string(p.Stack), "job_test.explode") {
		t.Errorf("Run() = %v, want a panic with the stack of explode", status)
	}
}

func explode(context.Context, *brunt.Setup) error { panic("boom") }

// Told to stop, a job has its context done. Whether its work is done it says itself.
func TestJob_stopped(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name string
		run  func(context.Context) error
		code int
	}{
		{"interrupted", func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }, 1},
		{"finished", func(ctx context.Context) error { <-ctx.Done(); time.Sleep(time.Second); return nil }, 0},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				signals := make(chan os.Signal, 1)
				time.AfterFunc(time.Minute, func() { signals <- syscall.SIGTERM })
				began := time.Now()
				status, _ := run(t, brunt.Process{Signals: signals}, func(ctx context.Context, _ *brunt.Setup) error { return row.run(ctx) })
				if status.Code() != row.code || time.Since(began) > time.Minute+time.Second {
					t.Errorf("Run() = %v after %v, want exit status %d", status, time.Since(began), row.code)
				}
			})
		})
	}
}

// Shutdown ends the run also where nothing ends Serve's context, also before Serve.
func TestJob_shutdown(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for _, early := range []bool{false, true} {
			svc := job.NewService(&brunt.Setup{}, func(ctx context.Context) error { <-ctx.Done(); return context.Cause(ctx) })
			served, stopped := make(chan error, 1), make(chan error, 1)
			stop := func() { stopped <- svc.Shutdown(context.Background()) }
			if early {
				go stop()
				synctest.Wait()
			}
			go func() { served <- svc.Serve(context.Background()) }()
			synctest.Wait()
			if !early {
				go stop()
			}
			if err := <-served; err == nil || err.Error() != "the job is shut down" {
				t.Errorf("early %v: Serve() = %v", early, err)
			}
			if err := <-stopped; err != nil {
				t.Errorf("early %v: Shutdown() = %v", early, err)
			}
		}
	})
}

func TestJob_shutdownIsBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		svc := job.NewService(&brunt.Setup{}, func(context.Context) error { time.Sleep(time.Hour); return nil })
		served := make(chan error, 1)
		go func() { served <- svc.Serve(context.Background()) }()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := svc.Shutdown(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Shutdown() = %v, want the deadline", err)
		}
		if err := <-served; err != nil {
			t.Errorf("Serve() = %v", err)
		}
	})
}

func TestNewService_nil(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	job.NewService(&brunt.Setup{}, nil)
}
