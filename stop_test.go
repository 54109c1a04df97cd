package brunt_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.opentelemetry.io/otel/baggage"
	"go.opentelemetry.io/otel/log"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/config"
	"github.com/brunt-go/brunt/telemetry"
)

// The whole of it, in order: D14.
func TestStop_order(t *testing.T) {
	t.Parallel()
	for name, sig := range map[string]os.Signal{"interrupt": os.Interrupt, "terminate": syscall.SIGTERM} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(t *testing.T) {
				r := newRig(brunt.WithDrain(3 * time.Second))
				r.after(time.Minute, sig)
				began := time.Now()
				status := r.run(t.Context(), func(_ context.Context, s *brunt.Setup) ([]brunt.Service, error) {
					for _, name := range []string{"first", "second"} {
						s.OnStop(func(context.Context) error {
							r.diary.add("release " + name)
							return nil
						})
					}
					a, b := newService(r, "a"), newService(r, "b")
					a.serve = func(ctx context.Context, stopped <-chan struct{}) error {
						<-ctx.Done() // the drain delay begins
						took(t, began, time.Minute)
						<-stopped
						took(t, began, time.Minute+3*time.Second)
						return nil
					}
					return []brunt.Service{a, b}, nil
				})
				took(t, began, time.Minute+3*time.Second)
				if status.Code() != 0 {
					t.Errorf("Run() = %v, want success", status)
				}
				got := r.diary.all()
				same(t, "the end", got[len(got)-5:], "shutdown b", "shutdown a", "release second", "release first", "flush")
				same(t, "INFO records", r.records(log.SeverityInfo), "app started", "app stopping", "app ended")
			})
		})
	}
}

// The variables override what the App says.
func TestStop_variables(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		r := newRig(brunt.WithDrain(time.Hour), brunt.WithShutdownGracePeriod(time.Hour))
		r.env["BRUNT_SHUTDOWN_GRACE_PERIOD"], r.env["BRUNT_SHUTDOWN_DRAIN_DELAY"] = "7s", "2s"
		r.after(time.Second, os.Interrupt)
		hangs := newService(r, "hangs")
		hangs.serve = func(context.Context, <-chan struct{}) error { time.Sleep(time.Minute); return nil }
		began := time.Now()
		status := r.serving(t, hangs)
		took(t, began, (1+2+7)*time.Second+100*time.Millisecond)
		if status.Code() != 1 {
			t.Errorf("Run() = %v, want exit status 1", status)
		}
		same(t, "ERROR records", r.errors(), "service 1 of 1 (hangs): still running after the grace period of 7s")
		time.Sleep(time.Hour) // until hangs is gone
	})
}

// Of an App that drains, Stopping is closed before, and what nobody serves any more
// needs no draining.
func TestStop_drain(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		r := newRig(brunt.WithDrain(10 * time.Second))
		r.after(time.Second, os.Interrupt)
		began := time.Now()
		r.run(t.Context(), func(_ context.Context, s *brunt.Setup) ([]brunt.Service, error) {
			job := newService(r, "job")
			job.serve = func(context.Context, <-chan struct{}) error {
				<-s.Stopping()
				took(t, began, time.Second)
				time.Sleep(2 * time.Second)
				return nil
			}
			return []brunt.Service{job}, nil
		})
		took(t, began, 3*time.Second)
	})
}

func TestStop_stoppingOfATestsSetup(t *testing.T) {
	t.Parallel()
	s := &brunt.Setup{} // R64
	s.OnStop(func(context.Context) error { return nil })
	select {
	case <-s.Stopping():
		t.Error("Stopping is closed")
	default:
	}
}

// Services that are done by themselves end the App, when all are.
func TestStop_allDone(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		r := newRig(brunt.WithDrain(time.Hour))
		lasting := func(name string, d time.Duration) *service {
			s := newService(r, name)
			s.serve = func(context.Context, <-chan struct{}) error { time.Sleep(d); return nil }
			return s
		}
		began := time.Now()
		status := r.serving(t, lasting("short", time.Second), lasting("long", 5*time.Second))
		took(t, began, 5*time.Second)
		if status.Code() != 0 || r.diary.count("shutdown short")+r.diary.count("shutdown long") != 0 {
			t.Errorf("Run() = %v, %v", status, r.diary.all())
		}
	})
}

// A Service that fails stops the others, and the status is a failure.
func TestStop_serviceFails(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name string
		fail func() error
		code int
		want string
	}{
		{"error", func() error { return errBroken }, 1, "service 2 of 3 (b): broken"},
		{"config", func() error { return &config.Error{Name: "X", Err: errBroken} }, 78, "service 2 of 3 (b): X: broken"},
		{"panic", func() error { panic("boom") }, 1, "service 2 of 3 (b): panic: boom"},
		{"goexit", func() error { goexit(); return nil }, 1, "service 2 of 3 (b): ended its goroutine (runtime.Goexit) instead of returning"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(t *testing.T) {
				r := newRig()
				a, b, c := newService(r, "a"), newService(r, "b"), newService(r, "c")
				b.serve = func(context.Context, <-chan struct{}) error {
					time.Sleep(time.Second)
					return row.fail()
				}
				var cause error
				a.serve = func(ctx context.Context, stopped <-chan struct{}) error {
					<-stopped
					cause = context.Cause(ctx)
					return nil
				}
				status := r.serving(t, a, b, c)
				if status.Code() != row.code {
					t.Errorf("Run() = %v, want exit status %d", status, row.code)
				}
				same(t, "ERROR records", r.errors(), row.want)
				got := r.diary.all()
				same(t, "the end", got[len(got)-3:], "shutdown c", "shutdown a", "flush")
				if cause == nil || cause.Error() != "service 2 of 3 (b) failed" {
					t.Errorf("the cause is %v", cause)
				}
			})
		})
	}
}

// A Service that another one's failure kept from being done has a report of its own, which
// does not read as if it had failed by itself.
func TestStop_consequence(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		r := newRig()
		a, b := newService(r, "a"), newService(r, "b")
		a.serve = func(ctx context.Context, _ <-chan struct{}) error {
			<-ctx.Done()
			return fmt.Errorf("warm up: %w", context.Cause(ctx))
		}
		b.serve = func(context.Context, <-chan struct{}) error { return errBroken }
		if status := r.serving(t, a, b); status.Code() != 1 {
			t.Errorf("Run() = %v, want exit status 1", status)
		}
		same(t, "ERROR records", r.errors(), "service 2 of 2 (b): broken",
			"service 1 of 2 (a): stopped before it was done: warm up: service 2 of 2 (b) failed")
	})
}

// A Service that hangs leaves the others their time, and is named.
func TestStop_hungService(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		r := newRig()
		r.after(time.Second, syscall.SIGTERM)
		began := time.Now().Add(time.Second)
		a, b, c := newService(r, "a"), newService(r, "b"), newService(r, "c")
		forever := make(chan struct{})
		c.shutdown = func(context.Context) error { <-forever; return nil }
		slow := func(s *service, d time.Duration) {
			s.shutdown = func(ctx context.Context) error {
				r.diary.add(fmt.Sprintf("%s after %v", s.name, time.Since(began)))
				time.Sleep(d)
				return ctx.Err()
			}
		}
		slow(b, 8*time.Second)
		slow(a, 4*time.Second)
		status := r.serving(t, a, b, c)
		took(t, began, 20*time.Second+100*time.Millisecond)
		if status.Code() != 1 {
			t.Errorf("Run() = %v, want exit status 1", status)
		}
		// c has a third of the 20 s, and b had half of what was left.
		if r.diary.count("b after 6.666666666s") != 1 || r.diary.count("a after 13.333333333s") != 1 {
			t.Errorf("the shutdowns began otherwise: %q", r.diary.all())
		}
		same(t, "ERROR records", r.errors(), "service 3 of 3 (c): still running after the grace period of 20s")
		close(forever)
	})
}

// A grace period may be the longest Duration there is: it does not overflow.
func TestStop_longestGracePeriod(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name string
		init func(ctx context.Context, a *service) error
	}{
		{"serving", func(_ context.Context, a *service) error {
			a.shutdown = func(context.Context) error { time.Sleep(time.Hour); return nil }
			return nil
		}},
		{"starting", func(ctx context.Context, _ *service) error {
			<-ctx.Done()
			time.Sleep(time.Hour)
			return ctx.Err()
		}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(t *testing.T) {
				r := newRig(brunt.WithShutdownGracePeriod(math.MaxInt64))
				r.after(time.Second, syscall.SIGTERM)
				began := time.Now()
				status := r.run(t.Context(), func(ctx context.Context, _ *brunt.Setup) ([]brunt.Service, error) {
					a := newService(r, "a")
					return []brunt.Service{a}, row.init(ctx, a)
				})
				took(t, began, time.Hour+time.Second)
				if status.Code() != 0 {
					t.Errorf("Run() = %v, want exit status 0", status)
				}
				time.Sleep(2 * time.Hour)
			})
		})
	}
}

// What Shutdown returns is told.
func TestStop_shutdownFails(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name     string
		shutdown func(context.Context) error
		want     string
	}{
		{"error", func(context.Context) error { return errBroken }, "service 1 of 1 (a): shutdown: broken"},
		{"panic", func(context.Context) error { panic("boom") }, "service 1 of 1 (a): shutdown: panic: boom"},
		// As net/http's does while a request is under way. It notices the end of its
		// time when we do, and is not called hung for that.
		{"deadline", func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }, "service 1 of 1 (a): shutdown: context deadline exceeded"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(t *testing.T) {
				r := newRig()
				r.after(time.Second, syscall.SIGTERM)
				a := newService(r, "a")
				a.shutdown = row.shutdown
				if status := r.serving(t, a); status.Code() != 1 {
					t.Errorf("Run() = %v, want exit status 1", status)
				}
				same(t, "ERROR records", r.errors(), row.want)
			})
		})
	}
}

// The functions of OnStop are all called, once, whatever becomes of the others.
func TestStop_onStop(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		r := newRig()
		forever := make(chan struct{})
		status := r.run(t.Context(), func(_ context.Context, s *brunt.Setup) ([]brunt.Service, error) {
			register := func(name string, f func(context.Context) error) {
				s.OnStop(func(ctx context.Context) error { r.diary.add(name); return f(ctx) })
			}
			register("last", func(ctx context.Context) error { return ctx.Err() })
			register("hangs", func(context.Context) error { <-forever; return nil })
			register("panics", func(context.Context) error { panic("boom") })
			register("fails", func(context.Context) error { return errBroken })
			register("registers", func(context.Context) error {
				register("late", func(context.Context) error { return nil })
				return nil
			})
			return nil, nil
		})
		same(t, "diary", r.diary.all(), "telemetry", "registers", "late", "fails", "panics", "hangs", "last", "flush")
		if status.Code() != 1 {
			t.Errorf("Run() = %v, want exit status 1", status)
		}
		var got []string
		for _, e := range r.errors() {
			where, what, _ := strings.Cut(e, ": ")
			file, line, _ := strings.Cut(strings.TrimPrefix(where, "OnStop function of "), ":")
			if file != "stop_test.go" || line == "" {
				t.Errorf("%q does not say where it was registered", e)
			}
			got = append(got, what)
		}
		same(t, "ERROR records", got, "broken", "panic: boom", "still running after 5s", "context deadline exceeded")
		close(forever)
	})
}

// The end of Run's context stops the App as a signal does. Its values reach the
// Services, its baggage doesn't: their contexts never carry a scenario.
func TestRun_context(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		type key struct{}
		ctx, cancel := context.WithTimeout(context.WithValue(delayed(t), key{}, "value"), time.Minute)
		defer cancel()
		r := newRig(brunt.WithFaults(faults))
		began := time.Now()
		status := r.run(ctx, func(ctx context.Context, s *brunt.Setup) ([]brunt.Service, error) {
			a := newService(r, "a")
			check := func(ctx context.Context, where string) {
				if ctx.Value(key{}) != "value" || baggage.FromContext(ctx).Len() != 0 || s.Faults.Carries(ctx) {
					t.Errorf("the context of %s has value %v and baggage %v", where, ctx.Value(key{}), baggage.FromContext(ctx))
				}
			}
			check(ctx, "Init")
			a.serve = func(ctx context.Context, stopped <-chan struct{}) error {
				check(ctx, "Serve")
				<-stopped
				if !errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
					t.Errorf("the cause is %v", context.Cause(ctx))
				}
				return nil
			}
			return []brunt.Service{a}, nil
		})
		took(t, began, time.Minute)
		if status.Code() != 0 {
			t.Errorf("Run() = %v", status)
		}
	})
}

// Told to stop while it starts, an App starts nothing more and ends well. What Init
// was given to build on lives as long as the App.
func TestStop_whileStarting(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name  string
		init  func(ctx context.Context) error
		after time.Duration
		code  int
	}{
		{"init_returns_the_context's_error", func(ctx context.Context) error {
			<-ctx.Done()
			return fmt.Errorf("ping: %w", ctx.Err())
		}, time.Second, 0},
		{"init_returns_the_cause", func(ctx context.Context) error { <-ctx.Done(); return context.Cause(ctx) }, time.Second, 0},
		{"init_succeeds_late", func(context.Context) error { time.Sleep(5 * time.Second); return nil }, 5 * time.Second, 0},
		{"init_fails_of_itself", func(context.Context) error { time.Sleep(5 * time.Second); return errBroken }, 5 * time.Second, 1},
		{"init_hangs", func(context.Context) error { time.Sleep(time.Hour); return nil }, 21*time.Second + 100*time.Millisecond, 1},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(t *testing.T) {
				r := newRig()
				r.after(time.Second, syscall.SIGTERM)
				began := time.Now()
				status := r.run(t.Context(), func(ctx context.Context, s *brunt.Setup) ([]brunt.Service, error) {
					s.OnStop(func(context.Context) error { r.diary.add("released"); return nil })
					return []brunt.Service{newService(r, "a")}, row.init(ctx)
				})
				took(t, began, row.after)
				if status.Code() != row.code || len(r.errors()) != row.code {
					t.Errorf("Run() = %v, want exit status %d; told %q", status, row.code, r.errors())
				}
				same(t, "diary", r.diary.all(), "telemetry", "released", "flush")
				time.Sleep(2 * time.Hour)
			})
		})
	}
}

func TestInit_contextLivesAsLongAsTheApp(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		r := newRig(brunt.WithDrain(time.Second))
		r.after(time.Second, os.Interrupt)
		var init context.Context
		r.run(t.Context(), func(ctx context.Context, s *brunt.Setup) ([]brunt.Service, error) {
			init = ctx
			s.OnStop(func(context.Context) error { return ctx.Err() })
			return []brunt.Service{newService(r, "a")}, nil
		})
		same(t, "ERROR records", r.errors())
		if init.Err() == nil {
			t.Error("the context of Init outlives the App")
		}
	})
}

// Telemetry that can't be flushed costs its time and no failure.
func TestStop_flush(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name  string
		flush func(context.Context) error
		after time.Duration
		want  string
	}{
		{"error", func(context.Context) error { return errBroken }, 0, "telemetry was not flushed: broken"},
		{"panic", func(context.Context) error { panic("boom") }, 0, "telemetry was not flushed: panic: boom"},
		{"slow", func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }, 5 * time.Second, "telemetry was not flushed: context deadline exceeded"},
		{"hangs", func(context.Context) error { time.Sleep(time.Hour); return nil }, 5*time.Second + 100*time.Millisecond, "telemetry was not flushed: still running after 5s"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(t *testing.T) {
				r := newRig(brunt.WithTelemetry(func(context.Context, telemetry.Surroundings) (telemetry.SDK, error) {
					return telemetry.SDK{Telemetry: telemetry.Noop(), Shutdown: row.flush}, nil
				}))
				began := time.Now()
				status := r.serving(t)
				took(t, began, row.after)
				if got := r.stderr.String(); status.Code() != 0 || !strings.Contains(got, row.want) {
					t.Errorf("Run() = %v, Stderr is %q, want %q", status, got, row.want)
				}
				time.Sleep(2 * time.Hour)
			})
		})
	}
}
