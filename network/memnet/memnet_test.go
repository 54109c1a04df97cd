package memnet

import (
	"net"
	"testing"

	"go.uber.org/goleak"
	"golang.org/x/net/nettest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The suite that the Go project holds any net.Conn to.
func TestConn_nettest(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name string
		in   Settings
	}{
		{"default", DefaultSettings()},
		{"small", Settings{Buffer: 100, Backlog: 1}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			nettest.TestConn(t, func() (c1, c2 net.Conn, stop func(), err error) {
				client, server := connect(t, row.in)
				return client, server, func() { client.Close(); server.Close() }, nil
			})
		})
	}
}

// connect returns the two ends of a connection over a network of its own.
func connect(t testing.TB, s Settings) (client, server *Conn) {
	t.Helper()
	n, err := NewWith(s)
	if err != nil {
		t.Fatal(err)
	}
	l := listen(t, n, "server:80")
	defer l.Close()
	return dial(t, n, "server:80"), accept(t, l)
}

func listen(t testing.TB, n *Network, address string) net.Listener {
	t.Helper()
	l, err := n.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func dial(t testing.TB, n *Network, address string) *Conn {
	t.Helper()
	c, err := n.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	return c.(*Conn)
}

func accept(t testing.TB, l net.Listener) *Conn {
	t.Helper()
	c, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	return c.(*Conn)
}
