package brunttest_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"
	"testing/synctest"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/brunttest"
)

// An App that ended badly is in the log at once if nobody told it to end, and fails the
// test at its end if nobody took its status.
func TestStart_endedBadly(t *testing.T) {
	t.Parallel()
	type process = *brunttest.Process
	const (
		log    = "brunttest: the App ended before the test stopped it: exit status 1: init: no database\nthe App wrote:\nstarting\n"
		failed = "brunttest: the App has ended, and the test did not take its status: exit status 1: init: no database"
	)
	rows := []struct {
		name string
		err  error // of Init
		take func(process, <-chan brunt.Status)
		log  string
		want string
	}{
		{"untaken", errNoDatabase, func(process, <-chan brunt.Status) {}, log, failed},
		{"received", errNoDatabase, func(_ process, status <-chan brunt.Status) { <-status }, log, ""},
		{"waited", errNoDatabase, func(p process, _ <-chan brunt.Status) { p.Wait() }, log, ""},
		{"stopped", errNoDatabase, func(p process, _ <-chan brunt.Status) { p.Stop() }, log, ""},
		{"untaken_and_well", nil, func(process, <-chan brunt.Status) {}, "", ""},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				w := &witness{TB: t}
				p, status := brunttest.Start(w, func(_ context.Context, s *brunt.Setup) ([]brunt.Service, error) {
					fmt.Fprintln(s.Process.Stdout, "starting")
					return nil, row.err
				}, brunttest.WithApp(brunt.WithTelemetry(brunttest.NewTelemetry().Builder())))
				synctest.Wait()
				if got := w.logged(); got != row.log {
					t.Errorf("logged\n%s\nwant\n%s", got, row.log)
				}
				row.take(p, status)
				w.end()
				if got := w.said(); got != row.want {
					t.Errorf("the test failed with %q, want %q", got, row.want)
				}
				if got := w.logged(); got != row.log {
					t.Errorf("at the end logged is\n%s\nwant\n%s", got, row.log)
				}
			})
		})
	}
}

var errNoDatabase = errors.New("no database")

// An App that ends badly when it is told to end is for the test to look at: no log, and a
// failure if it does not.
func TestStart_stoppedBadly(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := &witness{TB: t}
		p, _ := brunttest.Start(w, func(ctx context.Context, s *brunt.Setup) ([]brunt.Service, error) {
			s.OnStop(func(context.Context) error { return errNoDatabase })
			return newIdle(ctx, s)
		}, brunttest.WithApp(brunt.WithTelemetry(brunttest.NewTelemetry().Builder())))
		synctest.Wait()
		p.Signal(os.Interrupt)
		synctest.Wait()
		if got := w.logged(); got != "" {
			t.Errorf("logged %q", got)
		}
		w.end()
		const want = "brunttest: the App has ended, and the test did not take its status: exit status 1: "
		if got := w.said(); len(got) < len(want) || got[:len(want)] != want {
			t.Errorf("the test failed with %q, want %q", got, want)
		}
	})
}
