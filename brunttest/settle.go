package brunttest

import "time"

// settle waits until done reports true, for up to a second. In a bubble each sleep ends
// when nothing else can go on, so it takes no time there and misses nobody.
func settle(done func() bool) {
	for pause := time.Millisecond; pause < time.Second && !done(); pause *= 2 {
		time.Sleep(pause)
	}
}
