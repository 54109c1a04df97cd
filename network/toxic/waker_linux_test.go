package toxic

import (
	"errors"
	"slices"
	"testing"
	"time"
)

// Alarms ring in the order of their times, none before its own, and one that was
// stopped or moved not for the time it had.
func TestWaker(t *testing.T) {
	t.Parallel()
	w := newWaker()
	if w == nil {
		t.Fatal("there is no clock")
	}
	defer w.close()
	w.mu.Lock()
	w.lead = maxLead // so that it is awake when some are about to ring
	w.mu.Unlock()
	type ring struct {
		name string
		at   time.Time
	}
	rings := make(chan ring, 10)
	alarm := func(name string) *wait {
		return w.alarm(func() { rings <- ring{name, time.Now()} })
	}
	now := time.Now()
	at := map[string]time.Time{"a": now.Add(10*ms + 200*time.Microsecond), "b": now.Add(10 * ms), "c": now.Add(10*ms + 100*time.Microsecond)}
	for name, due := range at {
		if alarm(name).set(now, due) {
			t.Errorf("%s counts as set before it was", name)
		}
	}
	stopped, moved := alarm("stopped"), alarm("moved")
	stopped.set(now, now.Add(5*ms))
	if !stopped.stop() || stopped.stop() {
		t.Error("an alarm that waits can be stopped, once")
	}
	moved.set(now, now.Add(5*ms))
	at["moved"] = now.Add(40 * ms)
	if !moved.set(now, at["moved"]) {
		t.Error("an alarm that waits counts as not set")
	}
	var got []string
	for range at {
		r := <-rings
		got = append(got, r.name)
		if r.at.Before(at[r.name]) {
			t.Errorf("%s rang %v before its time", r.name, at[r.name].Sub(r.at))
		}
	}
	if want := []string{"b", "c", "a", "moved"}; !slices.Equal(got, want) {
		t.Errorf("rang %v, want %v", got, want)
	}
	if moved.stop() {
		t.Error("an alarm that rang can be stopped")
	}
}

// The lead follows what waking takes, within its bound.
func TestWaker_learn(t *testing.T) {
	t.Parallel()
	goes := time.Now()
	w := &waker{goes: goes}
	for range 1000 {
		w.learn(goes.Add(80 * time.Microsecond))
	}
	if w.lead < 70*time.Microsecond || w.lead > 90*time.Microsecond {
		t.Errorf("the lead is %v where waking takes 80µs", w.lead)
	}
	for range 1000 {
		w.learn(goes.Add(time.Second))
	}
	if w.lead != maxLead {
		t.Errorf("the lead is %v, want %v at most", w.lead, maxLead)
	}
	for range 1000 {
		w.learn(goes)
	}
	if w.lead != 0 {
		t.Errorf("the lead is %v where waking takes no time", w.lead)
	}
}

// The waker comes with the first toxic that waits and goes with the last link.
func TestSet_wakerEnds(t *testing.T) {
	t.Parallel()
	set := newSet(t, DefaultSettings())
	waker := func() *waker {
		set.wakerMu.Lock()
		defer set.wakerMu.Unlock()
		return set.wakes
	}
	r := connectSockets(t, set)
	if waker() != nil {
		t.Error("there is a waker without a toxic")
	}
	add(t, set, NewSpec("a", Upstream, &Latency{Latency: ms}))
	r.send(r.client, "x")
	if _, err := r.server.Read(make([]byte, 1)); err != nil {
		t.Error(err)
	}
	if waker() == nil {
		t.Error("there is no waker though a toxic waited")
	}
	if err := r.end(); err != nil && !errors.Is(err, ErrReset) {
		t.Errorf("Run = %v", err)
	}
	if waker() != nil {
		t.Error("the waker is still there after the last link")
	}
}
