package experiment

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
	"syscall"
)

// reserve returns the address a service will listen on: its own, with a free
// port in place of port 0.
//
// A command opens its own port, so a free one is found by listening and closing
// again. It is looked for below the range the kernel hands out to outgoing
// connections, where nobody takes it in between.
//
// An address of its own must be free: whoever listens there already, a service
// that an earlier run left for instance, would be taken for the one that is started.
func (r *runner) reserve(s Service) (string, error) {
	addr := s.Listen
	if addr == "" {
		addr = "127.0.0.1:0"
	}
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return "", err
	}
	if port != "0" {
		l, err := r.network.Listen("tcp", addr)
		if errors.Is(err, syscall.EADDRINUSE) {
			return "", fmt.Errorf("somebody listens at %s already", addr)
		}
		if err == nil {
			l.Close() // any other error is about an address that is not of this machine
		}
		return addr, nil
	}
	const (
		tries    = 50
		from, to = 10_240, 32_768
	)
	// Which port is free is the machine's affair: a seed would only make two
	// runs at once try the same ones.
	for range tries {
		candidate := net.JoinHostPort(host, strconv.Itoa(from+rand.IntN(to-from))) //nolint:forbidigo // see above
		if l, err := r.network.Listen("tcp", candidate); err == nil {
			l.Close()
			return candidate, nil
		}
	}
	l, err := r.network.Listen("tcp", addr)
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}
