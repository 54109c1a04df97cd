package httphealth_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"testing"

	"go.opentelemetry.io/otel/log/logtest"
	"go.uber.org/goleak"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/health"
	"github.com/brunt-go/brunt/network/memnet"
	"github.com/brunt-go/brunt/telemetry"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var errUnknown = errors.New("connection refused by db.internal")

func says(healthy bool, err error) health.Monitor {
	return health.MonitorFunc(func(context.Context) (bool, error) { return healthy, err })
}

// host is a machine on n.
func host(n *memnet.Network) brunt.Host {
	return brunt.Host{
		Dial: n.DialContext,
		Listen: func(_ context.Context, network, address string) (net.Listener, error) {
			return n.Listen(network, address)
		},
	}
}

// logged is a Telemetry and the records its loggers made.
func logged() (telemetry.Telemetry, func() []string) {
	recorder := logtest.NewRecorder()
	t := telemetry.Noop()
	t.LoggerProvider = recorder
	return t, func() (bodies []string) {
		for _, records := range recorder.Result() {
			for _, r := range records {
				bodies = append(bodies, r.Severity.String()+" "+r.Body.AsString())
			}
		}
		return bodies
	}
}

// client asks over n, with a connection for each request.
func client(n *memnet.Network) *http.Client {
	return &http.Client{Transport: &http.Transport{DialContext: n.DialContext, DisableKeepAlives: true}}
}

// get returns the status, or 0 when there is no answer.
func get(c *http.Client, url string) int {
	resp, err := c.Get(url)
	if err != nil {
		return 0
	}
	resp.Body.Close()
	return resp.StatusCode
}
