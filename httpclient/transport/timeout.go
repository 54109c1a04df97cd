package transport

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/brunt-go/brunt/internal/clienttimeout"
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
//
// The request's context alone ends an attempt, not its Cancel, which net/http leaves
// undefined beside a context: watching it would cost each attempt a goroutine. An
// [http.Client] with a Timeout sets both.
func (t *AttemptTimeout) RoundTrip(req *http.Request) (resp *http.Response, err error) {
	if t.timeout <= 0 {
		return t.base.RoundTrip(req)
	}
	ctx, cancel := context.WithTimeout(req.Context(), t.timeout)
	a := &attempt{req: *req.WithContext(ctx), of: req, timeout: t.timeout, end: cancel}
	a.req.Cancel = nil //nolint:staticcheck // it is how an http.Client's Timeout comes here
	defer func() {
		if resp == nil { // also if base panicked
			cancel()
		}
	}()
	if resp, err = whole(t.base, &a.req); err != nil {
		return nil, a.explain(err)
	}
	resp.Body = a.answer(resp.Body)
	return resp, nil
}

// CloseIdleConnections closes those of the RoundTripper inside.
func (t *AttemptTimeout) CloseIdleConnections() { closeIdle(t.base) }

// attempt is a request with a deadline, and the body of its answer: one piece of memory.
// The body ends the attempt when it ends itself, and its errors name the peer, which the
// caller's own reading would not.
type attempt struct {
	req http.Request
	of  *http.Request // whose attempt it is
	io.ReadCloser
	timeout time.Duration
	end     context.CancelFunc
}

// answer keeps a body that can be written to, that of a switched protocol, one.
func (a *attempt) answer(body io.ReadCloser) io.ReadCloser {
	a.ReadCloser = body
	if w, ok := body.(io.Writer); ok {
		return struct {
			*attempt
			io.Writer
		}{a, w}
	}
	return a
}

// Read implements [io.Reader].
func (a *attempt) Read(p []byte) (int, error) {
	n, err := a.ReadCloser.Read(p)
	switch {
	case err == nil:
	case err == io.EOF: //nolint:errorlint // a reader's end is io.EOF itself
		a.end()
	case !errors.Is(err, http.ErrBodyReadAfterClose):
		clienttimeout.Await(a.of.Context(), a.of.Cancel) //nolint:staticcheck // as above
		err = fmt.Errorf("answer of %s: %w", a.req.URL.Host, a.explain(err))
	}
	return n, err
}

// Close implements [io.Closer].
func (a *attempt) Close() error {
	err := a.ReadCloser.Close()
	a.end()
	return err
}

// explain says of an error by which the attempt ended that its own time was over, if it
// was that and not the call's.
func (a *attempt) explain(err error) error {
	if !errors.Is(err, context.DeadlineExceeded) || a.req.Context().Err() == nil || over(a.of.Context()) {
		return err
	}
	return &outOfTimeError{a.timeout, err}
}

// outOfTimeError is the error of an attempt that took too long.
type outOfTimeError struct {
	after time.Duration
	err   error
}

func (e *outOfTimeError) Error() string {
	return fmt.Sprintf("%v (AttemptTimeout of %v exceeded)", e.err, e.after)
}
func (e *outOfTimeError) Unwrap() error { return e.err }
func (e *outOfTimeError) Timeout() bool { return true }
