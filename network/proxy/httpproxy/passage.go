package httpproxy

import (
	"net/http"
	"net/http/httputil"
	"sync"
)

// passage is one request on its way through the proxy.
//
// It has a reverse proxy of its own: a copy of the few words of the proxy's, with
// the passage as transport and lender of buffers. The request's context could
// lead there too, but would have to be made anew, and searched, for each request.
type passage struct {
	proxy   *Proxy
	visit   *visit // nil: nobody looks at the request
	forward httputil.ReverseProxy
	out     streamWriter
	length  int64 // of the answer's body; negative while it is not known
	buffer  *[]byte
}

var (
	_ http.RoundTripper   = (*passage)(nil)
	_ httputil.BufferPool = (*passage)(nil)
)

// serve passes the request on, or breaks it as its visit says.
func (p *passage) serve(w http.ResponseWriter, r *http.Request) {
	p.out.ResponseWriter = w
	p.forward = *p.proxy.forward
	p.forward.Transport, p.forward.BufferPool, p.forward.ModifyResponse = p, p, p.handOver
	p.forward.ServeHTTP(&p.out, r)
}

// RoundTrip implements http.RoundTripper. Faults happen here, between the
// proxy's two sides.
func (p *passage) RoundTrip(r *http.Request) (resp *http.Response, err error) {
	if p.visit == nil {
		resp, err = p.proxy.client.RoundTrip(r)
	} else {
		resp, err = p.visit.answer(r)
	}
	if err != nil {
		return nil, err
	}
	p.length = resp.ContentLength
	if resp.ContentLength < 0 {
		// The header says so too; ours is the flushing, see stream.go.
		resp.ContentLength = flushedByUs
	}
	return resp, nil
}

// handOver gives the answer's header to the caller's side as it is. The reverse
// proxy would copy it field by field, and read from the content type whether to
// flush, which is ours to say.
func (p *passage) handOver(resp *http.Response) error {
	if resp.StatusCode == http.StatusSwitchingProtocols {
		return nil // the reverse proxy goes by this header
	}
	header := p.out.Header()
	for name, values := range resp.Header {
		if p.visit != nil && p.visit.rule != nil {
			name = http.CanonicalHeaderKey(name) // a fault may have added it
		}
		if before, ok := header[name]; ok {
			values = append(before, values...)
		}
		header[name] = values
	}
	resp.Header = nil
	return nil
}

// Get implements httputil.BufferPool: it lends what the body is copied through.
func (p *passage) Get() []byte {
	p.buffer = p.proxy.buffers.of(p.length).Get().(*[]byte)
	return *p.buffer
}

// Put implements httputil.BufferPool.
func (p *passage) Put([]byte) { p.proxy.buffers.of(p.length).Put(p.buffer) }

// buffers are lent to requests. A body known to be long is copied in longer
// pieces; a stream, which may hold its buffer for hours, is not.
type buffers struct{ usual, long sync.Pool }

const (
	usualBuffer = 32 << 10
	longBuffer  = 64 << 10
)

func newBuffers() *buffers {
	of := func(size int) sync.Pool {
		return sync.Pool{New: func() any { b := make([]byte, size); return &b }}
	}
	return &buffers{usual: of(usualBuffer), long: of(longBuffer)}
}

// of is the pool for a body of a length.
func (b *buffers) of(length int64) *sync.Pool {
	if length > usualBuffer {
		return &b.long
	}
	return &b.usual
}
