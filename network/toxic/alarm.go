package toxic

import (
	"net"
	"time"
)

// alarm runs a function at a time. Both calls say whether they came before the
// function was started for the time set last: it will then not be for that.
type alarm interface {
	// set sets the time; now is before it.
	set(now, at time.Time) bool
	stop() bool
}

// timerAlarm is the alarm of the time package. It has the time of a
// testing/synctest bubble, and the precision of Go's timers, which wait in whole
// milliseconds while nothing else is to do.
type timerAlarm struct{ timer *time.Timer }

func (a timerAlarm) set(now, at time.Time) bool { return a.timer.Reset(at.Sub(now)) }

func (a timerAlarm) stop() bool { return a.timer.Stop() }

// startAlarm sets a new alarm for a direction. One between sockets lives in real
// time and gets a precise one, if there are such here.
func (d *direction) startAlarm(now, at time.Time) alarm {
	if _, ok := d.src().(*net.TCPConn); ok {
		if _, ok := d.dst().(*net.TCPConn); ok {
			if w := d.link.set.waker(); w != nil {
				a := w.alarm(d.tickNow)
				a.set(now, at)
				return a
			}
		}
	}
	return timerAlarm{time.AfterFunc(at.Sub(now), d.tick)}
}

// wakeup is what a direction waits with: few have anything to wait for.
type wakeup struct {
	alarm alarm     // nil until it was first set
	at    time.Time // when it goes off, zero if it does not
}

// wentOff is called when the alarm has, unless it was set anew meanwhile.
func (w *wakeup) wentOff(now time.Time) {
	if !w.at.After(now) {
		w.at = time.Time{}
	}
}

// arm sets the alarm. Each call it will make, or has not ended yet, is one of
// link.work.
func (d *direction) arm(now, next time.Time) {
	if d.stopped || !d.started {
		next = time.Time{}
	}
	if d.alarm == nil {
		if next.IsZero() {
			return
		}
		d.alarm = new(wakeup)
	}
	w := d.alarm
	if next.Equal(w.at) {
		return
	}
	w.at = next
	switch {
	case next.IsZero():
		if w.alarm.stop() {
			d.link.work.Done()
		}
	case w.alarm == nil:
		d.link.work.Add(1)
		w.alarm = d.startAlarm(now, next)
	case !w.alarm.set(now, next):
		d.link.work.Add(1)
	}
}
