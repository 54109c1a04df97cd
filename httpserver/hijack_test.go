package httpserver_test

import (
	"io"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/brunttest"
	"github.com/brunt-go/brunt/httpserver"
)

// A handler that took its connection over is waited for, within the grace period, and
// counted if it is cut off.
func TestShutdown_hijacked(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name   string
		works  time.Duration
		took   time.Duration
		status int
		logged []string
	}{
		{"in_time", 5 * time.Second, 5 * time.Second, 0, nil},
		{"too_long", 25 * time.Second, 20 * time.Second, brunt.ExitFailure,
			[]string{"ERROR service 1 of 1 (http server on orders:9443): shutdown: requests cut off: 1: context deadline exceeded"}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				w := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
					c, _, err := http.NewResponseController(w).Hijack()
					if err != nil {
						t.Error(err)
						return
					}
					defer c.Close()
					time.Sleep(row.works)
					_, _ = io.WriteString(c, "HTTP/1.1 204 No Content\r\n\r\n")
				}), func(s *httpserver.Settings, _ *brunttest.CA) { s.TLS, s.PlainText = nil, true })
				c := w.dial(t, "")
				say("GET / HTTP/1.1\r\nHost: orders\r\n\r\n")(c)
				synctest.Wait()
				began := time.Now()
				status := w.app.Stop()
				if took := time.Since(began).Truncate(time.Second); status.Code() != row.status || took != row.took {
					t.Errorf("ended with %v after %v, want %d after %v", status, took, row.status, row.took)
				}
				if got := w.warnings(); !slices.Equal(got, row.logged) {
					t.Errorf("logged %q, want %q", got, row.logged)
				}
				if got := answer(c); got != "HTTP/1.1 204 No Content" {
					t.Errorf("answered %q", got)
				}
				c.Close()
			})
		})
	}
}
