//go:build unix

package control

import (
	"fmt"
	"os"
	"strconv"
	"syscall"
)

// limitFiles gives the process as few files as it is told to have.
func limitFiles() {
	n, err := strconv.ParseUint(os.Getenv("BRUNT_TEST_FILES"), 10, 64)
	if err != nil {
		return
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: n, Max: n}); err != nil {
		fmt.Fprintln(os.Stdout, "failed:", err)
		os.Exit(1)
	}
}
