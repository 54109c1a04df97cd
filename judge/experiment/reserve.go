package experiment

import (
	"math/rand/v2"
	"net"
	"strconv"
)

// reserve returns the address a service will listen on: its own, with a free
// port in place of port 0.
//
// A command opens its own port, so a free one is found by listening and closing
// again. It is looked for below the range the kernel hands out to outgoing
// connections, where nobody takes it in between.
func (r *runner) reserve(s Service) (string, error) {
	addr := s.Listen
	if addr == "" {
		addr = "127.0.0.1:0"
	}
	host, port, err := net.SplitHostPort(addr)
	if err != nil || port != "0" {
		return addr, err
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
