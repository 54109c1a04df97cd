//go:build !linux

package toxic

import "time"

// clock does not exist here.
type clock struct{}

func openClock() *clock { return nil }

func (*clock) set(time.Duration) {}

func (*clock) run(func()) {}

func (*clock) close() {}
