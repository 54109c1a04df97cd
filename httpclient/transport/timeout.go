package transport

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// AttemptTimeout bounds each attempt, from the dial to the end of the answer's body. It
// is safe for concurrent use.
type AttemptTimeout struct {
	base    http.RoundTripper
	timeout time.Duration
}

var _ http.RoundTripper = (*AttemptTimeout)(nil)

// NewAttemptTimeout returns base with a deadline for each attempt. A nil base is
// [http.DefaultTransport]. A timeout of 0 or less is none.
func NewAttemptTimeout(base http.RoundTripper, timeout time.Duration) *AttemptTimeout {
	return &AttemptTimeout{or(base), timeout}
}

// RoundTrip implements [http.RoundTripper]. An attempt out of time fails with an error
// that matches [context.DeadlineExceeded], and so does reading its answer.
func (t *AttemptTimeout) RoundTrip(req *http.Request) (*http.Response, error) {
	if t.timeout <= 0 {
		return t.base.RoundTrip(req)
	}
	ctx, cancel := context.WithTimeout(req.Context(), t.timeout)
	resp, err := t.base.RoundTrip(req.WithContext(ctx))
	if err != nil {
		cancel()
		return nil, err
	}
	resp.Body = newAnswer(resp.Body, req.URL.Host, cancel)
	return resp, nil
}

// CloseIdleConnections closes those of the RoundTripper inside.
func (t *AttemptTimeout) CloseIdleConnections() { closeIdle(t.base) }

// answer is the body of an answer. It ends the attempt when it ends itself, and its
// errors name the peer, which the caller's own reading would not.
type answer struct {
	io.ReadCloser
	peer string
	end  context.CancelFunc
}

// newAnswer keeps a body that can be written to, that of a switched protocol, one.
func newAnswer(body io.ReadCloser, peer string, end context.CancelFunc) io.ReadCloser {
	a := &answer{body, peer, end}
	if w, ok := body.(io.Writer); ok {
		return struct {
			*answer
			io.Writer
		}{a, w}
	}
	return a
}

// Read implements [io.Reader].
func (a *answer) Read(p []byte) (int, error) {
	n, err := a.ReadCloser.Read(p)
	switch {
	case err == nil:
	case err == io.EOF: //nolint:errorlint // a reader's end is io.EOF itself
		a.end()
	case !errors.Is(err, http.ErrBodyReadAfterClose):
		err = fmt.Errorf("answer of %s: %w", a.peer, err)
	}
	return n, err
}

// Close implements [io.Closer].
func (a *answer) Close() error {
	err := a.ReadCloser.Close()
	a.end()
	return err
}
