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
	if _, ok := d.src.(*net.TCPConn); ok {
		if _, ok := d.dst.(*net.TCPConn); ok {
			if w := d.link.set.waker(); w != nil {
				a := w.alarm(d.tickNow)
				a.set(now, at)
				return a
			}
		}
	}
	return timerAlarm{time.AfterFunc(at.Sub(now), d.tick)}
}
