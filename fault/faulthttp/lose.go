package faulthttp

import (
	"context"
	"io"
	"net/http"
	"time"

	"github.com/brunt-go/brunt/fault"
	"github.com/brunt-go/brunt/fit"
)

// How much of a lost answer a dependency can be expected to have sent by then,
// and how long it may take: a stream never ends.
const (
	mostLost    = 1 << 20
	longestLost = 10 * time.Second
)

// lose sends req and throws its answer away, the way a connection lost just
// after the answer would: the dependency has done all its work. The body is read
// to let it finish.
func (t *Transport) lose(req *http.Request, point string) error {
	ctx, cancel := context.WithCancel(req.Context())
	defer cancel()
	resp, err := t.base.RoundTrip(req.WithContext(ctx))
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusSwitchingProtocols { // which has a connection for a body
		defer time.AfterFunc(longestLost, cancel).Stop()
		_, _ = io.CopyN(io.Discard, resp.Body, mostLost)
	}
	return &fault.InjectedError{Point: point, Err: fit.ErrLost}
}
