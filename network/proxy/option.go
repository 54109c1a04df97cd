package proxy

import (
	"context"
	"log/slog"
	"net"
)

// ListenFunc opens a listener, as net.ListenConfig.Listen does.
type ListenFunc func(ctx context.Context, network, address string) (net.Listener, error)

// DialFunc opens a connection, as net.Dialer.DialContext does. It must return
// when ctx is done.
type DialFunc func(ctx context.Context, network, address string) (net.Conn, error)

// Option gives a Proxy a collaborator. Of several of a kind the last one wins.
type Option interface{ apply(*Proxy) }

type optionFunc func(*Proxy)

func (f optionFunc) apply(p *Proxy) { f(p) }

// WithListener makes a proxy listen by f, in memory for example. Default: TCP
// sockets.
func WithListener(f ListenFunc) Option {
	return optionFunc(func(p *Proxy) { p.listen, p.elsewhere = f, true })
}

// WithDialer makes a proxy dial its upstream by f. Default: TCP sockets.
func WithDialer(f DialFunc) Option { return optionFunc(func(p *Proxy) { p.dial = f }) }

// WithLogger makes a proxy log to l. Default: nothing is logged.
func WithLogger(l *slog.Logger) Option { return optionFunc(func(p *Proxy) { p.log = l }) }

// WithEventFunc calls f for what happens to a proxy. f must return at once and
// must not call the proxy; it may be called concurrently. Default: nothing is
// called.
func WithEventFunc(f func(Event)) Option { return optionFunc(func(p *Proxy) { p.onEvent = f }) }
