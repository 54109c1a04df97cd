package httpclient_test

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"sync/atomic"
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
	// The first and the third attempt take as long as they may, and in the second the
	// connection is found out to be dead.
	const hung = 5*second + 2500*time.Millisecond + 5*second
	rows := []struct {
		name     string
		spec     toxic.Spec
		status   int // 0 is an error
		took     time.Duration
		attempts int
	}{
		{"latency", toxic.NewSpec("x", up, &toxic.Latency{Latency: 100 * time.Millisecond}), 200, 100 * time.Millisecond, 1},
		{"long_latency", toxic.NewSpec("x", down, &toxic.Latency{Latency: time.Minute}), 0, hung, 3},
		{"blackhole", toxic.NewSpec("x", up, &toxic.Blackhole{}), 0, hung, 3},
		{"no_answer", toxic.NewSpec("x", down, &toxic.Blackhole{}), 0, hung, 3},
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

// frozen is a connection that dies in silence: what is written is lost, and nothing comes.
type frozen struct {
	net.Conn
	dead atomic.Bool
}

func (c *frozen) Write(p []byte) (int, error) {
	if c.dead.Load() {
		return len(p), nil
	}
	return c.Conn.Write(p)
}

// A connection of HTTP/2, which all calls share, that has died in silence: the first attempt
// waits for it in vain, a ping in the second finds it out, and the third has a new one.
func TestClient_deadConnection(t *testing.T) {
	t.Parallel()
	story(t, nil, nil, func(t *testing.T, r *rig) {
		var dialled []*frozen
		dial := r.setup.Host.Dial
		r.setup.Host.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
			c, err := dial(ctx, network, address)
			if err != nil {
				return nil, err
			}
			f := &frozen{Conn: c}
			dialled = append(dialled, f)
			return f, nil
		}
		r.client = r.newClient(nil)
		if status, err := r.get(); status != http.StatusOK {
			t.Fatal(status, err)
		}
		dialled[0].dead.Store(true)
		start := time.Now()
		status, err := r.get()
		if took := time.Since(start); status != http.StatusOK || took != 7500*time.Millisecond || len(r.attempts()) != 1+3 || len(dialled) != 2 {
			t.Errorf("%d, %v after %v, %d attempts and %d connections", status, err, took, len(r.attempts())-1, len(dialled))
		}
	})
}
