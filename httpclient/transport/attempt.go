package transport

import (
	"context"
	"fmt"
	"io"
	"net/http"
)

// attempter is a layer that says what its result means.
type attempter interface {
	http.RoundTripper
	attempt(req *http.Request) (*http.Response, Classification, error)
}

// classified makes an attempter of a RoundTripper that is none.
type classified struct {
	http.RoundTripper
	classify Classify
}

func (c classified) attempt(req *http.Request) (*http.Response, Classification, error) {
	resp, err := send(c.RoundTripper, req)
	judged, broken := c.classify.judge(req.Context(), resp, err)
	if broken != nil {
		return nil, Classification{}, broken
	}
	return resp, judged, err
}

// CloseIdleConnections closes those of the RoundTripper inside.
func (c classified) CloseIdleConnections() { closeIdle(c.RoundTripper) }

// send sends req, and tells a body of it that could not be read from a dependency that
// failed.
func send(base http.RoundTripper, req *http.Request) (*http.Response, error) {
	if req.Body == nil || req.Body == http.NoBody {
		return base.RoundTrip(req)
	}
	body := &watchedBody{ReadCloser: req.Body, failed: make(chan error, 1)}
	watched := req.WithContext(req.Context())
	watched.Body = body
	resp, err := base.RoundTrip(watched)
	if err == nil {
		return resp, nil
	}
	select {
	case failed := <-body.failed:
		return nil, &requestBodyError{failed}
	default:
		return nil, err
	}
}

// watchedBody remembers the error its reader met. The transport may read it on a
// goroutine of its own.
type watchedBody struct {
	io.ReadCloser
	failed chan error
}

func (b *watchedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil && err != io.EOF {
		select {
		case b.failed <- err:
		default:
		}
	}
	return n, err
}

// requestBodyError is the error of a request whose body could not be read.
type requestBodyError struct{ err error }

func (e *requestBodyError) Error() string { return fmt.Sprintf("read the request's body: %v", e.err) }
func (e *requestBodyError) Unwrap() error { return e.err }

func (c Classify) or() Classify {
	if c == nil {
		return DefaultClassify
	}
	return c
}

func or(base http.RoundTripper) http.RoundTripper {
	if base == nil {
		return http.DefaultTransport
	}
	return base
}

func closeIdle(base http.RoundTripper) {
	if c, ok := base.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

// closeBody does what a RoundTripper has to, whatever happens.
func closeBody(req *http.Request) {
	if req.Body != nil {
		req.Body.Close()
	}
}

// sameContext is req, or a copy of it with ctx.
func sameContext(req *http.Request, ctx context.Context) *http.Request { //nolint:revive // what is changed comes first
	if req.Context() == ctx {
		return req
	}
	return req.WithContext(ctx)
}
