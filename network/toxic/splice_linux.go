package toxic

import (
	"errors"
	"io"
	"net"
	"syscall"
	"time"
	"unsafe"
)

// canSplice says that splice works here.
const canSplice = true

// splice waits until src has bytes and lets the kernel move those to dst. While
// it waits it holds no pipe and no buffer: that is what an idle connection does
// most of the time. A read deadline of src ends the wait; bytes are moved whole
// or not at all. readErr is io.EOF at the end of the stream.
func splice(dst, src *net.TCPConn) (n int64, readErr, writeErr error) {
	there, err := awaitBytes(src)
	if err != nil {
		return 0, err, nil
	}
	n, err = dst.ReadFrom(&io.LimitedReader{R: src, N: there})
	if isTimeout(err) { // the deadline of src: dst has none
		return n, err, nil
	}
	return n, nil, err
}

// awaitBytes waits until c has bytes and returns how many, or io.EOF.
func awaitBytes(c *net.TCPConn) (int64, error) {
	raw, err := c.SyscallConn()
	if err != nil {
		return 0, err
	}
	var n int64
	var end error
	err = raw.Read(func(fd uintptr) bool {
		if n, end = queued(fd, syscall.TIOCINQ); n > 0 || end != nil {
			return true
		}
		end = peek(fd)
		return !errors.Is(end, syscall.EAGAIN)
	})
	if err != nil {
		return 0, err
	}
	if n == 0 && end == nil { // bytes came in between
		n = 1
	}
	return n, end
}

// peek returns nil if there are bytes, io.EOF at the end, EAGAIN before.
func peek(fd uintptr) error {
	var b [1]byte
	for {
		n, _, errno := syscall.Syscall6(syscall.SYS_RECVFROM, fd, uintptr(unsafe.Pointer(&b[0])), 1,
			syscall.MSG_PEEK|syscall.MSG_DONTWAIT, 0, 0)
		switch {
		case errno == syscall.EINTR:
		case errno != 0:
			return errno
		case n == 0:
			return io.EOF
		default:
			return nil
		}
	}
}

// queued asks the kernel how many bytes wait in a socket.
func queued(fd, request uintptr) (int64, error) {
	var n int32
	if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, fd, request, uintptr(unsafe.Pointer(&n))); errno != 0 {
		return 0, errno
	}
	return int64(n), nil
}

// awaitSent waits until the peer's kernel has all that was written to c, at most
// so long.
func awaitSent(c net.Conn, most time.Duration) {
	tcp, ok := c.(*net.TCPConn)
	if !ok {
		return
	}
	raw, err := tcp.SyscallConn()
	if err != nil {
		return
	}
	for begin := time.Now(); time.Since(begin) < most; time.Sleep(time.Millisecond) {
		left := int64(0)
		err := raw.Control(func(fd uintptr) { left, _ = queued(fd, syscall.TIOCOUTQ) })
		if err != nil || left == 0 {
			return
		}
	}
}
