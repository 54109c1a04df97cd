package main

import (
	"crypto/tls"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.opentelemetry.io/otel/baggage"
	"go.opentelemetry.io/otel/propagation"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/brunttest"
	"github.com/brunt-go/brunt/fault/jsonscenario"
	"github.com/brunt-go/brunt/fit"
)

// world is the App on a network with a payments that charges, all in memory.
type world struct {
	host    *brunttest.Host
	tel     *brunttest.Telemetry
	app     *brunttest.Process
	status  <-chan brunt.Status
	charges []string // the baggage of each
}

func start(t *testing.T, env map[string]string, payments http.HandlerFunc, opts ...brunttest.HostOption) *world {
	t.Helper()
	w := &world{host: brunttest.NewHost(t, opts...), tel: brunttest.NewTelemetry()}
	w.host.Serve("payments:8443", http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		w.charges = append(w.charges, r.Header.Get("Baggage"))
		if payments != nil {
			payments(rw, r)
		}
	}), nil)
	all := map[string]string{"PAYMENTS_URL": "http://payments:8443", "ORDERS_ADDR": "orders:80", "ORDERS_PLAIN_TEXT": "true", "ORDERS_PROBES_ADDR": "orders:81"}
	for name, value := range env {
		all[name] = value
	}
	w.app, w.status = brunttest.Start(t, initialize,
		brunttest.WithApp(brunt.WithHost(w.host.Host()), brunt.WithTelemetry(w.tel.Builder()), brunt.WithFaults(faults)),
		brunttest.WithEnv(all))
	synctest.Wait()
	return w
}

// order orders item from inside the mesh or from outside, with baggage that holds a
// tenant and s, and returns the answer.
func (w *world) order(t *testing.T, item string, mesh bool, s fit.Scenario) (int, string) {
	t.Helper()
	codec, err := jsonscenario.New("acme.fault")
	if err != nil {
		t.Fatal(err)
	}
	tenant, err := baggage.Parse("tenant=acme")
	if err != nil {
		t.Fatal(err)
	}
	ctx, err := fit.ContextWithScenario(baggage.ContextWithBaggage(t.Context(), tenant), codec, s)
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://orders/orders/"+item, nil)
	if err != nil {
		t.Fatal(err)
	}
	propagation.Baggage{}.Inject(ctx, propagation.HeaderCarrier(req.Header))
	if mesh {
		req.Header.Set("X-From-Mesh", "yes")
	}
	resp, err := w.host.HTTPClient().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(body)
}

func scenario(f fit.Fault) fit.Scenario {
	return fit.Scenario{Rules: []fit.Rule{{Point: "http:payments:8443", Fault: f}}}
}

// Each request fails as its own scenario says, if it may carry one at all, and payments
// never sees the scenario.
func TestOrders(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name    string
		item    string
		mesh    bool
		fault   fit.Fault
		status  int
		body    string // a part of it
		charges []string
		took    time.Duration
	}{
		{"charged", "tea", true, fit.Fault{}, 200, "charged 4 for tea", []string{"tenant=acme"}, 0},
		{"no_such_item", "gold", true, fit.Fault{}, 404, "no such item", nil, 0},
		{"aborted", "tea", true, fit.Fault{Abort: true}, 502, "fit: injected failure at http:payments:8443", nil, 0},
		{"untrusted", "tea", false, fit.Fault{Abort: true}, 200, "charged 4 for tea", []string{"tenant=acme"}, 0},
		{"delayed", "tea", true, fit.Fault{Delay: time.Second}, 200, "charged", []string{"tenant=acme"}, time.Second},
		{"delayed_too_long", "tea", true, fit.Fault{Delay: time.Hour}, 502, "context deadline exceeded", nil, 2 * time.Second},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				w := start(t, nil, nil)
				began := time.Now()
				status, body := w.order(t, row.item, row.mesh, scenario(row.fault))
				if status != row.status || !strings.Contains(body, row.body) || time.Since(began) != row.took {
					t.Errorf("answered %d %q after %v, want %d %q after %v", status, body, time.Since(began), row.status, row.body, row.took)
				}
				if !slices.Equal(w.charges, row.charges) {
					t.Errorf("payments was charged with baggage %q, want %q", w.charges, row.charges)
				}
			})
		})
	}
}

// R201: an order under way is finished before the App ends.
func TestOrders_stop(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := start(t, map[string]string{"PAYMENTS_TIMEOUT": "1m", "BRUNT_SHUTDOWN_DRAIN_DELAY": "3s"},
			func(http.ResponseWriter, *http.Request) { time.Sleep(10 * time.Second) })
		answered := make(chan int, 1)
		go func() {
			status, _ := w.order(t, "tea", true, fit.Scenario{})
			answered <- status
		}()
		time.Sleep(time.Second)
		began := time.Now()
		status := w.app.Stop()
		// net/http looks every now and then, every half second at the latest.
		if got := time.Since(began).Truncate(time.Second); status.Code() != 0 || got != 9*time.Second {
			t.Errorf("ended with %v after %v, want 0 after 9s, when the order is charged", status, got)
		}
		if got := <-answered; got != 200 {
			t.Errorf("the order under way is answered %d, want 200", got)
		}
	})
}

// Unless plain text is asked for, an order comes over TLS, with the certificate an
// operator names.
func TestOrders_tls(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ca := brunttest.NewCA(t)
		certificate, key := ca.Issue(t, "orders").PEM(t)
		files := brunttest.WithFiles(map[string][]byte{"/etc/orders.pem": slices.Concat(certificate, key)})
		w := start(t, map[string]string{"ORDERS_PLAIN_TEXT": "", "ORDERS_TLS_FILE": "/etc/orders.pem"}, nil, files)
		client := w.host.HTTPClient()
		client.Transport.(*http.Transport).TLSClientConfig = &tls.Config{RootCAs: ca.Pool()}
		resp, err := client.Post("https://orders:80/orders/tea", "", nil)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != 200 || resp.Proto != "HTTP/2.0" {
			t.Errorf("answered %s by %s", resp.Status, resp.Proto)
		}
	})
}

// The job's failure is the App's.
func TestOrders_noPrices(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := start(t, map[string]string{"PRICES_FILE": "/etc/prices.json"}, nil)
		if got := <-w.status; got.Code() != brunt.ExitFailure || !strings.Contains(got.Err().Error(), "service 3 of 3 (job): load prices: ") {
			t.Errorf("ended with %v, want the job's failure", got)
		}
	})
}

// R56, R63: what an operator gets wrong is told at once, and no secret with it.
func TestOrders_settings(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name string
		env  map[string]string
		want []string
	}{
		{"all", map[string]string{"PAYMENTS_URL": "payments", "PAYMENTS_TIMEOUT": "0s", "PAYMENTS_TOKEN": "hunter2", "ORDERS_ADDR": "80"},
			[]string{`init: `, `ORDERS_ADDR="80"`, `PAYMENTS_URL="payments"`, `PAYMENTS_TIMEOUT="0s": must be positive`, `(secret): refused`}},
		{"no_certificate", map[string]string{"ORDERS_PLAIN_TEXT": "no"},
			[]string{`init: ORDERS_PLAIN_TEXT="no": want true or false`, `ORDERS_TLS_FILE: not set, must be set`}},
		{"no_such_certificate", map[string]string{"ORDERS_PLAIN_TEXT": "", "ORDERS_TLS_FILE": "/etc/orders.pem"}, []string{`init: ORDERS_TLS_FILE="/etc/orders.pem": open /etc/orders.pem`}},
		{"faults", map[string]string{"FAULT_MAX_DELAY": "0s"}, []string{`failure injection: FAULT_MAX_DELAY="0s": must be positive`}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				w := start(t, row.env, nil)
				status := <-w.status
				if status.Code() != brunt.ExitConfig {
					t.Errorf("ended with %v, want 78", status)
				}
				for _, want := range row.want {
					if got := status.Err().Error(); !strings.Contains(got, want) || strings.Contains(got, "hunter2") {
						t.Errorf("the error is\n%s\nwant %q in it, and no secret", got, want)
					}
				}
			})
		})
	}
}
