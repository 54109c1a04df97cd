package toxic

import (
	"container/heap"
	"runtime"
	"sync"
	"time"
)

// waker runs functions at their times, precisely, on one goroutine that waits for
// the clock of the operating system in Go's own poller: no thread is kept, and
// none is woken while nothing is due. All connections of a Set share it.
//
// To be woken takes a thread a while, some 50 to 150 us where a processor sleeps.
// The clock is set that much earlier, as learned from how late it was, and the
// goroutine yields its way through what is then left. The figures are in
// docs/design/0005-a-clock-for-toxics.md.
type waker struct {
	clock *clock

	mu      sync.Mutex
	waits   waits
	goes    time.Time     // when clock goes off, zero if it does not
	lead    time.Duration // how much earlier than needed that is
	ringing bool
}

const (
	// maxLead bounds what a wake may cost in processor time.
	maxLead = 150 * time.Microsecond
	// Lead grows by leadUp when the clock was later than that, and shrinks by
	// leadDown otherwise: it settles where three of four are in time.
	leadUp   = 6 * time.Microsecond
	leadDown = 2 * time.Microsecond
)

// wait is one function's alarm.
type wait struct {
	waker *waker
	f     func()
	at    time.Time
	place int // in waits, from 1; 0 while no time is set
}

var _ alarm = (*wait)(nil)

// newWaker returns nil where there is no clock.
func newWaker() *waker {
	c := openClock()
	if c == nil {
		return nil
	}
	w := &waker{clock: c}
	go c.run(w.ring)
	return w
}

// close ends the waker. No alarm may be set.
func (w *waker) close() { w.clock.close() }

// alarm returns an alarm for f, which must not wait: it would hold up others.
func (w *waker) alarm(f func()) *wait { return &wait{waker: w, f: f} }

func (a *wait) set(_, at time.Time) bool {
	w := a.waker
	w.mu.Lock()
	defer w.mu.Unlock()
	before := a.place > 0
	a.at = at
	if before {
		heap.Fix(&w.waits, a.place-1)
	} else {
		heap.Push(&w.waits, a)
	}
	w.wind()
	return before
}

func (a *wait) stop() bool {
	w := a.waker
	w.mu.Lock()
	defer w.mu.Unlock()
	if a.place == 0 {
		return false
	}
	heap.Remove(&w.waits, a.place-1)
	return true
}

// wind sets the clock if it would go off too late.
func (w *waker) wind() {
	if w.ringing || len(w.waits) == 0 {
		return
	}
	if goes := w.waits[0].at.Add(-w.lead); w.goes.IsZero() || goes.Before(w.goes) {
		w.goes = goes
		w.clock.set(time.Until(goes))
	}
}

// ring runs what is due, and what is about to be when it is.
func (w *waker) ring() {
	w.mu.Lock()
	w.learn(time.Now())
	w.goes, w.ringing = time.Time{}, true
	for len(w.waits) > 0 {
		left := time.Until(w.waits[0].at)
		if left > w.lead {
			break
		}
		run := runtime.Gosched
		if left <= 0 {
			run = heap.Pop(&w.waits).(*wait).f
		}
		w.mu.Unlock()
		run()
		w.mu.Lock()
	}
	w.ringing = false
	w.wind()
	w.mu.Unlock()
}

// learn fits the lead to how late the clock was.
func (w *waker) learn(now time.Time) {
	if w.goes.IsZero() || now.Before(w.goes) {
		return
	}
	if now.Sub(w.goes) > w.lead {
		w.lead = min(w.lead+leadUp, maxLead)
	} else {
		w.lead = max(w.lead-leadDown, 0)
	}
}

// waits is a heap.
type waits []*wait

func (w waits) Len() int           { return len(w) }
func (w waits) Less(i, j int) bool { return w[i].at.Before(w[j].at) }
func (w waits) Swap(i, j int) {
	w[i], w[j] = w[j], w[i]
	w[i].place, w[j].place = i+1, j+1
}

// Push implements heap.Interface.
func (w *waits) Push(x any) {
	a := x.(*wait)
	*w = append(*w, a)
	a.place = len(*w)
}

// Pop implements heap.Interface.
func (w *waits) Pop() any {
	last := len(*w) - 1
	a := (*w)[last]
	(*w)[last] = nil
	*w = (*w)[:last]
	a.place = 0
	return a
}
