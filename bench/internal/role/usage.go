package role

import (
	"fmt"
	"os"
	"runtime"
	"time"
)

// Usage is what a process has used so far.
type Usage struct {
	// CPU is how long it has kept processors busy.
	CPU time.Duration `json:"cpu_ns"`
	// Mallocs is how many objects it has allocated.
	Mallocs uint64 `json:"mallocs"`
	// Resident is how much memory it holds, in bytes, or 0 where that is not
	// known.
	Resident int64 `json:"resident"`
}

// UsageNow returns the usage of this process.
func UsageNow() (Usage, error) {
	cpu, err := processorTime()
	if err != nil {
		return Usage{}, err
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return Usage{CPU: cpu, Mallocs: m.Mallocs, Resident: resident()}, nil
}

// resident reads the resident set size as Linux counts it.
func resident() int64 {
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	var size, pages int64
	if _, err := fmt.Sscan(string(data), &size, &pages); err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}
