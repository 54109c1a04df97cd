package retry

import (
	"time"

	"github.com/cenkalti/backoff/v5"
)

// newBackoff returns the waits of one call. The library draws from an interval around
// a middle, so full jitter, which is from 0 to a longest, has half of that for a middle
// and all of it for a spread. It has no longest time altogether: MaxAttempts and the
// call's context are what ends a call.
func newBackoff(s Settings) *backoff.ExponentialBackOff {
	middle := 1 - s.Jitter/2
	b := &backoff.ExponentialBackOff{
		InitialInterval:     time.Duration(float64(s.BackoffBase) * middle),
		RandomizationFactor: s.Jitter / 2 / middle,
		Multiplier:          2,
		MaxInterval:         time.Duration(float64(s.BackoffMax) * middle),
	}
	b.Reset()
	return b
}
