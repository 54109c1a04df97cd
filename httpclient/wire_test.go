package httpclient_test

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.opentelemetry.io/otel/trace"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/brunttest"
	"github.com/brunt-go/brunt/httpclient"
	"github.com/brunt-go/brunt/job"
)

// answering answers with the statuses in turn, the last again and again.
func answering(statuses ...int) http.HandlerFunc {
	var n atomic.Int64
	return func(w http.ResponseWriter, _ *http.Request) {
		i := min(int(n.Add(1)), len(statuses))
		w.WriteHeader(statuses[i-1])
		fmt.Fprintf(w, "answer %d", i)
	}
}

// What is sent again and what is not, and what it means to the breaker. D2.
func TestClient_statuses(t *testing.T) {
	t.Parallel()
	rows := []struct {
		method   string
		headers  []string
		body     bool // one that GetBody gives again
		statuses []int
		status   int
		attempts int
		failures float64
	}{
		{"GET", nil, false, []int{200}, 200, 1, 0},
		{"GET", nil, false, []int{503, 200}, 200, 2, 1},
		{"GET", nil, false, []int{502, 504, 200}, 200, 3, 2},
		{"GET", nil, false, []int{429, 200}, 200, 2, 0},
		{"GET", nil, false, []int{503}, 503, 3, 3},
		{"GET", nil, false, []int{500, 200}, 500, 1, 1},
		{"GET", nil, false, []int{404, 200}, 404, 1, 0},
		{"HEAD", nil, false, []int{503, 200}, 200, 2, 1},
		{"OPTIONS", nil, false, []int{503, 200}, 200, 2, 1},
		{"PUT", nil, true, []int{503, 200}, 200, 2, 1},
		{"DELETE", nil, false, []int{503, 200}, 200, 2, 1},
		{"POST", nil, true, []int{503, 200}, 503, 1, 1},
		{"POST", nil, false, []int{503, 200}, 503, 1, 1},
		{"PATCH", nil, true, []int{503, 200}, 503, 1, 1},
		{"POST", []string{"Idempotency-Key: 7"}, true, []int{503, 503, 200}, 200, 3, 2},
		{"PATCH", []string{"Idempotency-Key: 7"}, false, []int{503, 200}, 200, 2, 1},
	}
	for i, row := range rows {
		t.Run(fmt.Sprintf("%s_%d", strings.ToLower(row.method), i), func(t *testing.T) {
			t.Parallel()
			story(t, answering(row.statuses...), nil, func(t *testing.T, r *rig) {
				ctx, end := r.carrying()
				defer end()
				var status int
				var err error
				if row.body {
					status, _, err = r.do(ctx, row.method, "/charge", strings.NewReader("1 EUR"), row.headers...)
				} else {
					status, _, err = r.do(ctx, row.method, "/charge", nil, row.headers...)
				}
				if err != nil || status != row.status || len(r.requests()) != row.attempts || r.calls("failure") != row.failures {
					t.Errorf("%d, %v after %d attempts and %v failures, want %d after %d and %v", status, err, len(r.requests()), r.calls("failure"), row.status, row.attempts, row.failures)
				}
				for _, body := range r.body {
					if want := map[bool]string{true: "1 EUR"}[row.body]; body != want {
						t.Errorf("payments got the body %q, want %q", body, want)
					}
				}
			})
		})
	}
}

// Retry-After is waited for, up to BackoffMax. D2.
func TestClient_retryAfter(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name, value string
		took        time.Duration
	}{
		{"seconds", "2", 2 * second},
		{"zero", "0", 0},
		{"too_long", "3600", 5 * second},
		{"far_too_long", "99999999999999999999", 5 * second}, // more than a number holds
		{"long_nonsense", "99999999999999999999s", 0},
		{"a_date", time.Date(2000, 1, 1, 0, 0, 3, 0, time.UTC).Format(http.TimeFormat), 3 * second},
		{"a_date_gone", time.Date(1999, 1, 1, 0, 0, 3, 0, time.UTC).Format(http.TimeFormat), 0},
		{"nonsense", "soon", 0},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			then := answering(503, 200)
			story(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Retry-After", row.value)
				then(w, r)
			}, nil, func(t *testing.T, r *rig) {
				start := time.Now()
				status, err := r.get()
				if took := time.Since(start); status != 200 || took != row.took {
					t.Errorf("%d, %v after %v, want 200 after %v", status, err, took, row.took)
				}
			})
		})
	}
}

// The connection of an answer that nobody wants is used again: over HTTP/1.1 too, and
// also where only its last bytes are late.
func TestClient_connections(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name        string
		http1       bool
		tail        time.Duration // how late the end of an answer is
		size        int
		connections int64
	}{
		{"http2", false, 0, 10, 1},
		{"http1", true, 0, 10, 1},
		{"http1_a_little_late", true, 10 * time.Millisecond, 10, 1},
		{"http1_too_late", true, time.Second, 10, 3},
		{"http1_too_long", true, 0, 4 << 20, 3},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			story(t, nil, nil, func(t *testing.T, r *rig) {
				var dialled atomic.Int64
				dial := r.setup.Host.Dial
				r.setup.Host.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
					dialled.Add(1)
					return dial(ctx, network, address)
				}
				config := &tls.Config{Certificates: []tls.Certificate{r.ca.Issue(t, "tails").TLS()}}
				base := "https://tails:8443"
				if row.http1 {
					base, config = "http://tails:8443", nil
				}
				r.host.Serve("tails:8443", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
					w.WriteHeader(http.StatusServiceUnavailable)
					w.Write(make([]byte, row.size))
					w.(http.Flusher).Flush()
					time.Sleep(row.tail)
				}), config)
				r.client = r.newClient(func(s *httpclient.Settings) { s.BaseURL = base })
				if status, err := r.get(); status != http.StatusServiceUnavailable || err != nil {
					t.Fatalf("%d, %v", status, err)
				}
				if n := dialled.Load(); n != row.connections {
					t.Errorf("%d connections for 3 attempts, want %d", n, row.connections)
				}
				time.Sleep(time.Minute) // for what is still being sent
			})
		})
	}
}

// Over TLS it is HTTP/2, with the App's certificate.
func TestClient_tls(t *testing.T) {
	t.Parallel()
	story(t, nil, nil, func(t *testing.T, r *rig) {
		var proto, caller string
		server := &tls.Config{
			Certificates: []tls.Certificate{r.ca.Issue(t, "mesh").TLS()},
			ClientAuth:   tls.RequireAndVerifyClientCert, ClientCAs: r.ca.Pool(),
		}
		r.host.Serve("mesh:8443", http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
			proto, caller = req.Proto, req.TLS.PeerCertificates[0].Subject.CommonName
		}), server)
		r.client = r.newClient(func(s *httpclient.Settings) {
			s.BaseURL = "https://mesh:8443"
			s.TLS.Certificates = []tls.Certificate{r.ca.Issue(t, "orders").TLS()}
		})
		if status, err := r.get(); status != 200 || proto != "HTTP/2.0" || caller != "orders" {
			t.Errorf("%d, %v: %s by %q", status, err, proto, caller)
		}
	})
}

// Each attempt tells the service how long it has: AttemptTimeout, or what is left of the
// call.
func TestClient_remaining(t *testing.T) {
	t.Parallel()
	story(t, func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(4 * second)
		w.WriteHeader(http.StatusServiceUnavailable)
	}, func(s *httpclient.Settings) { s.RemainingHeader, s.Timeout = "x-left", 10*second }, func(t *testing.T, r *rig) {
		_, err := r.get()
		var told []string
		for _, header := range r.requests() {
			told = append(told, header.Get("X-Left"))
		}
		if got := strings.Join(told, " "); err == nil || got != "5000 5000 2000" {
			t.Errorf("payments is told %q, then %v", got, err)
		}
		time.Sleep(4 * second) // payments works on for nobody
	})
}

func TestClient_noRemaining(t *testing.T) {
	t.Parallel()
	story(t, nil, func(s *httpclient.Settings) { s.RemainingHeader = "" }, func(t *testing.T, r *rig) {
		if _, err := r.get(); err != nil || r.requests()[0].Get("X-Envoy-Expected-Rq-Timeout-Ms") != "" {
			t.Errorf("%v, %v", err, r.requests()[0])
		}
	})
}

// The App closes the idle connections when it ends: else it would fail this test.
func TestClient_app(t *testing.T) {
	t.Parallel()
	h := brunttest.NewHost(t)
	h.Serve("payments:80", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "charged") }), nil)
	tel := brunttest.NewTelemetry()
	app, _ := brunttest.Start(t, func(_ context.Context, s *brunt.Setup) ([]brunt.Service, error) {
		settings := httpclient.DefaultSettings()
		settings.BaseURL = "http://payments"
		client, err := httpclient.NewClient(s, settings)
		return []brunt.Service{job.NewService(s, func(ctx context.Context) error {
			req, err := http.NewRequestWithContext(ctx, http.MethodGet, "/", nil)
			if err != nil {
				return err
			}
			resp, err := client.Do(req)
			if err != nil {
				return err
			}
			defer resp.Body.Close()
			_, err = io.Copy(io.Discard, resp.Body)
			return err
		})}, err
	}, brunttest.WithApp(brunt.WithHost(h.Host()), brunt.WithTelemetry(tel.Builder())))
	if status := app.Wait(); status.Code() != brunt.ExitSuccess {
		t.Error(status)
	}
	if n := len(tel.SpansOfKind(trace.SpanKindClient)); n != 1 {
		t.Errorf("%d attempts, want 1", n)
	}
}
