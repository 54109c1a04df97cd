package brunt_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/fault"
	"github.com/brunt-go/brunt/telemetry"
)

// lookupError has a reason, and none in a nil pointer of it.
type lookupError struct{ reason error }

func (e *lookupError) Error() string { return "lookup: " + e.reason.Error() }
func (e *lookupError) Unwrap() error { return e.reason }

// noError is the mistake everyone makes once: a nil pointer that is an error.
func noError() error {
	var e *lookupError
	return e
}

// An error that can't be asked, wherever it comes from, is told once as what it is, and
// the App ends in good order all the same (R57).
func TestRun_errorThatPanics(t *testing.T) {
	t.Parallel()
	const text = "panic: runtime error: invalid memory address or nil pointer dereference"
	rows := []struct {
		at   string
		want string // the one ERROR record
	}{
		{"telemetry", ""}, // there are no logs
		{"faults", "failure injection: " + text},
		{"init", "init: " + text},
		{"serve", "service 1 of 1 (a): " + text},
		{"shutdown", "service 1 of 1 (a): shutdown: " + text},
		{"release", "OnStop function of error_test.go:"},
		{"flush", ""}, // lost telemetry is no failure
	}
	for _, row := range rows {
		t.Run(row.at, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(t *testing.T) {
				r := newRig()
				at := func(step string) error {
					if step == row.at {
						return noError()
					}
					return nil
				}
				r.opts = []brunt.Option{
					brunt.WithTelemetry(func(ctx context.Context, s telemetry.Surroundings) (telemetry.SDK, error) {
						sdk, _ := r.telemetry(ctx, s)
						sdk.Shutdown = func(context.Context) error { r.diary.add("flush"); return at("flush") }
						return sdk, at("telemetry")
					}),
					brunt.WithFaults(func(_ context.Context, s *brunt.Setup) (fault.Settings, error) {
						s.OnStop(func(context.Context) error { r.diary.add("released"); return at("release") })
						if err := at("faults"); err != nil {
							return fault.Settings{}, err
						}
						return faults(t.Context(), s)
					}),
				}
				a := newService(r, "a")
				a.serve = func(_ context.Context, stopped <-chan struct{}) error {
					if row.at == "shutdown" {
						r.signals <- nil
						<-stopped
					}
					return at("serve")
				}
				a.shutdown = func(context.Context) error { return at("shutdown") }
				status := r.run(t.Context(), func(context.Context, *brunt.Setup) ([]brunt.Service, error) {
					return []brunt.Service{a}, at("init")
				})

				var p *brunt.PanicError
				switch {
				case row.at == "flush":
					if status.Err() != nil || !strings.Contains(r.stderr.String(), "not flushed: "+text) {
						t.Errorf("Run() = %v, told %s", status, r.stderr.String())
					}
				case status.Code() != 1 || !errors.As(status.Err(), &p) || !strings.Contains(string(p.Stack), "lookupError"):
					t.Errorf("Run() = %v, want exit status 1 and the stack", status)
				case row.at == "telemetry":
					if !strings.Contains(r.stderr.String(), "telemetry: "+text) {
						t.Errorf("told %s", r.stderr.String())
					}
				case len(r.errors()) != 1 || !strings.HasPrefix(r.errors()[0], row.want):
					t.Errorf("ERROR records: %q, want %q", r.errors(), row.want)
				}
				if row.at != "telemetry" && (r.diary.count("released") != 1 || r.diary.count("flush") != 1) {
					t.Errorf("the App did not end in good order: %q", r.diary.all())
				}
			})
		})
	}
}
