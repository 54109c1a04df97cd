//go:build !linux

package toxic

import (
	"net"
	"time"
)

// canSplice says that splice does not work here.
const canSplice = false

func splice(_, _ *net.TCPConn) (n int64, readErr, writeErr error) {
	return 0, nil, net.ErrClosed
}

// awaitSent waits until what was written to c is likely to be with the peer.
func awaitSent(c net.Conn, _ time.Duration) {
	if _, ok := c.(*net.TCPConn); ok {
		time.Sleep(10 * time.Millisecond)
	}
}
