package brunttest

import (
	"net"
	"net/netip"
	"strings"
)

// testName is the name of the test's own machine in links and messages.
const testName = "test"

// address is where a program listens or dials: a machine's name, in lower case, and a
// port. The test's own machine and every way to say localhost on it have an empty name.
type address struct{ host, port string }

func (a address) String() string {
	if a.host == "" {
		return net.JoinHostPort("localhost", a.port)
	}
	return net.JoinHostPort(a.host, a.port)
}

// resolve returns what text means to a program on the machine named from.
func resolve(from, text string) (address, error) {
	host, port, err := net.SplitHostPort(text)
	if err != nil {
		return address{}, err
	}
	switch host = strings.ToLower(host); {
	case isLocal(host):
		host = from
	case host == testName:
		host = ""
	}
	return address{host, port}, nil
}

// isLocal reports whether a program that says host means its own machine.
func isLocal(host string) bool {
	if host == "" || host == "localhost" {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && (ip.IsLoopback() || ip.IsUnspecified())
}
