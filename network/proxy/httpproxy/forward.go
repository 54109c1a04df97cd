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
	"sync"
)

// newForwarder returns the reverse proxy underneath: it changes nothing of a
// request but where it goes.
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
		Transport: faultTransport{p},
		ModifyResponse: func(r *http.Response) error {
			if r.ContentLength < 0 {
				// The header says so too; ours is the flushing, see stream.go.
				r.ContentLength = flushedByUs
			}
			return nil
		},
		BufferPool:   &bufferPool{},
		ErrorHandler: p.handleError,
		ErrorLog:     slog.NewLogLogger(p.log.Handler(), slog.LevelDebug),
	}
}

// newTransport returns the client side. It speaks to the upstream as the caller
// speaks to the proxy: HTTP/2 stays HTTP/2.
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

// faultTransport is where faults happen: between the proxy's two sides.
type faultTransport struct{ proxy *Proxy }

func (t faultTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	base := t.proxy.http1
	if r.ProtoMajor == 2 {
		base = t.proxy.http2
	}
	v, _ := r.Context().Value(visitKey{}).(*visit)
	if v == nil {
		return base.RoundTrip(r)
	}
	return v.answer(r, func() (*http.Response, error) { return base.RoundTrip(r) })
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

type (
	visitKey struct{}
	connKey  struct{}
)

// bufferPool lends the buffers that bodies are copied through.
type bufferPool struct{ pool sync.Pool }

const copyBuffer = 32 << 10

func (b *bufferPool) Get() []byte {
	if buf, ok := b.pool.Get().(*[]byte); ok {
		return *buf
	}
	return make([]byte, copyBuffer)
}

func (b *bufferPool) Put(buf []byte) { b.pool.Put(&buf) }
