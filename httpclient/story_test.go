package httpclient_test

import (
	"context"
	"crypto/tls"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/brunttest"
	"github.com/brunt-go/brunt/fault"
	"github.com/brunt-go/brunt/fault/faulthttp"
	"github.com/brunt-go/brunt/fit"
	"github.com/brunt-go/brunt/httpclient"
)

// newOrders is the Init of a service that has payments charge each order, and trusts the
// scenarios of callers with a certificate of the mesh's authority.
func newOrders(t *testing.T, ca *brunttest.CA, forward bool) brunttest.Init {
	server := &tls.Config{
		Certificates: []tls.Certificate{ca.Issue(t, "orders").TLS()},
		ClientAuth:   tls.VerifyClientCertIfGiven,
		ClientCAs:    ca.Pool(),
	}
	return func(_ context.Context, s *brunt.Setup) ([]brunt.Service, error) {
		settings := httpclient.DefaultSettings()
		settings.BaseURL = "https://payments:8443"
		settings.TLS = &tls.Config{RootCAs: ca.Pool()}
		settings.ForwardScenario = forward
		payments, err := httpclient.NewClient(s, settings)
		if err != nil {
			return nil, err
		}
		handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			req, err := http.NewRequestWithContext(r.Context(), http.MethodGet, "/charge", nil)
			if err != nil {
				w.WriteHeader(http.StatusInternalServerError)
				return
			}
			resp, err := payments.Do(req)
			if err != nil {
				w.WriteHeader(http.StatusBadGateway)
				return
			}
			resp.Body.Close()
		})
		inMesh := func(r *http.Request) bool { return len(r.TLS.VerifiedChains) > 0 }
		observed := otelhttp.NewHandler(faulthttp.NewHandler(handler, s.Faults, faulthttp.TrustScenario(inMesh)), "orders",
			otelhttp.WithTracerProvider(s.Telemetry.TracerProvider), otelhttp.WithPropagators(s.Telemetry.Propagator))
		return []brunt.Service{&listener{s.Host, http.Server{Addr: "orders:9443", Handler: observed, TLSConfig: server}}}, nil
	}
}

// listener is a small HTTP Service.
type listener struct {
	host brunt.Host
	http http.Server
}

func (l *listener) Serve(ctx context.Context) error {
	at, err := l.host.Listen(ctx, "tcp", l.http.Addr)
	if err != nil {
		return err
	}
	if err := l.http.ServeTLS(at, "", ""); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

func (l *listener) Shutdown(ctx context.Context) error { return l.http.Shutdown(ctx) }

// edge sends a request with a scenario to orders, as a caller in the mesh when it has a
// certificate, and returns the status and how long it took.
func (r *rig) edge(certificate *brunttest.Certificate, rules ...fit.Rule) (int, time.Duration) {
	r.t.Helper()
	ctx, err := fit.ContextWithScenario(r.t.Context(), codec(r.t), fit.Scenario{Rules: rules})
	if err != nil {
		r.t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://orders:9443/orders/7/pay", nil)
	if err != nil {
		r.t.Fatal(err)
	}
	propagation.Baggage{}.Inject(ctx, propagation.HeaderCarrier(req.Header))
	client := r.host.HTTPClient()
	config := &tls.Config{RootCAs: r.ca.Pool()}
	if certificate != nil {
		config.Certificates = []tls.Certificate{certificate.TLS()}
	}
	client.Transport.(*http.Transport).TLSClientConfig = config
	start := time.Now()
	resp, err := client.Do(req)
	if err != nil {
		r.t.Fatal(err)
	}
	resp.Body.Close()
	return resp.StatusCode, time.Since(start)
}

// The whole story over TLS in fake time: who is in the mesh aborts payments, with all its
// retries, and nothing reaches it; who is not is served; a scenario that spares payments
// is forwarded, or not. A caller in the mesh can open the breaker that all share.
// R61, R81, R103, R191, R192, R193, R195, R197.
func TestStory(t *testing.T) {
	t.Parallel()
	for name, forward := range map[string]bool{"forward": true, "strip": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t)
				r.host.Serve("payments:8443", r.recording(nil), &tls.Config{Certificates: []tls.Certificate{r.ca.Issue(t, "payments").TLS()}})
				orders, _ := brunttest.Start(t, newOrders(t, r.ca, forward),
					brunttest.WithApp(brunt.WithHost(r.host.Host()), brunt.WithTelemetry(r.tel.Builder()),
						brunt.WithFaults(func(context.Context, *brunt.Setup) (fault.Settings, error) {
							s := fault.DefaultSettings()
							s.Decoder = codec(t)
							return s, nil
						})))
				<-r.host.Listening("orders:9443")
				mesh := r.ca.Issue(t, "checkout")

				status, took := r.edge(mesh, abort())
				if longest := 300 * time.Millisecond; status != http.StatusBadGateway || took > longest || len(r.requests()) != 0 {
					t.Errorf("an abort from the mesh: %d after %v, payments saw %d; two backoffs are %v at most", status, took, len(r.requests()), longest)
				}
				if status, took := r.edge(nil, abort()); status != http.StatusOK || took != 0 {
					t.Errorf("the same from outside: %d after %v", status, took)
				}
				if status, _ := r.edge(mesh, spare()); status != http.StatusOK {
					t.Errorf("a scenario that spares payments: %d", status)
				}
				if status, took := r.edge(mesh, delay(second)); status != http.StatusOK || took != second {
					t.Errorf("a delay: %d after %v", status, took)
				}
				if status, took := r.edge(mesh, delay(8*second)); status != http.StatusBadGateway || took != 15*second {
					t.Errorf("a long delay: %d after %v", status, took)
				}
				var carried []bool
				for _, h := range r.requests() {
					carried = append(carried, strings.Contains(h.Get("Baggage"), "acme.fault="))
				}
				if want := []bool{false, forward, forward}; !slices.Equal(carried, want) {
					t.Errorf("payments saw a scenario: %v, want %v", carried, want)
				}
				for range 2 { // three failures were the long delay's
					r.edge(mesh, abort())
				}
				if status, _ := r.edge(nil); status != http.StatusBadGateway {
					t.Errorf("a caller from outside meets an open breaker: %d", status)
				}
				time.Sleep(5 * second)
				if status, _ := r.edge(nil); status != http.StatusOK {
					t.Errorf("and is the probe that closes it: %d", status)
				}
				if s := orders.Stop(); s.Code() != brunt.ExitSuccess {
					t.Error(s)
				}
				if n := len(r.tel.SpansOfKind(trace.SpanKindClient)); n != 3+1+1+1+3+2+1 {
					t.Errorf("%d attempts", n)
				}
			})
		})
	}
}
