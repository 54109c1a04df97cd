//go:build !linux

package toxic

import (
	"net"
	"time"
)

// relay does not exist here: every connection is read and written like any
// other.
type relay struct{}

func newRelay(*direction, net.Conn, net.Conn) *relay { return nil }

func (*relay) read(int, bool) (int, error) { return 0, net.ErrClosed }

func (*relay) awaitReset() error { return net.ErrClosed }

func (*relay) rest() {}

func (*relay) take() []byte { return nil }

func (*relay) pass() (int, error) { return 0, net.ErrClosed }

// sendNow writes nothing: here whoever writes may have to wait.
func sendNow(net.Conn, []byte) int { return 0 }

// awaitSent waits until what was written to c is likely to be with the peer.
func awaitSent(c net.Conn, _ time.Duration) {
	if _, ok := c.(*net.TCPConn); ok {
		time.Sleep(10 * time.Millisecond)
	}
}
