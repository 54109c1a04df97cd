package toxic

import (
	"net"
	"syscall"
)

// sendNow writes as much as the kernel takes without waiting.
func sendNow(c net.Conn, b []byte) (n int) {
	tcp, ok := c.(*net.TCPConn)
	if !ok || len(b) == 0 {
		return 0
	}
	raw, err := tcp.SyscallConn()
	if err != nil {
		return 0
	}
	_ = raw.Write(func(fd uintptr) bool {
		n, _ = transfer(syscall.SYS_WRITE, fd, b) // whoever writes the rest will find the error again
		return true
	})
	return n
}
