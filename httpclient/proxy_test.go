package httpclient_test

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/brunttest"
	"github.com/brunt-go/brunt/circuit"
	"github.com/brunt-go/brunt/httpclient"
	"github.com/brunt-go/brunt/httpserver"
	"github.com/brunt-go/brunt/network/proxy"
	"github.com/brunt-go/brunt/network/toxic"
)

// patience is the AttemptTimeout where the network hangs for ever.
const patience = 150 * time.Millisecond

// answerSize is 100 ms of what the bandwidth toxic lets through.
const answerSize = 10_000

// crossing is a client of payments, a real server, through a proxy on real sockets.
type crossing struct {
	*rig
	proxy *proxy.Proxy

	mu      sync.Mutex
	reached map[string]int // requests payments got, by method
}

func cross(t *testing.T, change func(*httpclient.Settings)) *crossing {
	t.Helper()
	c := &crossing{rig: newRig(t), reached: map[string]int{}}
	c.proxy = brunttest.Proxy(t, c.serve(t))
	c.setup.Host = brunt.OSHost()
	c.client = c.newClient(func(s *httpclient.Settings) {
		s.BaseURL = "https://" + c.proxy.Addr()
		s.Timeout = time.Minute
		s.BreakerPolicy = circuit.Policy{Failures: 4, OpenFor: time.Hour, Probes: 1}
		if change != nil {
			change(s)
		}
	})
	return c
}

// serve has payments listen on the loopback until the test ends, and returns where.
func (c *crossing) serve(t *testing.T) string {
	t.Helper()
	addr := make(chan net.Addr, 1)
	host := brunt.OSHost()
	listen := host.Listen
	host.Listen = func(ctx context.Context, network, address string) (net.Listener, error) {
		l, err := listen(ctx, network, address)
		if err == nil {
			addr <- l.Addr()
		}
		return l, err
	}
	settings := httpserver.DefaultSettings()
	settings.Addr = "127.0.0.1:0"
	settings.TLS = &tls.Config{Certificates: []tls.Certificate{c.ca.Issue(t, "127.0.0.1").TLS()}}
	svc, err := httpserver.NewService(&brunt.Setup{Host: host, Telemetry: c.setup.Telemetry}, settings, http.HandlerFunc(c.answer))
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- svc.Serve(t.Context()) }()
	t.Cleanup(func() {
		now, cancel := context.WithCancel(context.Background())
		cancel()
		_ = svc.Shutdown(now) // whatever a toxic still holds
		if err := <-served; err != nil {
			t.Errorf("payments: %v", err)
		}
	})
	select {
	case a := <-addr:
		return a.String()
	case err := <-served:
		served <- err
		t.Fatalf("payments: %v", err)
		return ""
	}
}

func (c *crossing) answer(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	c.reached[r.Method]++
	c.mu.Unlock()
	_, _ = io.WriteString(w, strings.Repeat("x", answerSize))
}

// call makes a call, and returns what it came to and in how many attempts.
func (c *crossing) call(method string) (status, attempts int, err error) {
	before := len(c.attempts())
	var body io.Reader
	if method == http.MethodPost {
		body = strings.NewReader("1 EUR")
	}
	status, text, err := c.do(c.t.Context(), method, "/charge", body)
	if err == nil && len(text) != answerSize {
		err = errors.New("an answer of another length")
	}
	return status, len(c.attempts()) - before, err
}

func (c *crossing) add(toxics ...toxic.Spec) {
	c.t.Helper()
	for _, s := range toxics {
		if err := c.proxy.Add(s); err != nil {
			c.t.Fatal(err)
		}
	}
}

func (c *crossing) remove(toxics ...toxic.Spec) {
	c.t.Helper()
	for _, s := range toxics {
		if err := c.proxy.Remove(s.Name); err != nil {
			c.t.Fatal(err)
		}
	}
}

// one is the toxic of a row, in a direction.
func one(s toxic.Stream, t toxic.Toxic) toxic.Spec { return toxic.NewSpec("x", s, t) }

// A call through a proxy that is slow, in each way toxics know, is made once, and takes no
// less time than the toxic does.
func TestClient_proxySlow(t *testing.T) {
	t.Parallel()
	const down, up = toxic.Downstream, toxic.Upstream
	rows := []struct {
		name  string
		toxic toxic.Spec
		least time.Duration
	}{
		{"noop", one(down, &toxic.Noop{}), 0},
		{"latency_of_requests", one(up, &toxic.Latency{Latency: 30 * time.Millisecond}), 30 * time.Millisecond},
		{"latency_of_answers", one(down, &toxic.Latency{Latency: 30 * time.Millisecond}), 30 * time.Millisecond},
		{"bandwidth", one(down, &toxic.Bandwidth{Rate: 100}), 100 * time.Millisecond},
		{"slicer", one(down, &toxic.Slicer{AverageSize: 1000, Delay: time.Millisecond}), answerSize / 1000 * time.Millisecond},
		{"slow_close", one(down, &toxic.SlowClose{Delay: time.Hour}), 0},
		{"limit_not_reached", one(down, &toxic.LimitData{Bytes: 1 << 30}), 0},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			c := cross(t, nil)
			c.add(row.toxic)
			for _, method := range []string{http.MethodGet, http.MethodPost} {
				start := time.Now()
				status, attempts, err := c.call(method)
				if took := time.Since(start); status != 200 || err != nil || attempts != 1 || c.reached[method] != 1 || took < row.least {
					t.Errorf("%s: %d, %v in %d attempts after %v, reached payments %d times; want 200 in 1 after %v or more",
						method, status, err, attempts, took, c.reached[method], row.least)
				}
			}
		})
	}
}

// What a call through a proxy that breaks it comes to, in each way toxics know: a GET is
// tried as often as it may be, a POST once, the client is well when the network is, and
// the breaker opens when it has counted enough.
func TestClient_proxyBroken(t *testing.T) {
	t.Parallel()
	const down, up = toxic.Downstream, toxic.Upstream
	rows := []struct {
		name  string
		toxic toxic.Spec
		hangs bool // until the AttemptTimeout; else it fails before that
		posts int  // the most that payments gets of one
	}{
		{"no_bandwidth", one(up, &toxic.Bandwidth{}), true, 0},
		{"timeout_never", one(down, &toxic.Timeout{}), true, 1},
		{"timeout", one(down, &toxic.Timeout{Timeout: 5 * time.Millisecond}), false, 1},
		{"blackhole_of_requests", one(up, &toxic.Blackhole{}), true, 0},
		{"blackhole_of_answers", one(down, &toxic.Blackhole{}), true, 1},
		{"reset_idle", one(down, &toxic.ResetPeer{}), false, 1},
		{"reset_after_a_while", one(up, &toxic.ResetPeer{Timeout: 5 * time.Millisecond}), false, 0},
		{"reset_in_the_answer", one(down, &toxic.ResetPeer{AfterBytes: 10}), false, 1},
		{"reset_in_the_request", one(up, &toxic.ResetPeer{AfterBytes: 10}), false, 0},
		{"cut_in_the_answer", one(down, &toxic.LimitData{Bytes: 10}), false, 1},
		{"cut_with_a_reset", one(down, &toxic.LimitData{Bytes: 10, Close: "rst"}), false, 1},
		{"cut_in_the_request", one(up, &toxic.LimitData{}), false, 0},
		{"corrupt_requests", one(up, &toxic.Corrupt{Rate: 1}), false, 0},
		{"corrupt_answers", one(down, &toxic.Corrupt{Rate: 1}), false, 1},
		{"refuses", one(down, &toxic.Down{Mode: toxic.DownRefuse}), false, 0},
		{"accepts_and_resets", one(down, &toxic.Down{Mode: toxic.DownRST}), false, 1},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			c := cross(t, func(s *httpclient.Settings) {
				if row.hangs {
					s.AttemptTimeout = patience
				}
			})
			well := func(when string) {
				t.Helper()
				if status, _, err := c.call(http.MethodGet); status != http.StatusOK || err != nil {
					t.Fatalf("%s: %d, %v", when, status, err)
				}
			}
			fails := func(method string, want int, least time.Duration) {
				t.Helper()
				start := time.Now()
				_, attempts, err := c.call(method)
				if took := time.Since(start); attempts != want || err == nil || errors.Is(err, circuit.ErrRejected) {
					t.Errorf("%s: %v in %d attempts, want an error of the network in %d", method, err, attempts, want)
				} else if row.hangs && (took < least || !os.IsTimeout(err)) {
					t.Errorf("%s: %v after %v, want out of time after %v or more", method, err, took, least)
				}
			}

			// In the second attempt of a GET that hangs, the connection is found out to be
			// dead, how soon depends on when it was last heard of; the others last their time.
			well("at first")
			c.add(row.toxic)
			fails(http.MethodGet, 3, 2*patience)
			c.remove(row.toxic)
			well("when it is over")
			c.add(row.toxic)
			fails(http.MethodPost, 1, patience)
			fails(http.MethodGet, 3, 2*patience) // the fourth failure in a row
			if _, attempts, err := c.call(http.MethodGet); attempts != 0 || !errors.Is(err, circuit.ErrRejected) {
				t.Errorf("%v in %d attempts, want the breaker's rejection", err, attempts)
			}
			c.mu.Lock()
			defer c.mu.Unlock()
			if n := c.reached[http.MethodPost]; n > row.posts {
				t.Errorf("payments got a POST %d times, want %d at the most", n, row.posts)
			}
		})
	}
}

// Timeout ends a call that hangs in its first attempt, with net/http's error. R97.
func TestClient_proxyTimeout(t *testing.T) {
	t.Parallel()
	c := cross(t, func(s *httpclient.Settings) { s.Timeout = patience })
	c.add(one(toxic.Downstream, &toxic.Timeout{}))
	start := time.Now()
	_, attempts, err := c.call(http.MethodGet)
	var failed *url.Error
	if took := time.Since(start); took < patience || attempts != 1 || !errors.As(err, &failed) || !failed.Timeout() ||
		!strings.Contains(err.Error(), "Client.Timeout exceeded") {
		t.Errorf("%v in %d attempts after %v, want http.Client's timeout in 1 after %v", err, attempts, took, patience)
	}
}
