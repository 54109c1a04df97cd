package toxic

import (
	"os"
	"syscall"
	"time"
	"unsafe"
)

// clock goes off at a time, as precisely as the kernel can: it is a timerfd.
type clock struct {
	file *os.File
	raw  syscall.RawConn
	fd   uintptr
}

const clockMonotonic = 1

// openClock returns nil if the kernel has no clock for us.
func openClock() *clock {
	fd, _, errno := syscall.Syscall(syscall.SYS_TIMERFD_CREATE, clockMonotonic, syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
	if errno != 0 {
		return nil
	}
	f := os.NewFile(fd, "timerfd")
	raw, err := f.SyscallConn()
	if err != nil {
		f.Close()
		return nil
	}
	return &clock{file: f, raw: raw, fd: fd}
}

// set makes the clock go off after d, and not when it was to.
func (c *clock) set(d time.Duration) {
	var spec struct{ interval, value syscall.Timespec }
	spec.value = syscall.NsecToTimespec(int64(max(d, 1))) // 0 would stop it
	_, _, _ = syscall.RawSyscall6(syscall.SYS_TIMERFD_SETTIME, c.fd, 0, uintptr(unsafe.Pointer(&spec)), 0, 0, 0)
}

// run calls f, and again each time the clock has gone off, until close. f must set
// the clock anew: that it went off before the first call is not noticed.
func (c *clock) run(f func()) {
	_ = c.raw.Read(func(uintptr) bool {
		f()
		return false // the poller reports the next time of itself: nothing needs to be read
	})
}

func (c *clock) close() { c.file.Close() }
