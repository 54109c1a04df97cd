package httpproxy

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
)

// newForwarder returns the reverse proxy underneath: it changes nothing of a
// request but where it goes. Each passage has a copy, and adds the transport.
func newForwarder(p *Proxy, upstream *url.URL) *httputil.ReverseProxy {
	return &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Scheme, r.Out.URL.Host = upstream.Scheme, upstream.Host
			r.Out.Host = r.In.Host
			r.Out.URL.RawQuery = r.In.URL.RawQuery // an odd query goes on as it is
			for _, name := range []string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto"} {
				if v, ok := r.In.Header[name]; ok {
					r.Out.Header[name] = v
				}
			}
		},
		ErrorHandler: p.handleError,
		ErrorLog:     slog.NewLogLogger(p.log.Handler(), slog.LevelDebug),
	}
}

// clientSide asks the upstream. It speaks to it as the caller speaks to the
// proxy: HTTP/2 stays HTTP/2.
type clientSide struct{ http1, http2 *http.Transport }

func newClientSide(p *Proxy) clientSide {
	return clientSide{newTransport(p, false), newTransport(p, true)}
}

// RoundTrip implements http.RoundTripper.
func (c clientSide) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.ProtoMajor == 2 {
		return c.http2.RoundTrip(r)
	}
	return c.http1.RoundTrip(r)
}

func newTransport(p *Proxy, http2 bool) *http.Transport {
	t := &http.Transport{
		DialContext:         p.dialUpstream,
		TLSClientConfig:     p.upstreamTLS.Clone(),
		DisableCompression:  true, // the caller's Accept-Encoding is its own
		MaxIdleConns:        0,
		MaxIdleConnsPerHost: 1024,
		Protocols:           new(http.Protocols),
	}
	t.Protocols.SetHTTP1(!http2)
	t.Protocols.SetHTTP2(http2)
	t.Protocols.SetUnencryptedHTTP2(http2)
	return t
}

func (p *Proxy) dialUpstream(ctx context.Context, network, address string) (net.Conn, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, p.settings.DialTimeout,
		fmt.Errorf("no connection to %s within %v", address, p.settings.DialTimeout))
	defer cancel()
	return p.dial(ctx, network, address)
}

// handleError ends an exchange whose upstream could not be asked, or that a
// fault ended without an answer.
func (p *Proxy) handleError(w http.ResponseWriter, r *http.Request, err error) {
	if errors.Is(err, ErrReset) {
		resetConn(w, r)
		panic(http.ErrAbortHandler)
	}
	if r.Context().Err() != nil {
		// The caller is gone: nobody would read an answer.
		panic(http.ErrAbortHandler)
	}
	p.log.DebugContext(r.Context(), "upstream failed", slog.String("proxy", p.settings.Name), slog.Any("error", err))
	http.Error(w, fmt.Sprintf("brunt: proxy %s: upstream %s: %v", p.settings.Name, p.settings.Upstream, err), http.StatusBadGateway)
}

// resetConn cuts the connection of r with a TCP reset. A stream of HTTP/2 is
// reset by the panic that follows: the connection has others.
func resetConn(w http.ResponseWriter, r *http.Request) {
	if r.ProtoMajor != 1 {
		return
	}
	if seen := observerOf(w); seen != nil {
		seen.cutting()
	}
	conn, _ := r.Context().Value(connKey{}).(net.Conn)
	if secured, ok := conn.(interface{ NetConn() net.Conn }); ok {
		conn = secured.NetConn() // TLS would say goodbye first
	}
	if tcp, ok := conn.(interface{ SetLinger(sec int) error }); ok {
		_ = tcp.SetLinger(0) // refused only by a connection that is closed already
		conn.Close()
	}
}

// connKey finds the connection of a request in its context.
type connKey struct{}
