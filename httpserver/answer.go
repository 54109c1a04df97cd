package httpserver

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

// answer is a ResponseWriter that knows what became of the answer.
type answer struct {
	http.ResponseWriter
	begun    atomic.Bool // something of it is on its way
	extended atomic.Bool // the handler set a deadline of its own
	cut      bool        // it must not pass for a whole one
}

// answerOf is the answer inside of w.
func answerOf(w http.ResponseWriter) *answer {
	for {
		switch inner := w.(type) {
		case interface{ itself() *answer }:
			return inner.itself()
		case interface{ Unwrap() http.ResponseWriter }:
			w = inner.Unwrap()
		default:
			return &answer{ResponseWriter: w}
		}
	}
}

func (a *answer) itself() *answer { return a }

// WriteHeader implements http.ResponseWriter.
func (a *answer) WriteHeader(status int) {
	if status >= http.StatusOK || status == http.StatusSwitchingProtocols {
		a.begun.Store(true)
	}
	a.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (a *answer) Write(b []byte) (int, error) {
	a.begun.Store(true)
	return a.ResponseWriter.Write(b)
}

// SetWriteDeadline implements what http.ResponseController looks for.
func (a *answer) SetWriteDeadline(t time.Time) error {
	a.extended.Store(true)
	return http.NewResponseController(a.ResponseWriter).SetWriteDeadline(t)
}

// Unwrap implements what http.ResponseController looks for.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// wrapped is a with the powers of the ResponseWriter inside: handlers ask for them by
// type. The combinations are those that net/http and its recorder have.
func (a *answer) wrapped() http.ResponseWriter {
	if _, ok := a.ResponseWriter.(http.Flusher); !ok {
		return a
	}
	f := flushing{a}
	if h, ok := a.ResponseWriter.(http.Hijacker); ok {
		if r, ok := a.ResponseWriter.(io.ReaderFrom); ok {
			return &http1{f, h, r}
		}
	}
	if p, ok := a.ResponseWriter.(http.Pusher); ok {
		return &http2{f, p}
	}
	return f
}

type flushing struct{ *answer }

// FlushError implements what http.ResponseController looks for.
func (f flushing) FlushError() error {
	f.begun.Store(true)
	return http.NewResponseController(f.ResponseWriter).Flush()
}

// Flush implements http.Flusher.
func (f flushing) Flush() { _ = f.FlushError() } // as in net/http, nobody is told

type http1 struct {
	flushing
	hijacker http.Hijacker
	from     io.ReaderFrom
}

// Hijack implements http.Hijacker.
func (h *http1) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	h.begun.Store(true)
	h.extended.Store(true) // its deadlines are the handler's now
	return h.hijacker.Hijack()
}

// ReadFrom implements io.ReaderFrom.
func (h *http1) ReadFrom(r io.Reader) (int64, error) {
	h.begun.Store(true)
	return h.from.ReadFrom(r)
}

type http2 struct {
	flushing
	http.Pusher
}
