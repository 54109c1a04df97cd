package toxic

import (
	"runtime"
	"syscall"
)

// pipe holds bytes on their way from one socket to another.
type pipe struct {
	r, w uintptr
	size int // how many it holds
}

// pipe returns an empty pipe, or nil if there are no file descriptors for one.
func (s *Set) pipe() *pipe {
	if p, ok := s.pipes.Get().(*pipe); ok {
		return p
	}
	var fds [2]int
	if syscall.Pipe2(fds[:], syscall.O_CLOEXEC|syscall.O_NONBLOCK) != nil {
		return nil
	}
	_, _, _ = syscall.Syscall(syscall.SYS_FCNTL, uintptr(fds[1]), setPipeSize, pipeSize) // it works with less
	p := &pipe{r: uintptr(fds[0]), w: uintptr(fds[1])}
	runtime.AddCleanup(p, closePipe, fds)
	return p
}

func closePipe(fds [2]int) {
	_ = syscall.Close(fds[0])
	_ = syscall.Close(fds[1])
}

// recyclePipe takes back a pipe. One with bytes in it is left to the garbage
// collector.
func (s *Set) recyclePipe(p *pipe) {
	if p.size == 0 {
		s.pipes.Put(p)
	}
}
