package experiment

import (
	"sync"
	"time"
)

// A run on a busy machine sees stalls that are not the system's: a process that
// waits for a processor misses its timeouts, and a healthy system looks broken.
// So a run measures how long it, and the services it started, were kept waiting,
// and runs an arm again in which that was too long.
const (
	// stallEvery is how often it looks.
	stallEvery = 10 * time.Millisecond
	// stallLimit is the longest stall an arm may have and count.
	stallLimit = 40 * time.Millisecond
	// stallTries is how often an arm is run when the machine keeps stalling,
	// stallPatience how much time a run spends on tries it throws away.
	stallTries    = 10
	stallPatience = 15 * time.Second
	// stallPause is the pause before the second try; each further one is as
	// much longer.
	stallPause = 100 * time.Millisecond
)

// watchStalls measures until stop is called, which returns the longest stall of
// this process and of the process groups given.
func watchStalls(groups []int) (stop func() time.Duration) {
	var (
		wg    sync.WaitGroup
		worst time.Duration
		quit  = make(chan struct{})
	)
	wg.Go(func() {
		waits := newWaits(groups)
		defer waits.close()
		ticker := time.NewTicker(stallEvery)
		defer ticker.Stop()
		last := time.Now()
		for {
			select {
			case <-ticker.C:
				// How late we are is a stall of our own, on any system.
				now := time.Now()
				worst = max(worst, now.Sub(last)-stallEvery, waits.longest())
				last = now
			case <-quit:
				worst = max(worst, waits.longest())
				return
			}
		}
	})
	return func() time.Duration {
		close(quit)
		wg.Wait()
		return worst
	}
}
