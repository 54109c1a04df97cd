package httphealth_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"go.opentelemetry.io/otel/baggage"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/health"
	"github.com/brunt-go/brunt/health/httphealth"
	"github.com/brunt-go/brunt/network/memnet"
	"github.com/brunt-go/brunt/telemetry"
)

func TestHandler(t *testing.T) {
	t.Parallel()
	panics := health.MonitorFunc(func(context.Context) (bool, error) { panic("boom") })
	rows := []struct {
		name         string
		opts         []health.Option
		method, path string
		status       int
		body         string
		log          []string
	}{
		{"alive", nil, "GET", "/health/liveness", 200, "ok\n", nil},
		{"ready", nil, "GET", "/health/readiness", 200, "ok\n", nil},
		{"head", nil, "HEAD", "/health/readiness", 200, "ok\n", nil},
		{"not_ready", []health.Option{health.Readiness(says(false, nil))}, "GET", "/health/readiness", 503, "unavailable\n", nil},
		{"not_ready_is_alive", []health.Option{health.Readiness(says(false, nil))}, "GET", "/health/liveness", 200, "ok\n", nil},
		{"not_alive", []health.Option{health.Liveness(says(false, nil))}, "GET", "/health/liveness", 503, "unavailable\n", nil},
		// What went wrong is in the log, and not for whoever asks.
		{"unsure", []health.Option{health.Readiness(says(true, errUnknown))}, "GET", "/health/readiness", 503, "unavailable\n", []string{"WARN health monitor failed"}},
		{"panic", []health.Option{health.Liveness(panics)}, "GET", "/health/liveness", 503, "unavailable\n", []string{"ERROR health monitor panicked"}},
		{"post", nil, "POST", "/health/readiness", 405, "Method Not Allowed\n", nil},
		{"elsewhere", nil, "GET", "/health", 404, "404 page not found\n", nil},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			tel, logs := logged()
			h := httphealth.NewHandler(&brunt.Setup{Telemetry: tel}, row.opts...)
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest(row.method, row.path, nil))
			if w.Code != row.status || w.Body.String() != row.body {
				t.Errorf("%s %s = %d %q, want %d %q", row.method, row.path, w.Code, w.Body.String(), row.status, row.body)
			}
			if !slices.Equal(logs(), row.log) {
				t.Errorf("logged %q, want %q", logs(), row.log)
			}
		})
	}
}

// A Monitor that doesn't know when to return is told.
func TestHandler_timeout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		slow := health.MonitorFunc(func(ctx context.Context) (bool, error) { <-ctx.Done(); return true, ctx.Err() })
		h := httphealth.NewHandler(&brunt.Setup{}, health.Readiness(slow))
		began := time.Now()
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", "/health/readiness", nil))
		if got := time.Since(began); got != time.Second || w.Code != 503 {
			t.Errorf("answered %d after %v, want 503 after 1s", w.Code, got)
		}
	})
}

// A Monitor that never returns, such as one that waits for a lock, is no reason to leave
// the orchestrator without an answer.
func TestHandler_hang(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		forever := make(chan struct{})
		stuck := health.MonitorFunc(func(context.Context) (bool, error) { <-forever; return true, nil })
		tel, logs := logged()
		h := httphealth.NewHandler(&brunt.Setup{Telemetry: tel}, health.Liveness(stuck))
		began := time.Now()
		answered := make(chan int, 1)
		go func() {
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest("GET", "/health/liveness", nil))
			answered <- w.Code
		}()
		select {
		case code := <-answered:
			if got := time.Since(began); got != 1100*time.Millisecond || code != 503 {
				t.Errorf("answered %d after %v, want 503 after 1.1s", code, got)
			}
		case <-time.After(time.Hour):
			t.Error("not answered within an hour")
		}
		if want := []string{"WARN health monitor failed"}; !slices.Equal(logs(), want) {
			t.Errorf("logged %q, want %q", logs(), want)
		}
		close(forever)
	})
}

// The life of an App as its probes tell it: not ready from the order to stop on, alive
// to the end, and gone then.
func TestService_life(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n := memnet.New()
		signals := make(chan os.Signal, 1)
		var warm health.Binary
		init := func(_ context.Context, s *brunt.Setup) ([]brunt.Service, error) {
			settings := httphealth.DefaultSettings()
			settings.Addr = "orders:8081"
			svc, err := httphealth.NewService(s, settings, health.Readiness(&warm))
			return []brunt.Service{svc}, err
		}
		app := brunt.NewApp(init, brunt.WithHost(host(n)), brunt.WithTelemetry(telemetry.NoopBuilder), brunt.WithDrain(10*time.Second))
		status := make(chan brunt.Status, 1)
		go func() { status <- app.Run(t.Context(), brunt.Process{Signals: signals}) }()
		synctest.Wait()

		c := client(n)
		ask := func(when string, live, ready int) {
			t.Helper()
			gotLive := get(c, "http://orders:8081/health/liveness")
			gotReady := get(c, "http://orders:8081/health/readiness")
			if gotLive != live || gotReady != ready {
				t.Errorf("%s: liveness %d, readiness %d, want %d, %d", when, gotLive, gotReady, live, ready)
			}
		}
		ask("cold", 200, 503)
		warm.Set(true)
		ask("warm", 200, 200)
		signals <- syscall.SIGTERM
		synctest.Wait()
		ask("draining", 200, 503)
		time.Sleep(10 * time.Second)
		synctest.Wait()
		ask("stopped", 0, 0)
		if got := <-status; got.Code() != 0 {
			t.Errorf("Run() = %v", got)
		}
	})
}

// R162: a probe's baggage is not read, so no probe carries a scenario.
func TestService_extractsNoBaggage(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n := memnet.New()
		seen := -1
		m := health.MonitorFunc(func(ctx context.Context) (bool, error) {
			seen = baggage.FromContext(ctx).Len()
			return true, nil
		})
		svc := start(t, n, health.Readiness(m))
		req, err := http.NewRequestWithContext(t.Context(), "GET", "http://"+svc.Addr().String()+"/health/readiness", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("baggage", "acme.fault=%7B%22rules%22%3A%5B%5D%7D,tenant=acme")
		resp, err := client(n).Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != 200 || seen != 0 {
			t.Errorf("status %d, the monitor sees %d members of baggage, want none", resp.StatusCode, seen)
		}
	})
}

// start has a Service serve on a free port until the test ends.
func start(t *testing.T, n *memnet.Network, opts ...health.Option) *httphealth.Service {
	t.Helper()
	settings := httphealth.DefaultSettings()
	settings.Addr = "probes:0"
	svc, err := httphealth.NewService(&brunt.Setup{Host: host(n)}, settings, opts...)
	if err != nil {
		t.Fatal(err)
	}
	if svc.Addr() != nil {
		t.Errorf("listens on %v before it serves", svc.Addr())
	}
	served := make(chan error, 1)
	go func() { served <- svc.Serve(t.Context()) }()
	t.Cleanup(func() {
		if err := svc.Shutdown(context.Background()); err != nil {
			t.Error(err)
		}
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	synctest.Wait()
	return svc
}

// A prober that never finishes its request ends with the grace period.
func TestService_shutdownIsBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n := memnet.New()
		settings := httphealth.Settings{Addr: "probes:80", Timeout: time.Hour}
		hangs := health.MonitorFunc(func(ctx context.Context) (bool, error) { <-ctx.Done(); return false, nil })
		svc, err := httphealth.NewService(&brunt.Setup{Host: host(n)}, settings, health.Liveness(hangs))
		if err != nil {
			t.Fatal(err)
		}
		served := make(chan error, 1)
		go func() { served <- svc.Serve(t.Context()) }()
		synctest.Wait()
		go get(client(n), "http://probes/health/liveness")
		synctest.Wait()

		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		began := time.Now()
		err = svc.Shutdown(ctx)
		if got := time.Since(began); err == nil || got != 3*time.Second {
			t.Errorf("Shutdown() = %v after %v, want an error after 3s", err, got)
		}
		if err := <-served; err != nil {
			t.Errorf("Serve() = %v", err)
		}
	})
}

func TestService_portTaken(t *testing.T) {
	t.Parallel()
	n := memnet.New()
	l, err := n.Listen("tcp", "probes:80")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	svc, err := httphealth.NewService(&brunt.Setup{Host: host(n)}, httphealth.Settings{Addr: "probes:80", Timeout: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	if err := svc.Serve(t.Context()); err == nil || !strings.Contains(err.Error(), "listen on probes:80") {
		t.Errorf("Serve() = %v, want what is taken", err)
	}
}

func TestSettings(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name string
		in   httphealth.Settings
		want string
	}{
		{"default_has_no_address", httphealth.DefaultSettings(), "httphealth settings: Addr: not set, must be host:port"},
		{"everything", httphealth.Settings{}, "httphealth settings: Addr: not set, must be host:port\nTimeout: 0s, must be positive"},
		{"no_port", httphealth.Settings{Addr: "localhost", Timeout: 1}, `httphealth settings: Addr: "localhost", must be host:port`},
		{"port_too_high", httphealth.Settings{Addr: ":65536", Timeout: 1}, `httphealth settings: Addr: ":65536", must have a port from 0 to 65535`},
		{"port_by_name", httphealth.Settings{Addr: ":http", Timeout: 1}, `httphealth settings: Addr: ":http", must have a port from 0 to 65535`},
		{"port_with_a_sign", httphealth.Settings{Addr: ":+1", Timeout: 1}, `httphealth settings: Addr: ":+1", must have a port from 0 to 65535`},
		{"any_name", httphealth.Settings{Addr: ":8081", Timeout: 1}, ""},
		{"ipv6", httphealth.Settings{Addr: "[::1]:0", Timeout: 1}, ""},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			got := ""
			if _, err := httphealth.NewService(&brunt.Setup{}, row.in); err != nil {
				got = err.Error()
			}
			if got != row.want {
				t.Errorf("NewService(%+v) = %q, want %q", row.in, got, row.want)
			}
		})
	}
}

func FuzzCheckAddr(f *testing.F) {
	for _, seed := range []string{"", ":0", "localhost:8080", "[::1]:65535", "a:b:c", "x:-1", ":+1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, addr string) {
		if err := httphealth.CheckAddr(addr); err != nil && strings.Contains(err.Error(), "Addr") {
			t.Errorf("CheckAddr(%q) names the field: %v", addr, err)
		}
	})
}
