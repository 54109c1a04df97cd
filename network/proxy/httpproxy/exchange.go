package httpproxy

import (
	"context"
	"errors"
	"net/http"
	"time"
)

// ErrReset is what a Fault returns to cut the caller's connection with a TCP
// reset (over HTTP/2: to reset the stream) without an answer.
var ErrReset = errors.New("brunt: connection reset on purpose")

// Exchange is one request in the hands of a fault.
type Exchange struct {
	// Request is the request as it will be sent to the upstream. Its context
	// ends when the caller goes away.
	Request *http.Request

	arrived time.Time
	armed   *Armed
	maxHold time.Duration
}

// Hold waits until d after the request arrived. It returns early with nil when
// the fault is removed, and with the cause when the caller goes away.
func (x *Exchange) Hold(d time.Duration) error {
	return x.wait(x.arrived.Add(d))
}

// HoldFor waits for d from now, as Hold does.
func (x *Exchange) HoldFor(d time.Duration) error {
	return x.wait(time.Now().Add(d))
}

// HoldForever waits until the fault is removed (nil), the caller goes away (its
// cause), or the longest time the arm allows has passed (ErrReset).
func (x *Exchange) HoldForever() error {
	if x.maxHold == 0 {
		select {
		case <-x.Request.Context().Done():
			return context.Cause(x.Request.Context())
		case <-x.armed.removed:
			return nil
		}
	}
	if err := x.Hold(x.maxHold); err != nil || x.armed.isRemoved() {
		return err
	}
	return ErrReset
}

func (x *Exchange) wait(until time.Time) error {
	left := time.Until(until)
	if left <= 0 {
		return context.Cause(x.Request.Context())
	}
	timer := time.NewTimer(left)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-x.armed.removed:
		return nil
	case <-x.Request.Context().Done():
		return context.Cause(x.Request.Context())
	}
}
