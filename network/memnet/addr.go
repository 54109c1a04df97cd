package memnet

import (
	"net"
	"net/netip"
	"strconv"
	"strings"
)

// Addr is the address of a host that has a name. Where the host is an IP
// address, listeners and connections report a *net.TCPAddr instead, as programs
// that ask for its port expect.
type Addr struct {
	// Host is the name, in lower case.
	Host string
	// Port is from 1 to 65535.
	Port int
}

var _ net.Addr = Addr{}

// Network returns "tcp".
func (Addr) Network() string { return "tcp" }

// String returns "host:port".
func (a Addr) String() string { return net.JoinHostPort(a.Host, strconv.Itoa(a.Port)) }

// self is the one host that localhost and its other spellings mean.
const self = "127.0.0.1"

// parse returns the address in the one spelling that listeners are kept under.
func parse(network, address string) (Addr, error) {
	switch network {
	case "tcp", "tcp4", "tcp6":
	default:
		return Addr{}, net.UnknownNetworkError(network)
	}
	host, digits, err := net.SplitHostPort(address)
	if err != nil {
		return Addr{}, err
	}
	port, err := strconv.ParseUint(digits, 10, 16)
	if err != nil {
		return Addr{}, &net.AddrError{Err: "port is not a number from 0 to 65535", Addr: address}
	}
	return Addr{Host: canonical(host), Port: int(port)}, nil
}

func canonical(host string) string {
	host = strings.ToLower(host)
	switch host {
	case "", "localhost", self, "::1":
		return self
	}
	ip, err := netip.ParseAddr(host)
	switch {
	case err != nil:
		return host
	case ip.IsUnspecified():
		return self
	}
	return ip.Unmap().String()
}

// public returns a as programs are to see it.
func (a Addr) public() net.Addr {
	ip, err := netip.ParseAddr(a.Host)
	if err != nil {
		return a
	}
	return net.TCPAddrFromAddrPort(netip.AddrPortFrom(ip, uint16(a.Port)))
}
