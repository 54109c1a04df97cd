package toxic

import (
	"errors"
	"syscall"
	"time"
	"unsafe"
)

// watch looks out for a reset by the peer of a socket that nobody reads because
// what was read before cannot be written. It costs a timer until the writing has
// been stuck for stuckAfter, then a goroutine, and nothing while nothing happens.
type watch struct {
	timer *time.Timer
	done  chan struct{} // gets one when the timer's function ends
}

// stuckAfter is how long writing takes before it counts as stuck.
const stuckAfter = 100 * time.Millisecond

// startWatch begins to watch. stopWatch must follow.
func (s *relay) startWatch() {
	s.watches = true
	if s.watch != nil {
		s.watch.timer.Reset(stuckAfter)
		return
	}
	done := make(chan struct{}, 1)
	s.watch = &watch{done: done, timer: time.AfterFunc(stuckAfter, func() {
		if errors.Is(s.awaitReset(), syscall.ECONNRESET) {
			s.d.arrive(nil, EndReset)
		}
		done <- struct{}{}
	})}
}

func (s *relay) stopWatch() {
	s.watches = false
	if s.watch.timer.Stop() {
		return
	}
	_ = s.d.src().SetReadDeadline(past()) // fails when closed, which ends awaitReset too
	<-s.watch.done
	_ = s.d.src().SetReadDeadline(time.Time{})
}

// awaitReset waits, reading nothing, until the peer has reset the connection; a
// read deadline and Close end it too. It is woken by bytes that come, as many as
// the socket's buffer takes.
func (s *relay) awaitReset() error {
	err := s.in.Read(broken)
	if err == nil {
		err = syscall.ECONNRESET
	}
	return err
}

const pollErr = 8 // POLLERR, which needs no asking for

// broken says that a socket has an error to report.
func broken(fd uintptr) bool {
	p := struct {
		fd              int32
		events, revents int16
	}{fd: int32(fd)}
	var now syscall.Timespec
	_, _, errno := syscall.Syscall6(syscall.SYS_PPOLL, uintptr(unsafe.Pointer(&p)), 1, uintptr(unsafe.Pointer(&now)), 0, 0, 0)
	return errno == 0 && p.revents&pollErr != 0
}
