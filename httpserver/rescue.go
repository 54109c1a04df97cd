package httpserver

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"runtime/debug"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
)

// rescue is the layer that survives what happens inside: panics, and clients that send
// too much, and read badly. It is inside of otelhttp, so what it writes down belongs to the
// request's trace. The deadline of a caller that has one begins here.
type rescue struct {
	next       http.Handler
	bytes      int64  // of a body, at the most
	remaining  string // the header, in canonical form
	complaints *complaints
	stopping   <-chan struct{}
	epoch      time.Time // any; what is since then costs half of what time.Now does
}

// ServeHTTP implements http.Handler.
func (l *rescue) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.askBack(w)
	var in *source
	if r.Body != nil && r.Body != http.NoBody {
		in = &source{ReadCloser: r.Body}
		r.Body = in
	}
	began := time.Since(l.epoch)
	defer func() {
		switch v := recover(); v {
		case nil:
			l.complain(w, r, in, time.Since(l.epoch)-began)
		case http.ErrAbortHandler: // the handler wants the connection to end, and nothing said
			answerOf(w).cut = true
		default:
			l.report(r, v)
			l.apologise(w)
		}
	}()
	if r.ContentLength > l.bytes {
		l.refuse(w, r)
		return
	}
	if left, ok := remaining(r.Header[l.remaining]); ok {
		serveWithin(l.next, w, r, left)
		return
	}
	l.next.ServeHTTP(w, r)
}

// refuse answers a body that is too large by its own account.
func (l *rescue) refuse(w http.ResponseWriter, r *http.Request) {
	if n, ok := l.complaints.due(tooLarge); ok {
		l.complaints.log.WarnContext(r.Context(), "request body refused", slog.String("peer", r.RemoteAddr),
			slog.Int64("content_length", r.ContentLength), slog.Int64("max_body_bytes", l.bytes), leftOut(n))
	}
	http.Error(w, "request body too large", http.StatusRequestEntityTooLarge)
}

// apologise answers in the place of a handler that panicked.
func (l *rescue) apologise(w http.ResponseWriter) {
	out := answerOf(w)
	if out.begun.Load() {
		out.cut = true // or half an answer passes for a whole one
		return
	}
	clear(w.Header()) // it speaks of another answer
	l.askBack(w)
	http.Error(w, "internal server error", http.StatusInternalServerError)
}

// askBack has the client come back on another connection while the App drains, which is
// one to another instance. HTTP/2 makes a GOAWAY of it.
func (l *rescue) askBack(w http.ResponseWriter) {
	select {
	case <-l.stopping:
		w.Header().Set("Connection", "close")
	default:
	}
}

// report writes a panic down, in the logs and on the request's span.
func (l *rescue) report(r *http.Request, v any) {
	err, ok := v.(error)
	if !ok {
		err = fmt.Errorf("%v", v)
	}
	span := trace.SpanFromContext(r.Context())
	span.RecordError(err, trace.WithStackTrace(true))
	span.SetStatus(codes.Error, "panic")
	l.complaints.log.ErrorContext(r.Context(), "handler panicked", slog.String("error", err.Error()),
		slog.String("method", r.Method), slog.String("route", r.Pattern), slog.String("stack", string(debug.Stack())))
}

// complain writes down what the client did wrong, if it did.
func (l *rescue) complain(w http.ResponseWriter, r *http.Request, in *source, took time.Duration) {
	if err := in.failed(); err != nil {
		if n, ok := l.complaints.due(badBody); ok {
			l.complaints.log.WarnContext(r.Context(), "request body not read", slog.String("peer", r.RemoteAddr),
				slog.String("error", why(err)), slog.Int64("bytes_read", in.bytes.Load()), leftOut(n))
		}
	}
	server, ok := r.Context().Value(http.ServerContextKey).(*http.Server)
	if !ok || server.WriteTimeout <= 0 || took < server.WriteTimeout || answerOf(w).extended.Load() {
		return
	}
	if n, ok := l.complaints.due(overdue); ok {
		l.complaints.log.WarnContext(r.Context(), "answer not sent in time", slog.String("peer", r.RemoteAddr),
			slog.Duration("took", took), slog.Duration("write_timeout", server.WriteTimeout), leftOut(n))
	}
}

// why says what the error of a body means.
func why(err error) string {
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return fmt.Sprintf("larger than MaxBodyBytes, %d", large.Limit)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return "not there within ReadTimeout"
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "shorter than announced"
	default:
		return err.Error()
	}
}

// source is a request's body, and how reading it ended. A handler that is done may have
// left somebody behind who still reads, such as a proxy its transport.
type source struct {
	io.ReadCloser
	bytes atomic.Int64
	err   atomic.Pointer[error]
}

// Read implements io.Reader.
func (s *source) Read(b []byte) (int, error) {
	n, err := s.ReadCloser.Read(b)
	s.bytes.Add(int64(n))
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, http.ErrBodyReadAfterClose) {
		failed := err // which costs memory, and err itself none
		s.err.Store(&failed)
	}
	return n, err
}

// failed is what reading failed with, if it did. A nil source is no body.
func (s *source) failed() error {
	if s == nil {
		return nil
	}
	if err := s.err.Load(); err != nil {
		return *err
	}
	return nil
}
