package httpproxy

import (
	"context"
	"crypto/tls"
	"log/slog"
	"net"
)

// Option gives a Proxy a collaborator. Of several of a kind the last one wins.
type Option interface{ apply(*Proxy) }

type optionFunc func(*Proxy)

func (f optionFunc) apply(p *Proxy) { f(p) }

// DialFunc connects to an upstream, as net.Dialer.DialContext does.
type DialFunc func(ctx context.Context, network, address string) (net.Conn, error)

// WithDialer makes the proxy connect to its upstream by dial, for example over
// an in-memory network. Default: a net.Dialer.
func WithDialer(dial DialFunc) Option {
	return optionFunc(func(p *Proxy) {
		if dial != nil {
			p.dial = dial
		}
	})
}

// WithLogger makes the proxy log to l. Default: nothing is logged.
func WithLogger(l *slog.Logger) Option {
	return optionFunc(func(p *Proxy) {
		if l != nil {
			p.log = l
		}
	})
}

// WithUpstreamTLS sets how the proxy trusts an https upstream. It is cloned.
// Default: the system's certificate authorities.
func WithUpstreamTLS(c *tls.Config) Option {
	return optionFunc(func(p *Proxy) { p.upstreamTLS = c.Clone() })
}
