package transport

import (
	"context"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// replayable reports whether req may be sent again and can be.
func replayable(req *http.Request) bool {
	return idempotent(req) && (req.Body == nil || req.Body == http.NoBody || req.GetBody != nil)
}

// idempotent reports whether sending req twice is the same as sending it once, as RFC
// 9110 says of methods and a key says of a request.
func idempotent(req *http.Request) bool {
	switch req.Method {
	case "", http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodTrace, http.MethodPut, http.MethodDelete:
		return true
	}
	return req.Header.Get("Idempotency-Key") != ""
}

// again is req for another attempt, whose context ctx is.
func again(req *http.Request, ctx context.Context) (*http.Request, error) { //nolint:revive // what is copied comes first
	out := req.WithContext(ctx)
	if req.GetBody == nil || req.Body == nil || req.Body == http.NoBody {
		return out, nil
	}
	body, err := req.GetBody()
	if err != nil {
		return nil, bodyError(err)
	}
	out.Body = body
	return out, nil
}

// retryAfter is how long the answer asks to wait: a number of seconds, or a date.
func retryAfter(resp *http.Response) time.Duration {
	if resp == nil {
		return 0
	}
	value := resp.Header.Get("Retry-After")
	if value == "" {
		return 0
	}
	if strings.Trim(value, "0123456789") == "" {
		seconds, _ := strconv.ParseUint(value, 10, 31) // of one that is too large, the largest
		return time.Duration(seconds) * time.Second    //nolint:gosec // 31 bits
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(0, time.Until(at))
	}
	return 0
}

// How much of an answer that nobody wants is read, and for how long, so that its
// connection can be used again. What is longer or slower costs the connection.
const (
	mostDiscarded    = 64 << 10
	longestDiscarded = 50 * time.Millisecond
)

// discard reads the rest of resp and closes it. Closing a body ends a read of it that
// is under way.
func discard(resp *http.Response) {
	if resp == nil {
		return
	}
	timer := time.AfterFunc(longestDiscarded, func() { resp.Body.Close() })
	defer timer.Stop()
	_, _ = io.CopyN(io.Discard, resp.Body, mostDiscarded)
	resp.Body.Close()
}
