package cli

import (
	"fmt"
	"log/slog"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/brunt-go/brunt/network/proxy/control"
)

// portRange is a range of ports with both its ends, less some. Port 0, which
// stands for a free one, is in none.
type portRange struct {
	first, last int
	without     []portRange
}

func (r portRange) has(port int) bool {
	return port > 0 && port >= r.first && port <= r.last &&
		!slices.ContainsFunc(r.without, func(w portRange) bool { return w.has(port) })
}

// ephemeralPorts are those this machine gives to connections that leave it. None
// where it does not say so in Linux's way.
func ephemeralPorts() portRange {
	const folder = "/proc/sys/net/ipv4/"
	text, err := os.ReadFile(folder + "ip_local_port_range")
	if err != nil {
		return portRange{}
	}
	reserved, _ := os.ReadFile(folder + "ip_local_reserved_ports") // without it none are
	return parsePortRange(string(text), string(reserved))
}

// parsePortRange reads "32768 60999" and "40000,50000-50010".
func parsePortRange(text, reserved string) portRange {
	var r portRange
	if _, err := fmt.Sscan(text, &r.first, &r.last); err != nil {
		return portRange{}
	}
	for word := range strings.SplitSeq(strings.TrimSpace(reserved), ",") {
		first, last, several := strings.Cut(word, "-")
		if !several {
			last = first
		}
		a, err := strconv.Atoi(first)
		b, err2 := strconv.Atoi(last)
		if err == nil && err2 == nil {
			r.without = append(r.without, portRange{first: a, last: b})
		}
	}
	return r
}

// warnOfPorts warns of proxies that listen on a port which any connection leaving
// this machine may have taken before: they start most of the time.
func warnOfPorts(specs []control.ProxySpec, ephemeral portRange, log *slog.Logger) {
	for _, s := range specs {
		_, text, err := net.SplitHostPort(s.Listen)
		if err != nil {
			continue // listening says what is wrong
		}
		if port, err := strconv.Atoi(text); err == nil && ephemeral.has(port) {
			log.Warn("the port may be taken by a connection that leaves this machine: choose one outside the range",
				"proxy", s.Name, "listen", s.Listen, "range", fmt.Sprintf("%d-%d", ephemeral.first, ephemeral.last))
		}
	}
}
