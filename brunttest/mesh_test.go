package brunttest_test

import (
	"context"
	"crypto/tls"
	"net/http"
	"slices"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"

	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel/baggage"
	"go.opentelemetry.io/otel/trace"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/brunttest"
	"github.com/brunt-go/brunt/fault"
	"github.com/brunt-go/brunt/fault/faulthttp"
	"github.com/brunt-go/brunt/fault/jsonscenario"
	"github.com/brunt-go/brunt/fault/scenario"
	"github.com/brunt-go/brunt/fit"
)

// newOrders is the Init of a service that asks payments for each request, and trusts
// the scenarios of callers with a certificate of the mesh's authority.
func newOrders(t *testing.T, ca *brunttest.CA) brunttest.Init {
	server := &tls.Config{
		Certificates: []tls.Certificate{ca.Issue(t, "orders").TLS()},
		ClientAuth:   tls.VerifyClientCertIfGiven,
		ClientCAs:    ca.Pool(),
	}
	return func(ctx context.Context, s *brunt.Setup) ([]brunt.Service, error) {
		observed := []otelhttp.Option{
			otelhttp.WithTracerProvider(s.Telemetry.TracerProvider),
			otelhttp.WithMeterProvider(s.Telemetry.MeterProvider),
			otelhttp.WithPropagators(s.Telemetry.Propagator),
		}
		transport := &http.Transport{DialContext: s.Host.Dial, TLSClientConfig: &tls.Config{RootCAs: ca.Pool()}}
		s.OnStop(func(context.Context) error { transport.CloseIdleConnections(); return nil })
		client := &http.Client{Transport: otelhttp.NewTransport(
			faulthttp.NewTransport(transport, s.Faults, faulthttp.ForwardScenario()), observed...)}
		handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			req, err := http.NewRequestWithContext(r.Context(), http.MethodGet, "https://payments:8443/", nil)
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			resp, err := client.Do(req)
			if err != nil {
				w.WriteHeader(http.StatusBadGateway)
				return
			}
			resp.Body.Close()
		})
		inMesh := func(r *http.Request) bool { return len(r.TLS.VerifiedChains) > 0 }
		stripped := faulthttp.NewHandler(handler, s.Faults, faulthttp.TrustScenario(inMesh))
		return newServer("orders:9443", server, otelhttp.NewHandler(stripped, "orders", observed...).ServeHTTP)(ctx, s)
	}
}

// seen is what payments saw of each request: whether it carried a scenario.
type seen struct {
	mu  sync.Mutex
	all []bool
}

// ServeHTTP implements http.Handler.
func (s *seen) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	members, _ := baggage.Parse(r.Header.Get("Baggage"))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = append(s.all, members.Member("acme.fault").Key() != "")
}

func (s *seen) requests() []bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.all)
}

// edge sends GET to orders, with a scenario of that rule, as a caller in the mesh when it has a
// certificate.
func edge(t *testing.T, h *brunttest.Host, ca *brunttest.CA, certificate *brunttest.Certificate, words string) int {
	t.Helper()
	codec, err := jsonscenario.New("acme.fault")
	if err != nil {
		t.Fatal(err)
	}
	rule, err := scenario.ParseRule(words)
	if err != nil {
		t.Fatal(err)
	}
	carried, err := scenario.Header(codec, fit.Scenario{Rules: []fit.Rule{rule}}, "")
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://orders:9443/orders/7/payment", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Baggage", carried)
	client := h.HTTPClient()
	config := &tls.Config{RootCAs: ca.Pool()}
	if certificate != nil {
		config.Certificates = []tls.Certificate{certificate.TLS()}
	}
	client.Transport.(*http.Transport).TLSClientConfig = config
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	return resp.StatusCode
}

// A caller in the mesh aborts payments, and nothing reaches it. The same scenario from
// outside is stripped, and the call is served. A trusted scenario that spares payments
// goes on to it. R193, R194, R195, R197.
func TestMesh(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h, ca, tel := brunttest.NewHost(t), brunttest.NewCA(t), brunttest.NewTelemetry()
		payments := &seen{}
		h.Serve("payments:8443", payments, &tls.Config{Certificates: []tls.Certificate{ca.Issue(t, "payments").TLS()}})
		orders, status := brunttest.Start(t, newOrders(t, ca),
			brunttest.WithApp(brunt.WithHost(h.Host()), brunt.WithTelemetry(tel.Builder())),
			brunttest.WithApp(brunt.WithFaults(func(context.Context, *brunt.Setup) (fault.Settings, error) {
				settings := fault.DefaultSettings()
				codec, err := jsonscenario.New("acme.fault")
				settings.Decoder = codec
				return settings, err
			})))
		<-h.Listening("orders:9443")

		const abort, spare = "http:payments:8443 abort", "http:ledger:8443 abort"
		mesh := ca.Issue(t, "checkout")
		if got := edge(t, h, ca, mesh, abort); got != http.StatusBadGateway || len(payments.requests()) != 0 {
			t.Errorf("a caller in the mesh aborts payments: %d, payments saw %v", got, payments.requests())
		}
		if got := edge(t, h, ca, nil, abort); got != http.StatusOK {
			t.Errorf("the scenario of a caller outside the mesh: %d", got)
		}
		if got := edge(t, h, ca, mesh, spare); got != http.StatusOK {
			t.Errorf("a scenario that spares payments: %d", got)
		}
		if got := payments.requests(); !slices.Equal(got, []bool{false, true}) {
			t.Errorf("payments saw a scenario: %v, want only the trusted one", got)
		}
		orders.Signal(syscall.SIGTERM)
		if s := <-status; s.Code() != brunt.ExitSuccess {
			t.Error(s)
		}

		attempts, servers := tel.SpansOfKind(trace.SpanKindClient), tel.SpansOfKind(trace.SpanKindServer)
		if len(attempts) != 3 || len(servers) != 3 {
			t.Fatalf("%d attempts in %d requests, want 3 in 3", len(attempts), len(servers))
		}
		if events := attempts[0].EventsNamed("brunt.fit.evaluation"); len(events) != 1 || events[0].Attribute("brunt.fit.abort") != "true" {
			t.Errorf("the aborted attempt has %v", events)
		}
		for i, want := range []int{0, 1, 0} {
			if n := len(servers[i].EventsNamed("brunt.fit.strip")); n != want { // R185
				t.Errorf("request %d was stripped %d times, want %d", i, n, want)
			}
		}
	})
}
