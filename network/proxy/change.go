package proxy

import (
	"errors"
	"fmt"
	"net"
)

// Change is what to change about a Proxy. What is empty stays.
type Change struct {
	// Listen is the address to listen on, Upstream the one to carry connections
	// to.
	Listen, Upstream string
	// Enabled starts or stops the proxy.
	Enabled *bool
}

// Change changes where the proxy listens, where it carries connections to, and
// whether it does. Every connection is closed if an address is another than
// before. On an error nothing has changed, and the proxy goes on where it was.
func (p *Proxy) Change(c Change) error {
	p.change.Lock()
	defer p.change.Unlock()
	if p.closed {
		return ErrClosed
	}
	p.mu.Lock()
	address, enabled, wanted := p.address, p.enabled, p.enabled
	listen, upstream := c.Listen, c.Upstream
	if listen == "" || listen == p.given {
		listen = address
	}
	if upstream == "" {
		upstream = p.upstream
	}
	sameUpstream := upstream == p.upstream
	p.mu.Unlock()
	if c.Enabled != nil {
		wanted = *c.Enabled
	}
	stays, err := p.same(listen, address)
	switch {
	case err != nil:
		return err
	case !stays:
		return p.move(listen, upstream, wanted)
	case enabled && !wanted:
		p.stop()
	case !enabled && wanted:
		if err := p.start(upstream); err != nil {
			return err
		}
	case enabled && !sameUpstream:
		p.redirect(upstream)
		return nil
	}
	if !sameUpstream {
		p.mu.Lock()
		p.upstream = upstream
		p.mu.Unlock()
	}
	return nil
}

// redirect ends every connection and carries new ones elsewhere. It is called
// with change held, on a started proxy.
func (p *Proxy) redirect(upstream string) {
	p.mu.Lock()
	p.upstream = upstream
	p.mu.Unlock()
	p.renew(ErrMoved)
	p.tell(Event{Type: Moved})
}

// move listens on another address. It is called with change held.
func (p *Proxy) move(listen, upstream string, wanted bool) error {
	var l net.Listener
	if wanted && !p.refuses() {
		var err error
		if l, err = p.reopen(listen); err != nil {
			return err
		}
	}
	p.stop()
	p.mu.Lock()
	p.given, p.address, p.upstream = listen, listen, upstream
	p.mu.Unlock()
	p.tell(Event{Type: Moved})
	if wanted {
		p.begin(l)
	}
	return nil
}

// reopen listens on another address while the proxy may still listen on its own.
// Where the two overlap it has to let go of its own first, and takes it back if
// the new one can't be had.
func (p *Proxy) reopen(listen string) (net.Listener, error) {
	l, err := p.open(listen)
	p.mu.Lock()
	old, listening := p.address, p.front != nil
	p.mu.Unlock()
	if err == nil || !listening || !overlaps(listen, old) {
		return l, err
	}
	p.conceal()
	if l, err = p.open(listen); err == nil {
		return l, nil
	}
	if back, backErr := p.open(old); backErr == nil {
		p.expose(back)
	} else { // someone took it in that moment
		p.stop()
		err = fmt.Errorf("%w; and %s, which it listened on, is gone: %w", err, old, backErr)
	}
	return nil, err
}

// same reports whether two addresses to listen on mean the same. Port 0 is always
// another one. The error says what is wrong with the first.
func (p *Proxy) same(a, b string) (bool, error) {
	if a == b || p.elsewhere {
		return a == b, nil
	}
	first, err := net.ResolveTCPAddr("tcp", a)
	if err != nil {
		return false, err
	}
	second, err := net.ResolveTCPAddr("tcp", b)
	if err != nil { // as it was given, to a proxy that never listened
		return false, nil //nolint:nilerr // the first one is fine
	}
	return first.Port != 0 && first.Port == second.Port && host(first).Equal(host(second)) && first.Zone == second.Zone, nil
}

// host is an address's host, the unspecified one if it has none.
func host(a *net.TCPAddr) net.IP {
	if a.IP == nil {
		return net.IPv6unspecified
	}
	return a.IP
}

// overlaps reports whether two addresses have the same port.
func overlaps(a, b string) bool {
	_, first, err := net.SplitHostPort(a)
	_, second, err2 := net.SplitHostPort(b)
	return errors.Join(err, err2) == nil && first == second
}
