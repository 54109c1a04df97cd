package httpclient

import (
	"context"
	"net"
	"net/http"
	"time"

	"github.com/brunt-go/brunt"
)

// newConnections returns the transport at the bottom. It goes through host, and reads
// no variable of a proxy: an App's settings are its own to read.
func newConnections(host brunt.Host, settings Settings) *connections {
	dial := host.Dial
	if dial == nil {
		dial = brunt.OSHost().Dial
	}
	c := new(connections)
	c.Transport = &http.Transport{
		// The transport dials on when the attempt that asked for a connection is over.
		DialContext: c.limited(func(ctx context.Context, network, address string) (net.Conn, error) {
			ctx, cancel := context.WithTimeout(ctx, settings.AttemptTimeout)
			defer cancel()
			conn, err := dial(ctx, network, address)
			if err != nil {
				return nil, err
			}
			return &wire{Conn: conn}, nil
		}),
		Proxy:                  once,
		TLSClientConfig:        settings.TLS.Clone(),
		TLSHandshakeTimeout:    settings.AttemptTimeout,
		ForceAttemptHTTP2:      true,
		MaxIdleConnsPerHost:    100, // they all go to one host; the default is 2
		IdleConnTimeout:        90 * time.Second,
		ExpectContinueTimeout:  time.Second,
		MaxResponseHeaderBytes: 1 << 20,
		// Over HTTP/2 all calls share a connection. One that has died in silence is found
		// out in the second attempt, so that the third has a new one.
		HTTP2: &http.HTTP2Config{SendPingTimeout: settings.AttemptTimeout, PingTimeout: max(settings.AttemptTimeout/2, 1)},
	}
	return c
}
