package httpproxy

import (
	"net/http"
	"strconv"
)

// flushedByUs, as an answer's ContentLength, keeps the reverse proxy from
// flushing it by a timer. Only -1 means an unknown length to it, and it writes
// the header that came.
const flushedByUs = -2

// streamWriter passes each piece of an answer on as it comes.
//
// httputil.ReverseProxy can do so too, with a timer for each answer. That costs
// more, and a timer that is due at once crashes the race detector of Go 1.26
// inside a testing/synctest bubble now and then.
type streamWriter struct {
	http.ResponseWriter
	flushHeader bool // the header must not wait for the body
}

// coalesced is the longest body, in bytes, whose header waits for it, so that
// both leave in one packet.
const coalesced = 2 << 10

func (w *streamWriter) WriteHeader(status int) {
	w.ResponseWriter.WriteHeader(status)
	if status < 200 {
		return
	}
	n, err := strconv.ParseInt(w.Header().Get("Content-Length"), 10, 64)
	if err != nil || n > coalesced || w.flushHeader {
		_ = w.flush() // a caller that is gone shows in the next write
	}
}

func (w *streamWriter) Write(p []byte) (int, error) {
	n, err := w.ResponseWriter.Write(p)
	if err == nil {
		err = w.flush()
	}
	return n, err
}

func (w *streamWriter) flush() error {
	return http.NewResponseController(w.ResponseWriter).Flush()
}

// Unwrap lets http.ResponseController reach Flush and Hijack.
func (w *streamWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
