package proxy

import (
	"context"
	"net"
	"net/netip"
	"time"
)

// reach dials the upstream, for so long at most as DialTimeout says.
func (p *Proxy) reach(ctx context.Context) (net.Conn, error) {
	upstream := p.Upstream()
	if p.dial == nil {
		if _, err := netip.ParseAddrPort(upstream); err == nil {
			// Nothing is looked up, and the socket's own deadline is all there is to wait for.
			return p.tcp.DialContext(until{ctx, time.Now().Add(p.settings.DialTimeout)}, "tcp", upstream)
		}
	}
	ctx, cancel := context.WithTimeout(ctx, p.settings.DialTimeout)
	defer cancel()
	if p.dial == nil {
		return p.tcp.DialContext(ctx, "tcp", upstream)
	}
	return p.dial(ctx, "tcp", upstream)
}

// until is a context with a deadline for those who keep it themselves: it has no timer
// and is not done by it. It is a tenth of what a new connection costs that this saves.
type until struct {
	context.Context
	deadline time.Time
}

// Deadline implements context.Context.
func (u until) Deadline() (time.Time, bool) { return u.deadline, true }
