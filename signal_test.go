package brunt_test

import (
	"context"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/brunt-go/brunt"
)

// A second signal ends the App at once, whatever it is doing: D14.
func TestStop_secondSignal(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name          string
		first, second os.Signal
		code          int
	}{
		{"interrupt", os.Interrupt, os.Interrupt, 130},
		{"terminate", syscall.SIGTERM, syscall.SIGTERM, 143},
		{"mixed", os.Interrupt, syscall.SIGTERM, 143},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(t *testing.T) {
				r := newRig()
				hangs := newService(r, "hangs")
				hangs.serve = func(context.Context, <-chan struct{}) error { time.Sleep(time.Hour); return nil }
				r.after(time.Second, row.first)
				r.after(3*time.Second, row.second)
				began := time.Now()
				status := r.serving(t, hangs)
				took(t, began, 3*time.Second)
				if status.Code() != row.code {
					t.Errorf("Run() = %v, want exit status %d", status, row.code)
				}
				if got := r.stderr.String(); !strings.Contains(got, "ended at once by a second signal: "+row.second.String()) {
					t.Errorf("Stderr is %q", got)
				}
				time.Sleep(2 * time.Hour)
			})
		})
	}
}

// A failing Service has stopped the App already; the first signal then is no second.
func TestStop_signalWhileStopping(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		r := newRig(brunt.WithDrain(10 * time.Second))
		r.after(5*time.Second, syscall.SIGTERM)
		fails := newService(r, "fails")
		fails.serve = func(context.Context, <-chan struct{}) error { return errBroken }
		began := time.Now()
		status := r.serving(t, newService(r, "serves"), fails)
		took(t, began, 10*time.Second)
		if status.Code() != 1 || r.diary.count("flush") != 1 {
			t.Errorf("Run() = %v, %q", status, r.diary.all())
		}
	})
}
