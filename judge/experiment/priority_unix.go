//go:build unix

package experiment

import (
	"errors"
	"os"
	"strconv"
	"syscall"
)

// setPriority gives this process, and what it starts from now on, the priority
// nice (-20 is the highest, 19 the lowest). Only root may raise it.
func setPriority(nice int) error {
	// On Linux a priority is a thread's: each of ours gets it, and hands it on
	// to the threads and processes it makes.
	tids, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return syscall.Setpriority(syscall.PRIO_PROCESS, 0, nice)
	}
	for _, entry := range tids {
		tid, err := strconv.Atoi(entry.Name())
		if err != nil {
			return err
		}
		if err := syscall.Setpriority(syscall.PRIO_PROCESS, tid, nice); err != nil && !errors.Is(err, syscall.ESRCH) {
			return err
		}
	}
	return nil
}
