package control

import (
	"fmt"
	"net"
	"strconv"
	"strings"
)

// CheckUpstream reports why no connection can be carried to an address, as far as it
// shows: it is a URL, or has no port. A Server takes it all the same, as Toxiproxy
// does, and warns.
func CheckUpstream(address string) error {
	if _, rest, ok := strings.Cut(address, "://"); ok {
		host, _, _ := strings.Cut(rest, "/")
		return fmt.Errorf("upstream: %.100q is a URL; want an address such as %s", address, withPort(host, address))
	}
	if _, _, err := net.SplitHostPort(address); err != nil {
		if _, notPort := strconv.ParseUint(address, 10, 16); notPort == nil {
			return fmt.Errorf("upstream: %w; want an address such as localhost:%s", err, address)
		}
		return fmt.Errorf("upstream: %w; want an address such as %s", err, withPort(address, ""))
	}
	return nil
}

// withPort is a host as an address, with the port that a URL's scheme stands for
// unless it has one.
func withPort(host, url string) string {
	if _, _, err := net.SplitHostPort(host); err == nil {
		return host
	}
	port := "6379"
	switch scheme, _, _ := strings.Cut(url, "://"); strings.ToLower(scheme) {
	case "http":
		port = "80"
	case "https":
		port = "443"
	}
	return net.JoinHostPort(strings.Trim(host, "[]"), port)
}

// warnOfUpstream logs what CheckUpstream finds.
func (s *Server) warnOfUpstream(name, address string) {
	if err := CheckUpstream(address); err != nil {
		s.log.Warn("no connection of this proxy can reach its upstream", "proxy", name, "error", err)
	}
}
