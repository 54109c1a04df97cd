package clienttimeout_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/brunt-go/brunt/internal/clienttimeout"
)

func TestAwait(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		set   bool          // Cancel
		at    time.Duration // when it is closed
		after time.Duration // when Await is called; the deadline is at 1s
		want  time.Duration // how long it takes
	}{
		{"none", false, 0, time.Second, 0},
		{"before the deadline", true, time.Hour, time.Second - 1, 0},
		{"closed", true, time.Second, time.Second + 1, 0},
		{"closed soon", true, time.Second + time.Millisecond, time.Second, time.Millisecond},
		{"somebody else's", true, time.Hour, time.Second, clienttimeout.Near},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, end := context.WithTimeout(t.Context(), time.Second)
				defer end()
				var cancel chan struct{}
				if c.set {
					cancel = make(chan struct{})
					defer time.AfterFunc(c.at, func() { close(cancel) }).Stop()
				}
				time.Sleep(c.after)
				begin := time.Now()
				clienttimeout.Await(ctx, cancel)
				if took := time.Since(begin); took != c.want {
					t.Errorf("waited %v, want %v", took, c.want)
				}
			})
		})
	}
}

// Who cancelled the call himself does not wait.
func TestAwait_cancelled(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, end := context.WithTimeout(t.Context(), time.Second)
		end()
		time.Sleep(2 * time.Second)
		begin := time.Now()
		if clienttimeout.Await(ctx, make(chan struct{})); time.Since(begin) != 0 {
			t.Error("it waited")
		}
	})
}
