package httpclient

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/brunt-go/brunt/httpclient/transport"
	"github.com/brunt-go/brunt/internal/clienttimeout"
)

// origin is the outermost layer. It keeps the client to one service, whose names its
// breaker, budget, point and TLS settings have.
type origin struct {
	base        *url.URL
	timeout     time.Duration // the http.Client's
	inner       http.RoundTripper
	connections *connections
	log         *slog.Logger
}

// RoundTrip implements http.RoundTripper.
func (o *origin) RoundTrip(req *http.Request) (*http.Response, error) {
	out, err := o.resolve(req)
	if err != nil {
		if req.Body != nil {
			req.Body.Close()
		}
		return nil, err
	}
	whose := o.ownDeadline(req)
	resp, err := o.inner.RoundTrip(out)
	if err != nil {
		o.report(req.Context(), err)
		if whose {
			clienttimeout.Await(req.Context(), req.Cancel) //nolint:staticcheck // it is how the Client tells us
		}
		if out != req {
			err = &peerError{authority(o.base), err}
		}
		return nil, err
	}
	if out != req {
		absolute(resp, out.URL)
	}
	return resp, nil
}

// CloseIdleConnections closes those of the transport at the bottom. otelhttp does not
// pass it on.
func (o *origin) CloseIdleConnections() { o.connections.CloseIdleConnections() }

// resolve returns req, or a copy of it whose URL is no longer relative.
func (o *origin) resolve(req *http.Request) (*http.Request, error) {
	if req.URL.Host == "" && req.URL.Scheme == "" && req.URL.Opaque == "" {
		out := req.WithContext(req.Context())
		out.URL = join(o.base, req.URL)
		return out, nil
	}
	if !sameOrigin(req.URL, o.base) {
		return nil, fmt.Errorf("this client is for BaseURL %s://%s, not for %s://%s", o.base.Scheme, o.base.Host, req.URL.Scheme, req.URL.Host)
	}
	return req, nil
}

// join adds what is relative to base, path to path. Neither is cleaned: what looks like a
// parent or an empty name may be one of the service's own.
func join(base, relative *url.URL) *url.URL {
	u := *base
	u.RawQuery = relative.RawQuery
	if relative.Path != "" {
		u.RawPath = strings.TrimSuffix(base.EscapedPath(), "/") + "/" + strings.TrimPrefix(relative.EscapedPath(), "/")
		u.Path, _ = url.PathUnescape(u.RawPath) // both parts are well escaped
	}
	return &u
}

// absolute has a redirect say where it leads, since the request it came for does not say
// where that was.
func absolute(resp *http.Response, from *url.URL) {
	if location := resp.Header.Get("Location"); location != "" {
		if to, err := from.Parse(location); err == nil {
			resp.Header.Set("Location", to.String())
		}
	}
}

// within follows redirects that stay at base. Any other is the answer.
func within(base *url.URL) func(*http.Request, []*http.Request) error {
	const most = 10 // as net/http has it
	return func(req *http.Request, via []*http.Request) error {
		switch {
		case !sameOrigin(req.URL, base):
			return http.ErrUseLastResponse
		case len(via) >= most:
			return fmt.Errorf("stopped after %d redirects", most)
		}
		keepSecrets(req.Header, via[0].Header)
		return nil
	}
}

// keepSecrets gives a redirect's header what http.Client takes out of it on the way to
// another host, which it takes ours for when the first request's URL was relative.
func keepSecrets(header, first http.Header) {
	for _, name := range []string{"Authorization", "Www-Authenticate", "Cookie", "Cookie2", "Proxy-Authorization", "Proxy-Authenticate"} {
		if values, ok := first[name]; ok && header[name] == nil {
			header[name] = values
		}
	}
}

// peerError names the service where the http.Client's error has a URL without a host.
type peerError struct {
	peer string
	err  error
}

func (e *peerError) Error() string { return e.peer + ": " + e.err.Error() }
func (e *peerError) Unwrap() error { return e.err }

// Timeout reports what the error inside does: *url.Error asks it alone.
func (e *peerError) Timeout() bool {
	var t interface{ Timeout() bool }
	return errors.As(e.err, &t) && t.Timeout()
}

// report logs what is a mistake in the program.
func (o *origin) report(ctx context.Context, err error) {
	var p *transport.PanicError
	if errors.As(err, &p) {
		o.log.ErrorContext(ctx, "classify panicked", "error", err.Error(), "stack", string(p.Stack))
	}
}

// ownDeadline reports whether the deadline of req is that of the http.Client's Timeout
// and not an earlier one of the caller's. After a redirect it may be.
func (o *origin) ownDeadline(req *http.Request) bool {
	deadline, ok := req.Context().Deadline()
	return ok && (req.Response != nil || time.Until(deadline) > o.timeout-clienttimeout.Near)
}

// sameOrigin reports whether a and b have the same scheme, host and port.
func sameOrigin(a, b *url.URL) bool {
	return a.Scheme == b.Scheme && a.Host == b.Host || // nearly always
		strings.EqualFold(a.Scheme, b.Scheme) && hostOf(a) == hostOf(b) && portOf(a) == portOf(b)
}

func hostOf(u *url.URL) string { return strings.ToLower(u.Hostname()) }

// portOf is u's port, or its scheme's.
func portOf(u *url.URL) int {
	if port, err := strconv.Atoi(u.Port()); err == nil {
		return port
	}
	if strings.EqualFold(u.Scheme, "https") {
		return 443
	}
	return 80
}

// authority is the name of the service: host:port, as in its point.
func authority(u *url.URL) string { return net.JoinHostPort(hostOf(u), strconv.Itoa(portOf(u))) }
