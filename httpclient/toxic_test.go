package httpclient_test

import (
	"crypto/tls"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/brunt-go/brunt/circuit"
	"github.com/brunt-go/brunt/httpclient"
	"github.com/brunt-go/brunt/network/toxic"
)

// A network that breaks in the ways toxics know: what a call comes to, when, and that the
// client is well again when the network is.
func TestClient_toxics(t *testing.T) {
	t.Parallel()
	const down, up = toxic.Downstream, toxic.Upstream
	rows := []struct {
		name     string
		spec     toxic.Spec
		status   int // 0 is an error
		took     time.Duration
		attempts int
	}{
		{"latency", toxic.NewSpec("x", up, &toxic.Latency{Latency: 100 * time.Millisecond}), 200, 100 * time.Millisecond, 1},
		{"long_latency", toxic.NewSpec("x", down, &toxic.Latency{Latency: time.Minute}), 0, 15 * second, 3},
		{"blackhole", toxic.NewSpec("x", up, &toxic.Blackhole{}), 0, 15 * second, 3},
		{"no_answer", toxic.NewSpec("x", down, &toxic.Blackhole{}), 0, 15 * second, 3},
		{"reset", toxic.NewSpec("x", down, &toxic.ResetPeer{}), 0, 0, 3},
		{"cut", toxic.NewSpec("x", down, &toxic.LimitData{Bytes: 10}), 0, 0, 3},
		{"sliced", toxic.NewSpec("x", down, &toxic.Slicer{AverageSize: 1 << 20}), 200, 0, 1},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t)
				r.host.Named("payments").Serve(":8443", r.recording(nil), &tls.Config{Certificates: []tls.Certificate{r.ca.Issue(t, "payments").TLS()}})
				link := r.host.Link("orders", "payments")
				r.setup.Host = r.host.Named("orders").Host()
				r.client = r.newClient(func(s *httpclient.Settings) { s.TLS.MinVersion = tls.VersionTLS13 })
				if status, err := r.get(); status != http.StatusOK {
					t.Fatalf("at first: %d, %v", status, err)
				}
				before := len(r.attempts())

				link.Add(row.spec)
				start := time.Now()
				status, err := r.get()
				if took := time.Since(start); status != row.status || (err != nil) != (row.status == 0) || took != row.took {
					t.Errorf("%d, %v after %v, want %d after %v", status, err, took, row.status, row.took)
				}
				if n := len(r.attempts()) - before; n != row.attempts || errors.Is(err, circuit.ErrRejected) {
					t.Errorf("%d attempts, want %d", n, row.attempts)
				}
				link.Remove("x")
				time.Sleep(time.Minute)
				if status, err := r.get(); status != http.StatusOK {
					t.Errorf("in the end: %d, %v", status, err)
				}
			})
		})
	}
}
