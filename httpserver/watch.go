package httpserver

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"
)

// watch writes down what net/http does by itself: it refuses requests in silence, and
// complains about connections in words of its own.
type watch struct {
	*complaints
	settings Settings
	stopping atomic.Bool
}

// connState is the server's hook.
//
// In HTTP/1 a connection is active once the header of a request was read, or could not
// be; then the handler is reached, and it is idle. In HTTP/2 it is active and idle once
// at its beginning, and active while it has requests.
func (w *watch) connState(c net.Conn, state http.ConnState) {
	this, ok := connOf(c)
	if !ok {
		return
	}
	switch state {
	case http.StateActive:
		this.served.Store(false)
	case http.StateIdle:
		if this.state == http.StateActive && !this.served.Load() {
			if this.fresh {
				this.frames.Store(true)
			} else {
				w.refused(this)
			}
		}
		this.fresh = false
		this.reset()
	case http.StateHijacked:
		this.release() // it is the handler's now, and does not count any more
	case http.StateClosed:
		w.closed(c, this)
	default: // new
	}
	this.state = state
}

// closed finds out whether the connection ended because of what its client sent.
func (w *watch) closed(c net.Conn, this *conn) {
	secure, shaken := handshake(c)
	switch {
	case w.stopping.Load(), this.served.Load():
	case this.state == http.StateActive:
		w.refused(this)
	case this.state == http.StateNew && !secure && this.received.Load() > 0:
		w.refused(this) // too short to make it active
	case this.state == http.StateNew && this.late.Load() && (!secure || shaken):
		// A browser that opened a connection it had no use for does the same.
		w.log.DebugContext(context.Background(), "connection without a request", slog.String("peer", this.RemoteAddr().String()))
	}
}

// refused writes down that a request did not reach the handler.
func (w *watch) refused(this *conn) {
	received := this.received.Load()
	reason := "not a request, or the client left"
	switch {
	case received > int64(w.settings.MaxHeaderBytes):
		reason = fmt.Sprintf("header larger than MaxHeaderBytes, %d", w.settings.MaxHeaderBytes)
	case this.late.Load():
		reason = fmt.Sprintf("header not there within ReadHeaderTimeout, %v", w.settings.ReadHeaderTimeout)
	case this.frames.Load(): // whose header is compressed: what was received says nothing
		reason = fmt.Sprintf("header not valid, or larger than MaxHeaderBytes, %d", w.settings.MaxHeaderBytes)
	}
	if n, ok := w.due(badRequest); ok {
		w.log.WarnContext(context.Background(), "request refused", slog.String("peer", this.RemoteAddr().String()),
			slog.String("error", reason), slog.Int64("bytes_read", received), leftOut(n))
	}
}

// full writes down that there is no place for another connection.
func (w *watch) full() {
	if n, ok := w.due(full); ok {
		w.log.WarnContext(context.Background(), "connections at the limit, further ones wait",
			slog.Int("max_connections", w.settings.MaxConnections), leftOut(n))
	}
}

// Write implements io.Writer: the server's ErrorLog writes a line to it.
func (w *watch) Write(line []byte) (int, error) {
	ctx, text := context.Background(), strings.TrimSpace(string(line))
	if rest, ok := strings.CutPrefix(text, "http: TLS handshake error from "); ok {
		peer, reason, _ := strings.Cut(rest, ": ")
		w.handshake(ctx, peer, reason)
		return len(line), nil
	}
	if rest, ok := strings.CutPrefix(text, "http2: server connection error from "); ok {
		peer, reason, _ := strings.Cut(rest, ": ")
		if n, ok := w.due(badRequest); ok {
			w.log.WarnContext(ctx, "request refused", slog.String("peer", peer), slog.String("error", reason), leftOut(n))
		}
		return len(line), nil
	}
	if rest, ok := strings.CutPrefix(text, "http: panic serving "); ok {
		w.log.ErrorContext(ctx, "server panicked", slog.String("error", rest))
		return len(line), nil
	}
	if n, ok := w.due(other); ok {
		w.log.WarnContext(ctx, "server complains", slog.String("error", text), leftOut(n))
	}
	return len(line), nil
}

func (w *watch) handshake(ctx context.Context, peer, reason string) {
	if reason == "EOF" { // a load balancer that looks whether the port is open
		w.log.DebugContext(ctx, "connection without a handshake", slog.String("peer", peer))
		return
	}
	if strings.HasSuffix(reason, "i/o timeout") {
		reason = fmt.Sprintf("not done within ReadHeaderTimeout, %v", w.settings.ReadHeaderTimeout)
	}
	if n, ok := w.due(badHandshake); ok {
		w.log.WarnContext(ctx, "tls handshake failed", slog.String("peer", peer), slog.String("error", reason), leftOut(n))
	}
}

// warnOfDates writes down which certificates no client will take now.
func (w *watch) warnOfDates(ctx context.Context) {
	if w.settings.TLS == nil {
		return
	}
	now := time.Now()
	for _, c := range w.settings.TLS.Certificates {
		leaf, err := leafOf(c)
		switch {
		case err != nil:
			w.log.WarnContext(ctx, "certificate not readable", slog.String("error", err.Error()))
		case now.Before(leaf.NotBefore) || now.After(leaf.NotAfter):
			w.log.WarnContext(ctx, "certificate not valid now", slog.String("subject", leaf.Subject.String()),
				slog.Time("not_before", leaf.NotBefore), slog.Time("not_after", leaf.NotAfter))
		}
	}
}
