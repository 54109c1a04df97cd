package brunttest_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/brunttest"
)

// idle is a Service that does nothing until it is stopped.
type idle struct{ stopped chan struct{} }

// Serve implements brunt.Service.
func (s idle) Serve(context.Context) error { <-s.stopped; return nil }

// Shutdown implements brunt.Service.
func (s idle) Shutdown(context.Context) error { close(s.stopped); return nil }

func newIdle(context.Context, *brunt.Setup) ([]brunt.Service, error) {
	return []brunt.Service{idle{make(chan struct{})}}, nil
}

// An App is a process: it has an environment and arguments, is signalled, and ends with
// a status.
func TestStart(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := brunttest.NewHost(t)
		init := func(ctx context.Context, s *brunt.Setup) ([]brunt.Service, error) {
			fmt.Fprintln(s.Process.Stdout, "starting", s.Process.Args, s.Process.Environment)
			fmt.Fprintln(s.Process.Stderr, "no worry")
			return newServer(s.Process.Environment["ADDRESS"], nil, func(w http.ResponseWriter, _ *http.Request) {
				fmt.Fprint(w, "hello")
			})(ctx, s)
		}
		p, status := brunttest.Start(t, init,
			brunttest.WithApp(brunt.WithHost(h.Host())),
			brunttest.WithEnv(map[string]string{"ADDRESS": "shop:80"}),
			brunttest.WithEnv(map[string]string{"ADDRESS": "orders:80"}),
			brunttest.WithArgs("-v", "x"),
		)
		<-h.Listening("orders:80")
		if got := get(t, h.HTTPClient(), "http://orders:80/"); got != "hello" {
			t.Errorf("it answers %q", got)
		}
		select {
		case s := <-status:
			t.Fatalf("it has ended: %v", s)
		default:
		}
		p.Signal(os.Interrupt)
		if s := <-status; s.Code() != brunt.ExitSuccess {
			t.Errorf("it ended with %v", s)
		}
		if want := "starting [-v x] map[ADDRESS:orders:80]\n"; !strings.HasPrefix(p.Stdout(), want) {
			t.Errorf("stdout is %q, want %q first", p.Stdout(), want)
		}
		if got := p.Stderr(); !strings.HasPrefix(got, "no worry\n") {
			t.Errorf("stderr is %q", got)
		}
	})
}

// The process knows nothing of the test's own environment.
func TestStart_environment(t *testing.T) {
	t.Setenv("BRUNT_SHUTDOWN_GRACE_PERIOD", "nonsense")
	_, status := brunttest.Start(t, func(_ context.Context, s *brunt.Setup) ([]brunt.Service, error) {
		if len(s.Process.Environment) > 0 {
			return nil, fmt.Errorf("it has %v", s.Process.Environment)
		}
		return nil, nil
	}, nil)
	if s := <-status; s.Code() != brunt.ExitSuccess {
		t.Error(s)
	}
}

// A start that fails has a status too, and so has one that a second signal ends.
func TestStart_status(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		_, status := brunttest.Start(t, func(context.Context, *brunt.Setup) ([]brunt.Service, error) {
			return nil, errors.New("no database")
		})
		if s := <-status; s.Code() != brunt.ExitFailure || !strings.Contains(s.Err().Error(), "no database") {
			t.Errorf("a failed start: %v", s)
		}
		release := make(chan struct{})
		defer close(release)
		p, status := brunttest.Start(t, func(context.Context, *brunt.Setup) ([]brunt.Service, error) {
			<-release
			return nil, nil
		})
		p.Signal(os.Interrupt)
		p.Signal(syscall.SIGTERM)
		p.Signal(syscall.SIGTERM) // one too many
		if s := <-status; s.Code() != 143 {
			t.Errorf("after a second signal: %v", s)
		}
		if s := p.Wait(); s.Code() != 143 {
			t.Errorf("asked again: %v", s)
		}
	})
}

// An App that was ended at once has left things running, as a process that is killed
// does.
func TestStart_killed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w, release, begun := &witness{TB: t}, make(chan struct{}), make(chan struct{})
		defer close(release)
		p, _ := brunttest.Start(w, func(context.Context, *brunt.Setup) ([]brunt.Service, error) {
			leaked(begun, release)
			return nil, nil
		})
		<-begun
		p.Signal(os.Interrupt)
		p.Signal(os.Interrupt)
		if s := p.Wait(); s.Code() != 130 {
			t.Errorf("it ended with %v", s)
		}
		w.end()
		if got := w.said(); got != "" {
			t.Errorf("the test failed with %q", got)
		}
	})
}

// An App that still runs at the end is stopped.
func TestStart_stillRunning(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := &witness{TB: t}
		_, status := brunttest.Start(w, newIdle)
		w.end()
		if s := <-status; s.Code() != brunt.ExitSuccess || w.said() != "" {
			t.Errorf("it ended with %v, and the test with %q", s, w.said())
		}
	})
}

// One that does not stop in good order fails the test.
func TestStart_stopsBadly(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := &witness{TB: t}
		brunttest.Start(w, func(ctx context.Context, s *brunt.Setup) ([]brunt.Service, error) {
			s.OnStop(func(context.Context) error { return errors.New("the disk is full") })
			return newIdle(ctx, s)
		})
		synctest.Wait()
		w.end()
		if got := w.said(); !strings.HasPrefix(got, "brunttest: the App was stopped when the test ended: exit status 1") || !strings.Contains(got, "the disk is full") {
			t.Errorf("the test failed with %q", got)
		}
	})
}

// A goroutine that outlives its App fails the test with its stack, in a bubble and
// outside, whatever other tests do meanwhile.
func TestStart_leak(t *testing.T) {
	t.Parallel()
	leak := func(t *testing.T) {
		w, release, begun := &witness{TB: t}, make(chan struct{}), make(chan struct{})
		defer close(release)
		p, _ := brunttest.Start(w, func(ctx context.Context, s *brunt.Setup) ([]brunt.Service, error) {
			go func() { go leaked(begun, release) }()
			return newIdle(ctx, s)
		})
		<-begun
		p.Stop()
		w.end()
		if got := w.said(); !strings.HasPrefix(got, "brunttest: the App has ended, these goroutines of it have not:") || !strings.Contains(got, "brunttest_test.leaked") {
			t.Errorf("the test failed with %q", got)
		}
	}
	t.Run("outside", func(t *testing.T) { t.Parallel(); leak(t) })
	t.Run("bubble", func(t *testing.T) { t.Parallel(); synctest.Test(t, leak) })
	t.Run("none", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			w := &witness{TB: t}
			p, _ := brunttest.Start(w, func(ctx context.Context, s *brunt.Setup) ([]brunt.Service, error) {
				go func() { time.Sleep(100 * time.Millisecond) }()
				return newIdle(ctx, s)
			})
			p.Stop()
			w.end()
			if got := w.said(); got != "" {
				t.Errorf("the test failed with %q", got)
			}
		})
	})
}

func leaked(begun, until chan struct{}) {
	close(begun)
	<-until
}
