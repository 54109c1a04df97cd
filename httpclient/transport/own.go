package transport

import (
	"io"
	"net/http"
	"sync"
)

// ownError is the error of a request that is at fault itself, so that sending it again
// helps nobody and the dependency had no part in it.
type ownError struct {
	what string
	err  error
}

func (e *ownError) Error() string { return e.what + ": " + e.err.Error() }
func (e *ownError) Unwrap() error { return e.err }

func bodyError(err error) error      { return &ownError{"read the request's body", err} }
func malformedError(err error) error { return &ownError{"send a malformed request", err} }

// own is err, the error of sending req, as an ownError if it is one.
func own(req *http.Request, body *watchedBody, err error) error {
	if err == nil {
		return nil
	}
	if failed := body.error(); failed != nil {
		return bodyError(failed)
	}
	if malformed(req) || body.mismatches(req.ContentLength) {
		return malformedError(err)
	}
	return err
}

// watchedBody remembers how its reader ended. The transport may read it on a goroutine
// of its own, and go on with that when the attempt is over.
type watchedBody struct {
	io.ReadCloser

	mu     sync.Mutex
	bytes  int64
	ended  bool
	closed bool // what a read says from here on is our own doing
	failed error
}

// Read implements io.Reader.
func (b *watchedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.bytes += int64(n)
	switch {
	case err == nil || b.closed:
	case err == io.EOF:
		b.ended = true
	case b.failed == nil:
		b.failed = err
	}
	return n, err
}

// Close implements io.Closer. Closing more than once is closing once.
func (b *watchedBody) Close() error {
	b.mu.Lock()
	first := !b.closed
	b.closed = true
	b.mu.Unlock()
	if !first {
		return nil
	}
	return b.ReadCloser.Close()
}

// error is what reading failed with, if it did.
func (b *watchedBody) error() error {
	if b == nil {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.failed
}

// mismatches reports whether the body was not as long as announced.
func (b *watchedBody) mismatches(announced int64) bool {
	if b == nil || announced <= 0 { // 0 is unknown, where there is a body
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.bytes > announced || b.ended && b.bytes < announced
}
