package brunt_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"time"

	"go.opentelemetry.io/otel/baggage"
	"go.opentelemetry.io/otel/log"
	lognoop "go.opentelemetry.io/otel/log/noop"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/config"
	"github.com/brunt-go/brunt/fault"
	"github.com/brunt-go/brunt/fault/jsonscenario"
	"github.com/brunt-go/brunt/fit"
	"github.com/brunt-go/brunt/telemetry"
)

// faults is an App.Faults as a service writes one.
func faults(ctx context.Context, s *brunt.Setup) (fault.Settings, error) {
	codec, err := jsonscenario.New("acme.fault")
	if err != nil {
		return fault.Settings{}, err
	}
	d := fault.DefaultSettings()
	return config.Struct(func(r *config.Resolver) fault.Settings {
		c := d
		c.Decoder = codec
		c.MaxDelay = config.Get(r, config.Parse(config.Env(s.Process.Environment, "FAULT_MAX_DELAY"), time.ParseDuration).
			Default(d.MaxDelay).Validate(fault.CheckMaxDelay))
		return c
	}).Read(ctx)
}

// delayed is the context of a request whose scenario delays every point by an hour.
func delayed(t *testing.T) context.Context {
	t.Helper()
	codec, err := jsonscenario.New("acme.fault")
	if err != nil {
		t.Fatal(err)
	}
	ctx, err := fit.ContextWithScenario(t.Context(), codec, fit.Scenario{Rules: []fit.Rule{
		{Point: "*", Fault: fit.Fault{Delay: time.Hour}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	return ctx
}

func TestStart_order(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		r := newRig()
		var given *brunt.Setup
		// R50, R51: once, between the two, with the Setup that Init is then given.
		r.opts = append(r.opts, brunt.WithFaults(func(ctx context.Context, s *brunt.Setup) (fault.Settings, error) {
			r.diary.add("faults")
			given = s
			return faults(ctx, s)
		}))
		r.env["FAULT_MAX_DELAY"] = "3s"
		status := r.run(t.Context(), func(_ context.Context, s *brunt.Setup) ([]brunt.Service, error) {
			r.diary.add("init")
			if s != given {
				t.Error("Init is given another Setup than Faults")
			}
			// R52, R63: the Injector is there, of the settings Faults returned.
			if got, want := s.Faults.Eval(delayed(t), "http:payments:8443").Delay, 3*time.Second; got != want {
				t.Errorf("the Injector delays by %v, want %v", got, want)
			}
			if s.Telemetry.LoggerProvider != r.logs {
				t.Error("Init is given other telemetry than was built")
			}
			done := newService(r, "job")
			done.serve = func(context.Context, <-chan struct{}) error { return nil }
			return []brunt.Service{done}, nil
		})
		if status.Code() != brunt.ExitSuccess || status.Err() != nil {
			t.Errorf("Run() = %v, want success", status)
		}
		same(t, "diary", r.diary.all(), "telemetry", "faults", "init", "serve job", "flush")
	})
}

// R49, R59, R60, R65: without the option, and with a nil one, the Injector is off. It
// evaluates nothing, and what a request carries stays in its baggage.
func TestStart_noFaults(t *testing.T) {
	t.Parallel()
	for name, opts := range map[string][]brunt.Option{
		"no_option": nil, "nil": {brunt.WithFaults(nil)}, "taken_back": {brunt.WithFaults(faults), brunt.WithFaults(nil)}, "nil_option": {nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(opts...)
			status := r.run(t.Context(), func(_ context.Context, s *brunt.Setup) ([]brunt.Service, error) {
				ctx := delayed(t)
				if f := s.Faults.Eval(ctx, "x"); f.Delay != 0 || f.Abort {
					t.Errorf("Eval = %+v, want no fault", f)
				}
				if kept, stripped := s.Faults.Strip(ctx); stripped || baggage.FromContext(kept).Member("acme.fault").Key() == "" {
					t.Error("the scenario was stripped")
				}
				return nil, nil
			})
			if status.Code() != 0 {
				t.Errorf("Run() = %v", status)
			}
		})
	}
}

// R53, R58: Faults may read through the Host, and what it registered is released,
// also when the start fails.
func TestStart_faultsUsesTheSetup(t *testing.T) {
	t.Parallel()
	for _, failing := range []bool{false, true} {
		t.Run(fmt.Sprintf("failing_%v", failing), func(t *testing.T) {
			t.Parallel()
			r := newRig(brunt.WithHost(brunt.Host{ReadFile: func(name string) ([]byte, error) {
				if name == "/etc/scenarios" {
					return []byte("acme.fault"), nil
				}
				return nil, fs.ErrNotExist
			}}))
			r.opts = append(r.opts, brunt.WithFaults(func(_ context.Context, s *brunt.Setup) (fault.Settings, error) {
				key, err := s.Host.ReadFile("/etc/scenarios")
				if err != nil {
					return fault.Settings{}, err
				}
				s.OnStop(func(context.Context) error {
					r.diary.add("released")
					return nil
				})
				settings := fault.DefaultSettings()
				if settings.Decoder, err = jsonscenario.New(string(key)); failing {
					err = errors.New("no")
				}
				return settings, err
			}))
			status := r.serving(t)
			if status.Code() != 0 != failing || r.diary.count("released") != 1 {
				t.Errorf("Run() = %v, released %d times", status, r.diary.count("released"))
			}
		})
	}
}

var errBroken = errors.New("broken")

// R54, R55: what fails in the start ends it, with 78 where a setting is the reason. It
// is told once (R57), with where, and nothing after it is called.
func TestStart_failures(t *testing.T) {
	t.Parallel()
	setting := &config.Error{Name: "PORT", Value: "x", Want: "a whole number"}
	withFaults := func(f func(context.Context, *brunt.Setup) (fault.Settings, error)) []brunt.Option {
		return []brunt.Option{brunt.WithFaults(f)}
	}
	failingFaults := func(err error) []brunt.Option {
		return withFaults(func(context.Context, *brunt.Setup) (fault.Settings, error) { return fault.Settings{}, err })
	}
	failingInit := func(err error) func(context.Context, *brunt.Setup) ([]brunt.Service, error) {
		return func(context.Context, *brunt.Setup) ([]brunt.Service, error) { return nil, err }
	}
	rows := []struct {
		name string
		env  map[string]string
		opts []brunt.Option
		init func(context.Context, *brunt.Setup) ([]brunt.Service, error)
		code int
		want string // the one ERROR record
	}{
		{"faults", nil, failingFaults(errBroken), nil, 1, "failure injection: broken"},
		{"faults_config", nil, failingFaults(fmt.Errorf("read: %w", setting)), nil, 78, `failure injection: read: PORT="x": want a whole number`},
		// R56
		{"faults_max_delay", map[string]string{"FAULT_MAX_DELAY": "0s"}, withFaults(faults), nil, 78,
			`failure injection: FAULT_MAX_DELAY="0s": must be positive`},
		{"faults_no_decoder", nil, withFaults(func(context.Context, *brunt.Setup) (fault.Settings, error) { return fault.DefaultSettings(), nil }), nil, 1,
			"failure injection: fault settings: Decoder: not set, must be set"},
		{"faults_panic", nil, withFaults(func(context.Context, *brunt.Setup) (fault.Settings, error) { panic("boom") }), nil, 1,
			"failure injection: panic: boom"},
		{"init", nil, nil, failingInit(errBroken), 1, "init: broken"},
		{"init_cancelled_by_itself", nil, nil, failingInit(context.Canceled), 1, "init: context canceled"},
		{"init_config", nil, nil, failingInit(fmt.Errorf("orders: %w", errors.Join(errBroken, setting))), 78, "init: orders: broken\nPORT=\"x\": want a whole number"},
		{"init_panic", nil, nil, func(context.Context, *brunt.Setup) ([]brunt.Service, error) { panic(setting) }, 1, `init: panic: PORT="x": want a whole number`},
		{"init_nil_service", nil, nil, func(context.Context, *brunt.Setup) ([]brunt.Service, error) { return []brunt.Service{nil}, nil }, 1,
			"init: service 1 of 1 is nil"},
		{"init_goexit", nil, nil, func(context.Context, *brunt.Setup) ([]brunt.Service, error) { goexit(); return nil, nil }, 1,
			"init: ended its goroutine (runtime.Goexit) instead of returning"},
		{"nil_pointer_service", nil, nil, func(context.Context, *brunt.Setup) ([]brunt.Service, error) {
			return []brunt.Service{(*service)(nil)}, nil
		}, 1,
			"service 1 of 1 (<nil>): panic: runtime error: invalid memory address or nil pointer dereference"},
		{"grace_period", map[string]string{"BRUNT_SHUTDOWN_GRACE_PERIOD": "0s"}, nil, nil, 78,
			`shutdown settings: BRUNT_SHUTDOWN_GRACE_PERIOD="0s": must be positive`},
		{"both_variables", map[string]string{"BRUNT_SHUTDOWN_GRACE_PERIOD": "x", "BRUNT_SHUTDOWN_DRAIN_DELAY": "-1s"}, nil, nil, 78,
			"shutdown settings: BRUNT_SHUTDOWN_GRACE_PERIOD=\"x\": want a duration such as \"250ms\" or \"1m30s\"\nBRUNT_SHUTDOWN_DRAIN_DELAY=\"-1s\": must not be negative"},
		{"fields", nil, []brunt.Option{brunt.WithShutdownGracePeriod(0), brunt.WithDrain(-1)}, nil, 1,
			"shutdown settings: ShutdownGracePeriod: 0s, must be positive\nDrain: -1ns, must not be negative"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			r := newRig(row.opts...)
			if row.env != nil {
				r.env = row.env
			}
			init := row.init
			if init == nil {
				init = func(context.Context, *brunt.Setup) ([]brunt.Service, error) {
					t.Error("Init is called")
					return nil, nil
				}
			}
			status := r.run(t.Context(), init)
			if status.Code() != row.code || status.Err() == nil {
				t.Errorf("Run() = %v, want exit status %d", status, row.code)
			}
			same(t, "ERROR records", r.errors(), row.want) // R57
			if got := r.stderr.String(); got != "" {
				t.Errorf("told on Stderr as well: %s", got)
			}
			same(t, "diary", r.diary.all(), "telemetry", "flush")
		})
	}
}

// A panic is told with the stack of where it happened.
func TestStart_panicStack(t *testing.T) {
	t.Parallel()
	r := newRig()
	status := r.run(t.Context(), explode)
	if stack := r.attribute("stack"); !strings.Contains(stack, "brunt_test.explode") {
		t.Errorf("the stack does not say where:\n%s", stack)
	}
	var p *brunt.PanicError
	if !errors.As(status.Err(), &p) || p.Value != "boom" {
		t.Errorf("Err() = %v, want the panic", status.Err())
	}
}

func explode(context.Context, *brunt.Setup) ([]brunt.Service, error) { panic("boom") }

// Without telemetry, and when that is what fails, the failure is told on Stderr.
func TestStart_toldOnStderr(t *testing.T) {
	t.Parallel()
	failing := func(context.Context, telemetry.Surroundings) (telemetry.SDK, error) {
		return telemetry.SDK{}, errBroken
	}
	rows := []struct {
		name string
		b    telemetry.Builder
		want string
	}{
		{"telemetry_fails", failing, `level=ERROR msg="telemetry: broken" where=telemetry`},
		{"no_telemetry", telemetry.NoopBuilder, `level=ERROR msg="init: panic: boom" where=init` + "\n  stack:\n"},
		{"nil_telemetry", nil, `level=ERROR msg="init: panic: boom" where=init` + "\n  stack:\n"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			r := newRig(brunt.WithTelemetry(row.b))
			if status := r.run(t.Context(), explode); status.Code() != 1 {
				t.Errorf("Run() = %v, want exit status 1", status)
			}
			if got := r.stderr.String(); strings.Count(got, "level=") != 1 || !strings.Contains(got, row.want) {
				t.Errorf("Stderr is\n%s\nwant one record with %s", got, row.want)
			}
		})
	}
}

// Logs that panic are nobody's to take, and still are no success.
func TestStart_logsPanic(t *testing.T) {
	t.Parallel()
	r := newRig(brunt.WithTelemetry(func(context.Context, telemetry.Surroundings) (telemetry.SDK, error) {
		return telemetry.SDK{Telemetry: telemetry.Telemetry{LoggerProvider: panicking{}}}, nil
	}))
	status := r.serving(t)
	if got := r.stderr.String(); status.Code() != 1 || !strings.Contains(got, `level=ERROR msg="the runtime: panic: no logs today" where="the runtime"`+"\n  stack:\n") {
		t.Errorf("Run() = %v, told %q", status, got)
	}
}

type panicking struct{ lognoop.LoggerProvider }

func (panicking) Logger(string, ...log.LoggerOption) log.Logger { panic("no logs today") }

// What telemetry is built from.
func TestStart_surroundings(t *testing.T) {
	t.Parallel()
	var got telemetry.Surroundings
	var stdout, stderr output
	env := map[string]string{"OTEL_SERVICE_NAME": "orders"}
	app := brunt.NewApp(
		func(context.Context, *brunt.Setup) ([]brunt.Service, error) { return nil, nil },
		brunt.WithTelemetry(func(ctx context.Context, s telemetry.Surroundings) (telemetry.SDK, error) {
			got = s
			return telemetry.NoopBuilder(ctx, s)
		}))
	app.Run(t.Context(), brunt.Process{Environment: env, Stdout: &stdout, Stderr: &stderr})
	if got.Environment["OTEL_SERVICE_NAME"] != "orders" || got.Stdout != &stdout || got.Stderr != &stderr || got.Dial == nil {
		t.Errorf("the builder got %+v", got)
	}
}

// Every variable that is wrong is told at once, OpenTelemetry's too.
func TestStart_allVariables(t *testing.T) {
	t.Parallel()
	r := newRig()
	env := map[string]string{"OTEL_TRACES_SAMPLER": "x", "BRUNT_SHUTDOWN_GRACE_PERIOD": "y", "BRUNT_SHUTDOWN_DRAIN_DELAY": "z"}
	status := brunt.NewApp(explode).Run(t.Context(), brunt.Process{Environment: env, Stderr: &r.stderr})
	if status.Code() != brunt.ExitConfig {
		t.Errorf("Run() = %v, want exit status 78", status)
	}
	for name := range env {
		if got := r.stderr.String(); strings.Count(got, "level=") != 1 || !strings.Contains(got, name) {
			t.Errorf("Stderr has not one record with %s:\n%s", name, got)
		}
	}
}

func TestMain_nilInit(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]func(){
		"NewApp": func() { brunt.NewApp(nil) },
		"Main":   func() { brunt.Main(nil) },
		"Run":    func() { brunt.App{}.Run(context.Background(), brunt.Process{}) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			f()
		})
	}
}
