package main

import (
	"fmt"
	"os"
	"runtime"
	"time"
)

// usage is what a process has used so far.
type usage struct {
	// CPU is how long it has kept processors busy.
	CPU time.Duration `json:"cpu_ns"`
	// Mallocs is how many objects it has allocated.
	Mallocs uint64 `json:"mallocs"`
	// Resident is how much memory it holds, in bytes, or 0 where that is not
	// known.
	Resident int64 `json:"resident"`
}

// usageNow returns the usage of this process.
func usageNow() (usage, error) {
	cpu, err := processorTime()
	if err != nil {
		return usage{}, err
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return usage{CPU: cpu, Mallocs: m.Mallocs, Resident: resident()}, nil
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
