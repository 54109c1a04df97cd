package memnet

import (
	"sync"
	"time"
)

// deadline ends waits at a time that may be moved while they last. It is
// guarded by the lock of the condition that it wakes.
type deadline struct {
	passed bool
	// timer fires only while armed. A timer that was stopped in time, or has
	// done its work, is used again; one stopped too late is left behind, and
	// its call finds that it is not the deadline's any more.
	timer *time.Timer
	armed bool
}

// set moves the deadline to t; the zero time means none. Waiters are woken when
// it passes, or at once if it has passed already. The caller holds cond.L.
func (d *deadline) set(t time.Time, cond *sync.Cond) {
	d.stop()
	d.passed = false
	if t.IsZero() {
		return
	}
	left := time.Until(t)
	if left <= 0 {
		d.passed = true
		cond.Broadcast()
		return
	}
	d.armed = true
	if d.timer != nil {
		d.timer.Reset(left)
		return
	}
	var timer *time.Timer
	timer = time.AfterFunc(left, func() {
		cond.L.Lock()
		defer cond.L.Unlock()
		if d.timer == timer && d.armed {
			d.armed = false
			d.passed = true
			cond.Broadcast()
		}
	})
	d.timer = timer
}

// stop sees to it that no timer is left running. The caller holds the lock.
func (d *deadline) stop() {
	if d.armed && !d.timer.Stop() {
		d.timer = nil
	}
	d.armed = false
}
