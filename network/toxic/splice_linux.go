package toxic

import (
	"io"
	"net"
	"os"
	"syscall"
	"time"
	"unsafe"
)

// relay is what a direction between two TCP sockets has besides. It waits with
// nothing in hand: a buffer or a pipe is taken when there are bytes and given up
// when there are none. Few bytes are copied, which costs less than asking the
// kernel to move them; many are moved by the kernel, through a pipe.
//
// Its calls go through the functions it made at the start, not through closures:
// a call then leaves no garbage, and uses little stack, which is most of what an
// idle connection costs.
type relay struct {
	d       *direction
	in, out syscall.RawConn
	// onReadable and onWritable are the methods receive and send.
	onReadable, onWritable func(fd uintptr) bool

	data    []byte          // what receive received
	whole   *[readSize]byte // the buffer it is in
	pipe    *pipe           // nil while nothing is moved by the kernel
	err     error
	watch   *watch // nil until it was first needed
	limit   int32  // how much receive may put into data
	many    bool   // the next bytes are likely to be many
	watches bool   // watch was started
}

const (
	// bulk is how much read at once promises that as much will follow.
	bulk = 4 << 10
	// pipeSize is what the kernel is asked to move at once.
	pipeSize     = 1 << 20
	setPipeSize  = 1031 // F_SETPIPE_SZ
	spliceMove   = 1
	spliceNoWait = 2
)

// newRelay returns nil if src and dst are no TCP sockets.
func newRelay(d *direction, src, dst net.Conn) *relay {
	from, ok := src.(*net.TCPConn)
	to, too := dst.(*net.TCPConn)
	if !ok || !too {
		return nil
	}
	in, err := from.SyscallConn()
	if err != nil {
		return nil
	}
	out, err := to.SyscallConn()
	if err != nil {
		return nil
	}
	s := &relay{d: d, in: in, out: out}
	s.onReadable, s.onWritable = s.receive, s.send
	return s
}

// read waits for bytes and takes them, at most limit, or more of them into the
// pipe if direct allows that they are not seen. io.EOF is the end of the stream.
func (s *relay) read(limit int, direct bool) (int, error) {
	s.limit, s.err = int32(limit), nil //nolint:gosec // at most readSize
	s.many = s.many && direct
	if !s.many {
		s.dropPipe()
	}
	if err := s.in.Read(s.onReadable); err != nil {
		s.rest()
		return 0, err
	}
	if s.pipe != nil {
		return s.pipe.size, s.err
	}
	return len(s.data), s.err
}

func (s *relay) receive(fd uintptr) bool {
	if s.many && s.pipe == nil {
		s.pipe = s.d.link.set.pipe()
	}
	var n int
	var errno syscall.Errno
	if s.pipe != nil {
		n, errno = move(fd, s.pipe.w, pipeSize)
		s.pipe.size = n
	} else {
		if s.whole == nil {
			s.whole = (*[readSize]byte)(s.d.link.set.buffer())
		}
		n, errno = transfer(syscall.SYS_READ, fd, s.whole[:s.limit])
		s.data = s.whole[:n]
	}
	switch {
	case errno == syscall.EAGAIN:
		s.rest()
		return false
	case errno != 0:
		s.err = errno
		s.rest()
	case n == 0:
		s.err = io.EOF
		s.rest()
	}
	return true
}

// rest gives up what is of use only while bytes flow.
func (s *relay) rest() {
	s.dropPipe()
	if s.whole != nil {
		s.d.link.set.recycle(s.whole[:])
		s.whole, s.data = nil, nil
	}
}

func (s *relay) dropPipe() {
	if s.pipe != nil {
		s.d.link.set.recyclePipe(s.pipe)
		s.pipe = nil
	}
}

// take returns what read received, or the next part of it, in a buffer that is the
// caller's. When there is nothing left it returns nothing.
func (s *relay) take() []byte {
	if s.pipe != nil && s.pipe.size > 0 {
		s.whole = (*[readSize]byte)(s.d.link.set.buffer())
		n, _ := transfer(syscall.SYS_READ, s.pipe.r, s.whole[:min(readSize, s.pipe.size)]) // it is there: nothing fails
		s.pipe.size -= n
		s.data = s.whole[:n]
	}
	data := s.data
	s.whole, s.data = nil, nil
	return data
}

// pass writes what read received, and waits until it is.
func (s *relay) pass() (n int, err error) {
	if s.pipe != nil {
		n = s.pipe.size
	} else {
		n = len(s.data)
	}
	s.many = n >= bulk
	s.err = nil
	if err = s.out.Write(s.onWritable); err == nil {
		err = s.err
	}
	if s.watches {
		s.stopWatch()
	}
	if s.pipe != nil {
		n -= s.pipe.size
	} else {
		n -= len(s.data)
	}
	return n, err
}

func (s *relay) send(fd uintptr) bool {
	for {
		var n int
		var errno syscall.Errno
		switch {
		case s.pipe != nil && s.pipe.size > 0:
			n, errno = move(s.pipe.r, fd, s.pipe.size)
			s.pipe.size -= n
		case s.pipe == nil && len(s.data) > 0:
			n, errno = transfer(syscall.SYS_WRITE, fd, s.data)
			s.data = s.data[n:]
		default:
			return true
		}
		if errno != 0 {
			if errno == syscall.EAGAIN {
				if !s.watches {
					s.startWatch()
				}
				return false
			}
			s.err = errno
			return true
		}
	}
}

// transfer reads into b, or writes it, without waiting.
func transfer(call, fd uintptr, b []byte) (int, syscall.Errno) {
	for {
		n, _, errno := syscall.Syscall(call, fd, uintptr(unsafe.Pointer(&b[0])), uintptr(len(b)))
		switch errno {
		case 0:
			return int(n), 0
		case syscall.EINTR:
		default:
			return 0, errno
		}
	}
}

// move makes the kernel move bytes, one end being a pipe, without waiting.
func move(from, to uintptr, most int) (int, syscall.Errno) {
	for {
		n, _, errno := syscall.Syscall6(syscall.SYS_SPLICE, from, 0, to, 0, uintptr(most), spliceMove|spliceNoWait)
		switch errno {
		case 0:
			return int(n), 0
		case syscall.EINTR:
		default:
			return 0, errno
		}
	}
}

// queued asks the kernel how many bytes wait in a socket.
func queued(fd, request uintptr) (int64, error) {
	var n int32
	if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, fd, request, uintptr(unsafe.Pointer(&n))); errno != 0 {
		return 0, os.NewSyscallError("ioctl", errno)
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
