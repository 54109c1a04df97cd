package transport

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/brunt-go/brunt/circuit"
	"github.com/brunt-go/brunt/retry"
)

// Classification is what the result of an attempt means.
type Classification struct {
	// Retry is retry.Retry or retry.Stop. What may not be sent twice is not, whatever
	// it says.
	Retry retry.Decision
	// Breaker is circuit.Success, circuit.Failure or circuit.Ignored.
	Breaker circuit.Outcome
}

// Classify says what an attempt's response or error means; it gets one of them. The
// response's body is unread; a Classify that reads it leaves a readable one behind.
// resp.Request is the request that was sent.
//
// It is called once for each attempt, on the caller's goroutine, and must be safe for
// concurrent use. It is not asked about a call the breaker rejected, about an error once
// the call's context is done, about a request that is at fault itself, being malformed or
// having a body that could not be read, or about an answer's body. One that panics ends
// the call with an error that says so.
type Classify func(resp *http.Response, err error) Classification

// DefaultClassify retries transport errors and the statuses 429, 502, 503 and 504, and
// calls transport errors and every 5xx a failure of the dependency. A certificate that
// does not verify is not retried: it will not verify then either.
//
// It knows nothing of injected failures, which are what they look like.
func DefaultClassify(resp *http.Response, err error) Classification {
	if err != nil {
		var certificate *tls.CertificateVerificationError
		if errors.As(err, &certificate) {
			return Classification{retry.Stop, circuit.Failure}
		}
		return Classification{retry.Retry, circuit.Failure}
	}
	c := Classification{retry.Stop, circuit.Success}
	if resp.StatusCode >= http.StatusInternalServerError {
		c.Breaker = circuit.Failure
	}
	switch resp.StatusCode {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		c.Retry = retry.Retry
	}
	return c
}

// PanicError is the error of a call whose Classify panicked.
type PanicError struct {
	// Value is what it panicked with.
	Value any
	// Stack is where, as debug.Stack has it.
	Stack []byte
}

// Error implements error.
func (e *PanicError) Error() string { return fmt.Sprintf("the setting Classify panicked: %v", e.Value) }

// judge says what a result means, and whether Classify is still able to. If it is not,
// the error is the call's and the response is closed.
func (c Classify) judge(ctx context.Context, resp *http.Response, err error) (_ Classification, broken error) {
	if err != nil {
		var mine *ownError
		switch {
		case errors.As(err, &mine):
			return Classification{retry.Stop, circuit.Ignored}, nil
		case errors.Is(ctx.Err(), context.Canceled) && !errors.Is(context.Cause(ctx), context.DeadlineExceeded):
			return Classification{retry.Retry, circuit.Ignored}, nil // which the Policy ends as expired
		case over(ctx):
			return Classification{retry.Retry, circuit.Failure}, nil
		}
	}
	defer func() {
		if v := recover(); v != nil {
			if resp != nil {
				resp.Body.Close()
			}
			broken = &PanicError{v, debug.Stack()}
		}
	}()
	return c(resp, err), nil
}

// over reports whether ctx's deadline has passed, even if ctx does not know yet: an
// http.Client with a Timeout cancels its request by a timer of its own, which may be the
// first to fire.
func over(ctx context.Context) bool {
	deadline, ok := ctx.Deadline()
	return ctx.Err() != nil || ok && !time.Now().Before(deadline)
}
