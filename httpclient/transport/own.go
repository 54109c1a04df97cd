package transport

import (
	"io"
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

func bodyError(err error) error { return &ownError{"read the request's body", err} }

// own is err, the error of sending a request, as an ownError if it is one.
func own(body *watchedBody, err error) error {
	if err == nil {
		return nil
	}
	if failed := body.error(); failed != nil {
		return bodyError(failed)
	}
	return err
}

// watchedBody remembers what reading it failed with. The transport may read it on a goroutine
// of its own, and go on with that when the attempt is over.
type watchedBody struct {
	io.ReadCloser

	mu     sync.Mutex
	closed bool // what a read says from here on is our own doing
	failed error
}

// Read implements io.Reader.
func (b *watchedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.mu.Lock()
	defer b.mu.Unlock()
	if err != nil && err != io.EOF && !b.closed && b.failed == nil {
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
