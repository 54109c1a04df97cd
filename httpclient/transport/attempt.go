package transport

import (
	"context"
	"errors"
	"fmt"
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

// send sends req, and tells a request that is at fault itself from a dependency that
// failed.
func send(base http.RoundTripper, req *http.Request) (*http.Response, error) {
	if req.URL != nil && controlInURL(req.URL) {
		closeBody(req)
		return nil, malformedError(errors.New("control character in the URL"))
	}
	if req.Body == nil || req.Body == http.NoBody {
		resp, err := whole(base, req)
		return resp, own(req, nil, err)
	}
	body := &watchedBody{ReadCloser: req.Body}
	watched := req.WithContext(req.Context())
	watched.Body = body
	resp, err := whole(base, watched)
	return resp, own(req, body, err)
}

// whole does what an http.Client does about a RoundTripper that breaks its contract: a
// Classify gets a response with a body, or an error.
func whole(base http.RoundTripper, req *http.Request) (*http.Response, error) {
	resp, err := inTime(base, req)
	switch {
	case err != nil:
		return nil, err
	case resp == nil:
		return nil, fmt.Errorf("RoundTripper (%T) returned neither a response nor an error", base)
	case resp.Body == nil:
		resp.Body = http.NoBody
	}
	return resp, nil
}

// inTime sends req, and closes its body, if that is a stream, when req's context is done:
// net/http would wait for a read of it to return, however long that takes.
func inTime(base http.RoundTripper, req *http.Request) (*http.Response, error) {
	if req.Body == nil || req.Body == http.NoBody || req.GetBody != nil {
		return base.RoundTrip(req)
	}
	stop := context.AfterFunc(req.Context(), func() { req.Body.Close() })
	resp, err := base.RoundTrip(req)
	if closed := !stop(); closed && err != nil {
		if cause := context.Cause(req.Context()); !errors.Is(err, cause) {
			err = cause // and not that of reading what we closed
		}
	}
	return resp, err
}

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
