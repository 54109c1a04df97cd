package httpserver_test

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/baggage"
	"go.opentelemetry.io/otel/trace"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/brunttest"
	"github.com/brunt-go/brunt/circuit"
	"github.com/brunt-go/brunt/fit"
	"github.com/brunt-go/brunt/httpclient"
	"github.com/brunt-go/brunt/httpserver"
)

// payments is the dependency: it keeps what it was sent.
type payments struct {
	mu  sync.Mutex
	all []sent
}

// sent is what a request to payments carried.
type sent struct {
	scenario bool
	tenant   string
	parent   string // the span that sent it
}

// ServeHTTP implements http.Handler.
func (p *payments) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	b, _ := baggage.Parse(r.Header.Get("Baggage"))
	one := sent{scenario: b.Member(key).Key() != "", tenant: b.Member("tenant").Value()}
	if text := r.Header.Get("Traceparent"); len(text) == 55 {
		one.parent = text[36:52]
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.all = append(p.all, one)
}

// seen is what it was sent so far.
func (p *payments) seen() []sent {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.all)
}

// story is orders, which has payments charge each order, and payments.
type story struct {
	*world
	payments *payments
	mesh     *http.Client // has a certificate of the mesh
	outside  *http.Client
	errs     []error // of orders' calls
}

// tell starts both, each with a certificate of the mesh's authority.
func tell(t *testing.T, change func(*httpclient.Settings), opts ...brunttest.StartOption) *story {
	t.Helper()
	s := &story{payments: &payments{}}
	w := &world{host: brunttest.NewHost(t), ca: brunttest.NewCA(t), tel: brunttest.NewTelemetry()}
	s.world = w
	w.host.Serve("payments:8443", s.payments, &tls.Config{Certificates: []tls.Certificate{w.ca.Issue(t, "payments").TLS()}})
	api := httpserver.DefaultSettings()
	api.Addr = "orders:9443"
	api.TLS = &tls.Config{Certificates: []tls.Certificate{w.ca.Issue(t, "orders").TLS()}}
	inMesh(&api, w.ca)
	init := func(_ context.Context, setup *brunt.Setup) ([]brunt.Service, error) {
		settings := httpclient.DefaultSettings()
		settings.BaseURL = "https://payments:8443"
		settings.TLS = &tls.Config{RootCAs: w.ca.Pool()}
		if change != nil {
			change(&settings)
		}
		client, err := httpclient.NewClient(setup, settings)
		if err != nil {
			return nil, err
		}
		svc, err := httpserver.NewService(setup, api, s.orders(client))
		return []brunt.Service{svc}, err
	}
	w.app, w.status = brunttest.Start(t, init, append([]brunttest.StartOption{
		brunttest.WithApp(brunt.WithHost(w.host.Host()), brunt.WithTelemetry(w.tel.Builder())),
	}, opts...)...)
	<-w.host.Listening("orders:9443")
	s.mesh, s.outside = w.client(w.ca.Issue(t, "checkout")), w.client()
	return s
}

// orders answers 502 when payments can't be reached, 503 when the breaker says so.
func (s *story) orders(client *http.Client) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /orders/{id}/pay", func(w http.ResponseWriter, r *http.Request) {
		req, err := http.NewRequestWithContext(r.Context(), http.MethodGet, "/charge", nil)
		if err != nil {
			panic(err)
		}
		resp, err := client.Do(req)
		if err != nil {
			s.errs = append(s.errs, err)
			status := http.StatusBadGateway
			if errors.Is(err, circuit.ErrRejected) {
				status = http.StatusServiceUnavailable
			}
			w.WriteHeader(status)
			return
		}
		resp.Body.Close()
	})
	return mux
}

// pay is a request of the edge with f at the point named at, or with no scenario for "".
func (s *story) pay(t *testing.T, from *http.Client, at string, f fit.Fault) (status int, took time.Duration) {
	t.Helper()
	header := "tenant=acme"
	if at != "" {
		header = scenarioHeader(t, fit.Scenario{Rules: []fit.Rule{{Point: at, Fault: f}}})
	}
	began := time.Now()
	status, _ = get(t, from, "https://orders:9443/orders/7/pay", "baggage", header)
	return status, time.Since(began)
}

// attempts are the spans of orders' attempts so far.
func (s *story) attempts() []brunttest.Span { return s.tel.SpansOfKind(trace.SpanKindClient) }

const injected = "github.com/brunt-go/brunt/fault.InjectedError"

// R197, R193, R194, R195: a caller in the mesh aborts payments, and nothing reaches it.
// The same from outside is stripped and served. A trusted scenario that spares payments
// goes on to it.
func TestStory_mesh(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := tell(t, func(c *httpclient.Settings) { c.ForwardScenario = true }, withFaults())
		abort := fit.Fault{Abort: true}
		if status, _ := s.pay(t, s.mesh, point, abort); status != 502 || len(s.payments.seen()) != 0 {
			t.Errorf("aborted from the mesh: %d, payments saw %v, want 502 and nothing", status, s.payments.seen())
		}
		if status, took := s.pay(t, s.outside, point, abort); status != 200 || took != 0 {
			t.Errorf("aborted from outside: %d after %v, want 200 at once", status, took)
		}
		if status, _ := s.pay(t, s.mesh, "http:ledger:8443", abort); status != 200 {
			t.Errorf("payments spared: %d, want 200", status)
		}
		s.app.Stop()
		var carried []bool
		for _, one := range s.payments.seen() {
			carried = append(carried, one.scenario)
		}
		if !slices.Equal(carried, []bool{false, true}) {
			t.Errorf("payments saw scenarios %v, want the trusted one alone", carried)
		}
		for i, want := range []int{0, 1, 0} { // R185
			if n := len(s.tel.SpansOfKind(trace.SpanKindServer)[i].EventsNamed("brunt.fit.strip")); n != want {
				t.Errorf("request %d was stripped %d times, want %d", i, n, want)
			}
		}
	})
}

// R196, R95, R84, R91, R180, R181: an aborted call is retried as one that fails, each
// attempt meets the fault, and each says so in spans and metrics.
func TestStory_abort(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := tell(t, nil, withFaults())
		if status, _ := s.pay(t, s.mesh, point, fit.Fault{Abort: true}); status != 502 {
			t.Errorf("answered %d, want 502", status)
		}
		s.app.Stop()
		if len(s.errs) != 1 || !errors.Is(s.errs[0], fit.ErrInjected) {
			t.Errorf("orders' call failed with %v, want the abort", s.errs)
		}
		attempts := s.attempts()
		if len(attempts) != 3 || len(s.payments.seen()) != 0 {
			t.Errorf("%d attempts, of which %d reached payments, want 3 and none", len(attempts), len(s.payments.seen()))
		}
		for _, a := range attempts {
			e := a.EventsNamed("brunt.fit.evaluation")
			if len(e) != 1 || e[0].Attribute("brunt.fit.point") != point || e[0].Attribute("brunt.fit.abort") != "true" || a.Attribute("error.type") != injected {
				t.Errorf("an attempt with %v and error.type %q", e, a.Attribute("error.type"))
			}
		}
		points := s.tel.Points("http.client.request.duration", attribute.String("error.type", injected))
		if len(points) != 1 || points[0].Count != 3 {
			t.Errorf("the metric counts %+v, want 3", points)
		}
	})
}

// R81, R78: the fifth aborted attempt in a row opens the breaker, for everybody, until it
// probes again.
func TestStory_breaker(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := tell(t, nil, withFaults())
		for range 2 {
			s.pay(t, s.mesh, point, fit.Fault{Abort: true})
		}
		if n := len(s.attempts()); n != 5 {
			t.Errorf("%d attempts before the breaker opened, want 5", n)
		}
		if status, took := s.pay(t, s.outside, "", fit.Fault{}); status != 503 || took != 0 {
			t.Errorf("a request without a scenario is answered %d after %v, want 503 at once", status, took)
		}
		time.Sleep(5 * time.Second)
		if status, _ := s.pay(t, s.outside, "", fit.Fault{}); status != 200 || len(s.payments.seen()) != 1 {
			t.Errorf("after 5 s: %d, and payments saw %d requests, want 200 and the probe", status, len(s.payments.seen()))
		}
	})
}

// R103, R189, R190, R191: whether the scenario goes on or not, the tenant and the trace
// of the attempt do.
func TestStory_forward(t *testing.T) {
	t.Parallel()
	for _, forward := range []bool{false, true} {
		t.Run(fmt.Sprint(forward), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := tell(t, func(c *httpclient.Settings) { c.ForwardScenario = forward }, withFaults())
				s.pay(t, s.mesh, "http:ledger:8443", fit.Fault{Abort: true})
				s.app.Stop()
				attempt := s.attempts()[0]
				want := []sent{{forward, "acme", attempt.SpanContext().SpanID().String()}}
				if got := s.payments.seen(); !slices.Equal(got, want) {
					t.Errorf("payments saw %+v, want %+v", got, want)
				}
				if stripped := len(attempt.EventsNamed("brunt.fit.strip")) == 1; stripped == forward {
					t.Errorf("the attempt was stripped: %v", stripped)
				}
			})
		})
	}
}

// R96, R93: a delay is part of the attempt, and the call goes on after it. R97, R99: one
// that is too long is cut, and cut again, until the call's time is over. Untrusted, it is
// none at all.
func TestStory_delay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := tell(t, nil, withFaults())
		if status, took := s.pay(t, s.mesh, point, fit.Fault{Delay: time.Second}); status != 200 || took != time.Second {
			t.Errorf("1 s: %d after %v, want 200 after 1s", status, took)
		}
		if d := s.attempts()[0].Duration(); d != time.Second {
			t.Errorf("1 s: the attempt took %v", d)
		}
		if status, took := s.pay(t, s.outside, point, fit.Fault{Delay: 8 * time.Second}); status != 200 || took != 0 {
			t.Errorf("8 s from outside: %d after %v, want 200 at once", status, took)
		}
		if status, took := s.pay(t, s.mesh, point, fit.Fault{Delay: 8 * time.Second}); status != 502 || took != 15*time.Second {
			t.Errorf("8 s: %d after %v, want 502 after 15s", status, took)
		}
		s.app.Stop()
		if len(s.errs) != 1 || !errors.Is(s.errs[0], context.DeadlineExceeded) || errors.Is(s.errs[0], fit.ErrInjected) {
			t.Errorf("orders' call failed with %v, want net/http's timeout", s.errs)
		}
		cut := s.attempts()[2:]
		if len(cut) != 3 {
			t.Errorf("%d attempts, want 3", len(cut))
		}
		for _, a := range cut {
			if a.Attribute("error.type") != injected || len(a.EventsNamed("brunt.fit.evaluation")) != 1 || a.Duration() > 5*time.Second {
				t.Errorf("an attempt of %v with error.type %q", a.Duration(), a.Attribute("error.type"))
			}
		}
	})
}

// R60, R61: without failure injection a scenario is baggage like any other.
func TestStory_off(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := tell(t, nil)
		if status, _ := s.pay(t, s.outside, point, fit.Fault{Abort: true}); status != 200 {
			t.Errorf("answered %d, want 200", status)
		}
		s.app.Stop()
		if got := s.payments.seen(); len(got) != 1 || !got[0].scenario || got[0].tenant != "acme" {
			t.Errorf("payments saw %+v, want the scenario too", got)
		}
		for _, name := range []string{"brunt.fit.evaluation", "brunt.fit.strip"} {
			if n := len(s.tel.EventsNamed(name)); n != 0 {
				t.Errorf("%d events %s", n, name)
			}
		}
	})
}
