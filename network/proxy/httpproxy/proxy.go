package httpproxy

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/http/httputil"
	"sync/atomic"
	"time"
)

// ErrClosed is what Serve returns after Shutdown or Close.
var ErrClosed = errors.New("httpproxy: closed")

// Proxy is a reverse proxy that breaks chosen requests. Its methods are safe
// for concurrent use. It starts closed to faults: only Arm opens it.
type Proxy struct {
	settings    Settings
	dial        DialFunc
	log         *slog.Logger
	upstreamTLS *tls.Config

	armed     atomic.Pointer[Armed]
	scenarios *scenarios // nil: it knows of none
	forward   *httputil.ReverseProxy
	client    clientSide
	buffers   *buffers
	server    *http.Server
}

var _ http.Handler = (*Proxy)(nil)

// headerTimeout bounds how long a caller may take to send a request's header.
const headerTimeout = 30 * time.Second

// New returns a Proxy that is not serving yet.
func New(s Settings, opts ...Option) (*Proxy, error) {
	if err := CheckSettings(s); err != nil {
		return nil, err
	}
	p := &Proxy{
		settings: s,
		dial:     new(net.Dialer).DialContext,
		log:      slog.New(slog.DiscardHandler),
	}
	for _, o := range opts {
		o.apply(p)
	}
	upstream, err := upstreamURL(s.Upstream)
	if err != nil {
		return nil, err
	}
	if p.scenarios != nil {
		p.scenarios.start(p, upstream)
	}
	p.client, p.buffers = newClientSide(p), newBuffers()
	p.forward = newForwarder(p, upstream)
	p.server = &http.Server{
		Handler:           p,
		Protocols:         new(http.Protocols),
		ReadHeaderTimeout: headerTimeout,
		ErrorLog:          slog.NewLogLogger(p.log.Handler(), slog.LevelDebug),
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			return context.WithValue(ctx, connKey{}, c)
		},
	}
	p.server.Protocols.SetHTTP1(true)
	p.server.Protocols.SetHTTP2(true)
	p.server.Protocols.SetUnencryptedHTTP2(true)
	return p, nil
}

// Name is the point the proxy is.
func (p *Proxy) Name() string { return p.settings.Name }

// Serve passes on what arrives at l until Shutdown or Close, and then returns ErrClosed.
// A tls.Listener whose configuration names "h2" serves HTTP/2 too.
func (p *Proxy) Serve(l net.Listener) error {
	err := p.server.Serve(l)
	if errors.Is(err, http.ErrServerClosed) {
		return ErrClosed
	}
	return err
}

// Shutdown removes every fault, closes the listeners, and returns when the
// requests under way have ended, or with ctx's error.
func (p *Proxy) Shutdown(ctx context.Context) error {
	p.disarm()
	defer p.CloseIdle()
	return p.server.Shutdown(ctx)
}

// Close removes every fault, closes the listeners and cuts the connections.
func (p *Proxy) Close() error {
	p.disarm()
	defer p.CloseIdle()
	return p.server.Close()
}

func (p *Proxy) disarm() {
	if armed := p.armed.Load(); armed != nil {
		armed.Disarm()
	}
	if p.scenarios != nil {
		p.scenarios.standing.release()
	}
}

// CloseIdle closes the connections to the upstream that no request uses.
func (p *Proxy) CloseIdle() {
	p.client.http1.CloseIdleConnections()
	p.client.http2.CloseIdleConnections()
}

// ServeHTTP passes one request on, or breaks it when a rule says so. A handler
// served by another server works too; a Reset then closes without a TCP reset.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	r, carried := p.scenarios.admit(r)
	armed := p.armed.Load()
	if armed == nil && carried != nil {
		armed = p.scenarios.standing
	}
	if armed != nil {
		armed.begin(r, carried).serve(w, r)
		return
	}
	(&passage{proxy: p}).serve(w, r)
}
