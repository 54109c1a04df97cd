package brunttest_test

import (
	"net/http"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/brunttest"
)

// A thousand whole Apps in fake time, each with a call that waits 14 s, leave no
// goroutine. What other tests of this package run meanwhile comes and goes, so the
// count is given time to fall.
func TestStart_aThousand(t *testing.T) {
	t.Parallel()
	before := runtime.NumGoroutine()
	for range 1000 {
		synctest.Test(t, func(t *testing.T) {
			h := brunttest.NewHost(t)
			brunttest.Start(t, newServer("orders:80", nil, func(http.ResponseWriter, *http.Request) {
				time.Sleep(14 * time.Second)
			}), brunttest.WithApp(brunt.WithHost(h.Host())))
			<-h.Listening("orders:80")
			begin := time.Now()
			get(t, h.HTTPClient(), "http://orders:80/")
			if took := time.Since(begin); took != 14*time.Second {
				t.Errorf("took %v, want 14s", took)
			}
		})
	}
	for range 100 {
		if runtime.NumGoroutine() <= before+100 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}
