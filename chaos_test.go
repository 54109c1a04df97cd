package brunt_test

import (
	"context"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/config"
	"github.com/brunt-go/brunt/fault"
	"github.com/brunt-go/brunt/telemetry"
)

// chaos is an App of three Services in which one thing goes wrong at one step.
type chaos struct {
	*rig
	step    string // where
	happens func(ctx context.Context) error
}

// at is called at every step of the App.
func (c *chaos) at(ctx context.Context, step string) error {
	c.diary.add(step)
	if step != c.step {
		return nil
	}
	return c.happens(ctx)
}

// release registers a function of OnStop.
func (c *chaos) release(s *brunt.Setup, step string) {
	c.diary.add("register " + step)
	s.OnStop(func(ctx context.Context) error { return c.at(ctx, step) })
}

func (c *chaos) build(ctx context.Context, s telemetry.Surroundings) (telemetry.SDK, error) {
	if err := c.at(ctx, "build telemetry"); err != nil {
		return telemetry.SDK{}, err
	}
	sdk, err := c.telemetry(ctx, s)
	sdk.Shutdown = func(ctx context.Context) error { return c.at(ctx, "flush") }
	return sdk, err
}

func (c *chaos) faults(ctx context.Context, s *brunt.Setup) (fault.Settings, error) {
	c.release(s, "release faults")
	if err := c.at(ctx, "faults"); err != nil {
		return fault.Settings{}, err
	}
	return faults(ctx, s)
}

func (c *chaos) init(ctx context.Context, s *brunt.Setup) ([]brunt.Service, error) {
	c.release(s, "release database")
	if err := c.at(ctx, "init"); err != nil {
		return nil, err
	}
	c.release(s, "release cache")
	var services []brunt.Service
	for _, name := range []string{"api", "worker", "probes"} {
		svc := newService(c.rig, name)
		svc.serve = func(ctx context.Context, stopped <-chan struct{}) error {
			if err := c.at(ctx, "serving "+name); err != nil {
				return err
			}
			<-stopped
			return c.at(ctx, "served "+name)
		}
		svc.shutdown = func(ctx context.Context) error { return c.at(ctx, "stop "+name) }
		services = append(services, svc)
	}
	return services, nil
}

// An App of three Services, killed at every step of its start and stop in every way,
// ends with the right status and has called each function of OnStop once.
func TestChaos(t *testing.T) {
	t.Parallel()
	steps := []string{
		"build telemetry", "faults", "init", "serving api", "serving worker", "serving probes",
		"stop probes", "stop worker", "stop api", "served probes", "served worker", "served api",
		"release cache", "release database", "release faults", "flush",
	}
	hour := func(context.Context) error { time.Sleep(time.Hour); return nil }
	ways := []struct {
		name    string
		happens func(c *chaos, ctx context.Context) error
		code    int
	}{
		{"error", func(*chaos, context.Context) error { return errBroken }, brunt.ExitFailure},
		{"config", func(*chaos, context.Context) error { return &config.Error{Name: "X", Err: errBroken} }, brunt.ExitConfig},
		{"panic", func(*chaos, context.Context) error { panic("boom") }, brunt.ExitFailure},
		{"goexit", func(*chaos, context.Context) error { goexit(); return nil }, brunt.ExitFailure},
		{"hang", func(c *chaos, ctx context.Context) error {
			c.signals <- syscall.SIGTERM // or the start waits for it forever, as it should
			return hour(ctx)
		}, brunt.ExitFailure},
		{"signal", func(c *chaos, _ context.Context) error { c.signals <- syscall.SIGTERM; return nil }, brunt.ExitSuccess},
		{"cancelled", func(c *chaos, ctx context.Context) error {
			c.signals <- syscall.SIGTERM
			<-ctx.Done()
			return ctx.Err()
		}, brunt.ExitFailure},
	}
	for _, step := range steps {
		for _, way := range ways {
			t.Run(strings.ReplaceAll(step, " ", "_")+"_"+way.name, func(t *testing.T) {
				t.Parallel()
				bubble(t, func(t *testing.T) {
					c := &chaos{rig: newRig(), step: step}
					c.happens = func(ctx context.Context) error { return way.happens(c, ctx) }
					// What starts well is told to stop after a minute.
					ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
					defer cancel()
					c.opts = []brunt.Option{brunt.WithTelemetry(c.build), brunt.WithFaults(c.faults)}
					status := c.run(ctx, c.init)

					want := way.code
					starting := slices.Index(steps, step) < 3
					if step == "flush" || way.name == "cancelled" && starting {
						want = brunt.ExitSuccess // lost telemetry is no failure, and being told to stop isn't either
					}
					if status.Code() != want {
						t.Errorf("Run() = %v, want exit status %d", status, want)
					}
					if told := len(c.errors()) > 0 || strings.Contains(c.stderr.String(), "level=ERROR"); told != (want != 0) {
						t.Errorf("status %d, told %q and %s", want, c.errors(), c.stderr.String())
					}
					for _, line := range c.diary.all() {
						if step, ok := strings.CutPrefix(line, "register "); ok && c.diary.count(step) != 1 {
							t.Errorf("%s was called %d times", step, c.diary.count(step))
						}
					}
					if n := c.diary.count("flush"); n != 1 && step != "build telemetry" {
						t.Errorf("the telemetry was flushed %d times", n)
					}
					time.Sleep(3 * time.Hour) // until what hung is gone
				})
			})
		}
	}
}
