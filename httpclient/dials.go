package httpclient

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"sync/atomic"
)

// mostDials is how many connections an attempt may cost. One is what it needs, another is
// for what the service closed just then.
const mostDials = 3

// connections are a transport that gives up. A service that closes each HTTP/2 connection
// before it takes a request has net/http make the next one at once, and so on until the
// attempt's time is over: hundreds a second for a call, and no retry of ours among them.
type connections struct {
	*http.Transport
	http2    atomic.Bool  // what the service spoke last
	attempts atomic.Int64 // under way
	credit   atomic.Int64 // of connections, for all of these together
}

// RoundTrip implements http.RoundTripper.
func (c *connections) RoundTrip(req *http.Request) (*http.Response, error) {
	c.attempts.Add(1)
	defer c.attempts.Add(-1)
	c.earn()
	if !c.http2.Load() && sentAgain(req) {
		req = &newDelivery(req).req
	}
	resp, err := c.Transport.RoundTrip(req)
	if err == nil && (resp.ProtoMajor == 2) != c.http2.Load() {
		c.http2.Store(resp.ProtoMajor == 2)
	}
	return resp, err
}

// earn adds an attempt's credit. What attempts that are over have left is forgotten; who
// is under way is counted in each try, or others that began meanwhile lost theirs.
func (c *connections) earn() {
	for {
		have := c.credit.Load()
		if c.credit.CompareAndSwap(have, min(have+mostDials, mostDials*c.attempts.Load())) {
			return
		}
	}
}

// spend takes a connection's credit, if there is any.
func (c *connections) spend() bool {
	for {
		have := c.credit.Load()
		if have <= 0 {
			return false
		}
		if c.credit.CompareAndSwap(have, have-1) {
			return true
		}
	}
}

type dialFunc = func(ctx context.Context, network, address string) (net.Conn, error)

// limited is dial, within what the attempts under way may cost.
func (c *connections) limited(dial dialFunc) dialFunc {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		if !c.spend() {
			return nil, fmt.Errorf("gave up after %d connections that were closed before they took the request", mostDials)
		}
		return dial(ctx, network, address)
	}
}
