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

// newAnswer returns w as an answer, with the powers that w has: handlers ask for them by
// type. The combinations are those that net/http and its recorder have. It is one
// allocation, whichever it is.
func newAnswer(w http.ResponseWriter) (http.ResponseWriter, *answer) {
	_, flushes := w.(http.Flusher)
	_, hijacks := w.(http.Hijacker)
	_, reads := w.(io.ReaderFrom)
	_, pushes := w.(http.Pusher)
	switch {
	case flushes && hijacks && reads:
		a := &http1{flushing{answer{ResponseWriter: w}}}
		return a, &a.answer
	case flushes && pushes:
		a := &http2{flushing{answer{ResponseWriter: w}}}
		return a, &a.answer
	case flushes:
		a := &flushing{answer{ResponseWriter: w}}
		return a, &a.answer
	default:
		a := &answer{ResponseWriter: w}
		return a, a
	}
}

type flushing struct{ answer }

// FlushError implements what http.ResponseController looks for.
func (f *flushing) FlushError() error {
	f.begun.Store(true)
	return http.NewResponseController(f.ResponseWriter).Flush()
}

// Flush implements http.Flusher.
func (f *flushing) Flush() { _ = f.FlushError() } // as in net/http, nobody is told

type http1 struct{ flushing }

// Hijack implements http.Hijacker.
func (h *http1) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	h.begun.Store(true)
	h.extended.Store(true) // its deadlines are the handler's now
	return h.ResponseWriter.(http.Hijacker).Hijack()
}

// ReadFrom implements io.ReaderFrom.
func (h *http1) ReadFrom(r io.Reader) (int64, error) {
	h.begun.Store(true)
	return h.ResponseWriter.(io.ReaderFrom).ReadFrom(r)
}

type http2 struct{ flushing }

// Push implements http.Pusher.
func (h *http2) Push(target string, opts *http.PushOptions) error {
	return h.ResponseWriter.(http.Pusher).Push(target, opts)
}
