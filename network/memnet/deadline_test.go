package memnet

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// A timer that is too late to be stopped must not end the deadline that came
// after it: its call waits for the lock while the deadline is moved.
func TestDeadline_lateTimer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var d deadline
		cond := sync.NewCond(&mu)
		passed := func() bool {
			synctest.Wait()
			mu.Lock()
			defer mu.Unlock()
			return d.passed
		}
		mu.Lock()
		d.set(time.Now().Add(time.Second), cond)
		time.Sleep(time.Second)
		d.set(time.Now().Add(time.Second), cond)
		mu.Unlock()
		if passed() {
			t.Error("the old timer ended the new deadline")
		}
		time.Sleep(time.Second)
		if !passed() {
			t.Error("the new deadline did not pass")
		}
	})
}

// Moving a deadline, as a server does for each request, uses one timer.
func TestDeadline_reusesItsTimer(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var d deadline
	cond := sync.NewCond(&mu)
	mu.Lock()
	defer mu.Unlock()
	d.set(time.Now().Add(time.Hour), cond)
	timer := d.timer
	d.set(time.Time{}, cond)
	d.set(time.Now().Add(2*time.Hour), cond)
	if d.timer != timer || !d.armed {
		t.Errorf("timer is new: %t, armed: %t, want the old one, armed", d.timer != timer, d.armed)
	}
	d.stop()
}
