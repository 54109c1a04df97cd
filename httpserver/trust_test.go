package httpserver_test

import (
	"context"
	"crypto/tls"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"

	"go.opentelemetry.io/otel/baggage"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/brunttest"
	"github.com/brunt-go/brunt/fault"
	"github.com/brunt-go/brunt/fault/jsonscenario"
	"github.com/brunt-go/brunt/health"
	"github.com/brunt-go/brunt/health/httphealth"
	"github.com/brunt-go/brunt/httpserver"
)

// inMesh trusts a caller whose certificate the mesh's authority vouches for.
func inMesh(s *httpserver.Settings, ca *brunttest.CA) {
	s.TLS.ClientAuth = tls.VerifyClientCertIfGiven
	s.TLS.ClientCAs = ca.Pool()
	s.TrustScenario = func(r *http.Request) bool { return r.TLS != nil && len(r.TLS.VerifiedChains) > 0 }
}

// Whose scenario reaches the handler, and what is left of a request that is stripped.
func TestTrustScenario(t *testing.T) {
	t.Parallel()
	trust := func(f func(*http.Request) bool) func(*httpserver.Settings, *brunttest.CA) {
		return func(s *httpserver.Settings, _ *brunttest.CA) { s.TrustScenario = f }
	}
	unasked := func(*http.Request) bool { panic("asked") }
	rows := []struct {
		name     string
		change   func(*httpserver.Settings, *brunttest.CA)
		on, mesh bool
		header   string
		scenario bool // reaches the handler
		strips   int
	}{
		// R134, R138, R145: nobody is trusted by default.
		{"default", nil, true, true, scenarioHeader(t, abort), false, 1},
		// R139.
		{"trusted", trust(func(*http.Request) bool { return true }), true, false, scenarioHeader(t, abort), true, 0},
		{"denied", trust(func(r *http.Request) bool { return r.Host != "orders:9443" }), true, false, scenarioHeader(t, abort), false, 1},
		// R146.
		{"certificate_of_the_mesh", inMesh, true, true, scenarioHeader(t, abort), true, 0},
		{"no_certificate", inMesh, true, false, scenarioHeader(t, abort), false, 1},
		// R135: only about a request that carries one.
		{"no_scenario", trust(unasked), true, false, "tenant=acme", false, 0},
		// R136, R60: only with failure injection on; without it a scenario is baggage.
		{"off", trust(unasked), false, false, scenarioHeader(t, abort), true, 0},
		// D11: what can't be decoded goes the way of what can.
		{"undecodable", nil, true, false, "tenant=acme,acme.fault=nonsense", false, 1},
		{"undecodable_and_trusted", trust(func(*http.Request) bool { return true }), true, false, "tenant=acme,acme.fault=nonsense", true, 0},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var seen baggage.Baggage
				handler := http.NewServeMux()
				handler.HandleFunc("GET /orders/{id}", func(_ http.ResponseWriter, r *http.Request) {
					seen = baggage.FromContext(r.Context())
					fromHeader, _ := baggage.Parse(r.Header.Get("Baggage"))
					if has := fromHeader.Member(key).Key() != ""; has != row.scenario {
						t.Errorf("the header carries a scenario: %v, want %v", has, row.scenario)
					}
				})
				var opts []brunttest.StartOption
				if row.on {
					opts = append(opts, withFaults())
				}
				w := serve(t, handler, row.change, opts...)
				var certificates []*brunttest.Certificate
				if row.mesh {
					certificates = append(certificates, w.ca.Issue(t, "checkout"))
				}
				if status, body := get(t, w.client(certificates...), "https://orders:9443/orders/7", "baggage", row.header); status != 200 {
					t.Fatalf("answered %d %q, want 200: a request is served, trusted or not", status, body)
				}
				w.app.Stop()

				if has := seen.Member(key).Key() != ""; has != row.scenario {
					t.Errorf("the handler's context carries a scenario: %v, want %v", has, row.scenario)
				}
				if got := seen.Member("tenant").Value(); got != "acme" {
					t.Errorf("the tenant is %q, want acme", got)
				}
				// R185: the event is on the server's span, without attributes.
				spans := w.tel.SpansOfKind(trace.SpanKindServer)
				if len(spans) != 1 || spans[0].Name() != "GET /orders/{id}" {
					t.Fatalf("spans %v, want one of the route", spans)
				}
				strips := spans[0].EventsNamed("brunt.fit.strip")
				if len(strips) != row.strips || len(w.tel.EventsNamed("brunt.fit.strip")) != row.strips {
					t.Errorf("stripped %d times, want %d", len(strips), row.strips)
				}
				for _, e := range strips {
					if len(e.Attributes) != 0 {
						t.Errorf("the event has attributes %v", e.Attributes)
					}
				}
				if got := w.warnings(); len(got) != 0 { // R33
					t.Errorf("logged %q", got)
				}
			})
		})
	}
}

// R137, R141, R143: the strip is before all of the handler's code, and TrustScenario is
// asked inside of the request's span.
func TestTrustScenario_order(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		type principal struct{}
		var asked, authenticated bool
		authentication := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			authenticated = true
			if !asked || baggage.FromContext(r.Context()).Member(key).Key() != "" {
				t.Error("the handler's code ran before the strip")
			}
		})
		w := serve(t, authentication, func(s *httpserver.Settings, _ *brunttest.CA) {
			s.TrustScenario = func(r *http.Request) bool {
				asked = true
				if !trace.SpanFromContext(r.Context()).IsRecording() || r.Context().Value(principal{}) != nil || authenticated {
					t.Error("asked outside of the span, or after authentication")
				}
				return false
			}
		}, withFaults())
		get(t, w.client(), "https://orders:9443/", "baggage", scenarioHeader(t, abort))
		if !authenticated {
			t.Error("the handler did not run")
		}
	})
}

// R142, R144: a panic in TrustScenario is recorded, fails that request, and no other.
func TestTrustScenario_panic(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		served := 0
		handler := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { served++ })
		w := serve(t, handler, func(s *httpserver.Settings, _ *brunttest.CA) {
			s.TrustScenario = func(*http.Request) bool { panic("no policy") }
		}, withFaults())
		c := w.client()
		if status, body := get(t, c, "https://orders:9443/", "baggage", scenarioHeader(t, abort)); status != 500 || body != "internal server error\n" {
			t.Errorf("answered %d %q, want 500", status, body)
		}
		if status, _ := get(t, c, "https://orders:9443/"); status != 200 || served != 1 {
			t.Errorf("the next request is answered %d, and %d reached the handler", status, served)
		}
		if got := w.warnings(); len(got) != 1 || got[0] != "ERROR handler panicked: no policy" {
			t.Errorf("logged %q", got)
		}
		if status := w.app.Stop(); status.Code() != 0 {
			t.Error(status)
		}
	})
}

// R162: a probe handler that shares the server is behind its strip.
func TestProbesBehindTheStrip(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var seen baggage.Baggage
		ready := health.MonitorFunc(func(ctx context.Context) (bool, error) {
			seen = baggage.FromContext(ctx)
			return true, nil
		})
		mux := http.NewServeMux()
		mux.Handle("/health/", httphealth.NewHandler(&brunt.Setup{}, health.Readiness(ready)))
		w := serve(t, mux, nil, withFaults())
		status, body := get(t, w.client(), "https://orders:9443/health/readiness", "baggage", scenarioHeader(t, abort))
		if status != 200 || body != "ok\n" {
			t.Errorf("answered %d %q", status, body)
		}
		if seen.Member(key).Key() != "" || seen.Member("tenant").Value() != "acme" {
			t.Errorf("the monitor sees %v, want the tenant alone", seen)
		}
		if n := len(w.tel.EventsNamed("brunt.fit.strip")); n != 1 {
			t.Errorf("%d strips, want 1", n)
		}
	})
}

// R61, R64: a Setup that a test made, its Injector from fault.New; the layers without a
// server, around any handler.
func TestNewHandler(t *testing.T) {
	t.Parallel()
	codec, err := jsonscenario.New(key)
	if err != nil {
		t.Fatal(err)
	}
	settings := fault.DefaultSettings()
	settings.Decoder = codec
	faults, err := fault.New(settings)
	if err != nil {
		t.Fatal(err)
	}
	var carries bool
	h, err := httpserver.NewHandler(&brunt.Setup{Faults: faults}, httpserver.DefaultSettings(),
		http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { carries = faults.Carries(r.Context()) }))
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest("GET", "/", nil)
	propagation.HeaderCarrier(r.Header).Set("baggage", scenarioHeader(t, abort))
	out := httptest.NewRecorder()
	h.ServeHTTP(out, r)
	if out.Code != 200 || carries {
		t.Errorf("answered %d, the handler sees a scenario: %v", out.Code, carries)
	}
}
