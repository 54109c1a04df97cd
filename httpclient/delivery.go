package httpclient

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"sync/atomic"
)

// delivery is a request that net/http is to send once. By itself it sends some again, each
// time on the next idle connection, when one that was used before breaks before the answer:
// attempts that no point, budget or breaker would know of.
//
// It is the request's context as well, by which its transport finds it.
type delivery struct {
	context.Context
	req   http.Request
	trace httptrace.ClientTrace
	conn  net.Conn // that it was given last
	begun int64    // bytes that had been written to conn before
}

type deliveryKey struct{}

// sentAgain reports whether req is one that net/http would send again.
func sentAgain(req *http.Request) bool {
	switch req.Method {
	case "", http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodTrace:
		return true
	}
	return len(req.Header["Idempotency-Key"])+len(req.Header["X-Idempotency-Key"]) > 0
}

// newDelivery returns the delivery of req.
func newDelivery(req *http.Request) *delivery {
	d := &delivery{Context: req.Context()}
	d.trace.GotConn = d.got
	d.req = *req.WithContext(httptrace.WithClientTrace(d, &d.trace))
	return d
}

// Value implements context.Context.
func (d *delivery) Value(key any) any {
	if key == (deliveryKey{}) {
		return d
	}
	return d.Context.Value(key)
}

// got is called when the request has a connection.
func (d *delivery) got(info httptrace.GotConnInfo) {
	d.conn = info.Conn
	if w := wireOf(d.conn); w != nil {
		d.begun = w.written.Load()
	}
}

// once stands where a transport asks which proxy to send a request through, which it does
// before each time it sends it. Nothing written is not sent, and what HTTP/2 sends again
// was not taken.
func once(req *http.Request) (*url.URL, error) {
	d, ok := req.Context().Value(deliveryKey{}).(*delivery)
	if !ok || d.conn == nil || speaksHTTP2(d.conn) {
		return nil, nil //nolint:nilnil // there is no proxy
	}
	w := wireOf(d.conn)
	if w == nil || w.written.Load() == d.begun {
		return nil, nil //nolint:nilnil // as above
	}
	// The error is that of a connection that is new.
	if err := w.failed.Load(); err != nil {
		return nil, *err
	}
	return nil, io.EOF // TLS said goodbye
}

func speaksHTTP2(c net.Conn) bool {
	t, ok := c.(*tls.Conn)
	return ok && t.ConnectionState().NegotiatedProtocol == "h2"
}

// wire is a connection that knows how much was sent, and how reading it ended.
type wire struct {
	net.Conn
	written atomic.Int64
	failed  atomic.Pointer[error]
}

// wireOf is the wire below c, if there is one.
func wireOf(c net.Conn) *wire {
	if t, ok := c.(*tls.Conn); ok {
		c = t.NetConn()
	}
	w, _ := c.(*wire)
	return w
}

// Read implements net.Conn.
func (w *wire) Read(b []byte) (int, error) {
	n, err := w.Conn.Read(b)
	if err != nil {
		failed := err // which moves to the heap, as err must not with each read
		w.failed.Store(&failed)
	}
	return n, err
}

// Write implements net.Conn.
func (w *wire) Write(b []byte) (int, error) {
	n, err := w.Conn.Write(b)
	w.written.Add(int64(n))
	return n, err
}

// ReadFrom lets the kernel send files, where the connection can.
func (w *wire) ReadFrom(r io.Reader) (int64, error) {
	n, err := io.Copy(w.Conn, r)
	w.written.Add(n)
	return n, err
}
