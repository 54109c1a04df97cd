package httpclient_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/baggage"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/brunt-go/brunt/fault"
	"github.com/brunt-go/brunt/fit"
	"github.com/brunt-go/brunt/httpclient"
)

// What goes on to payments. R64, R74, R89, R101, R102, R103, R185, R187, R188, R189, R190.
func TestClient_strip(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name    string
		forward bool
		rules   []fit.Rule
		member  bool
		strips  int
	}{
		{"stripped", false, []fit.Rule{spare()}, false, 1},
		{"forwarded", true, []fit.Rule{spare()}, true, 0},
		{"nothing_to_strip", false, nil, false, 0},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			story(t, nil, func(s *httpclient.Settings) { s.ForwardScenario = row.forward }, func(t *testing.T, r *rig) {
				ctx, end := r.carrying(row.rules...)
				req, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://payments:8443/charge", nil)
				if err != nil {
					t.Fatal(err)
				}
				resp, err := r.client.Do(req)
				if err != nil {
					t.Fatal(err)
				}
				resp.Body.Close()
				end()
				if len(req.Header) != 0 || req.Context() != ctx {
					t.Errorf("the caller's request was changed: %v", req.Header)
				}
				span, header := r.attempts()[0], r.requests()[0]
				sent := header.Get("Baggage")
				if strings.Contains(sent, "acme.fault=") != row.member || !strings.Contains(sent, "tenant=acme") {
					t.Errorf("baggage %q", sent)
				}
				sc := span.SpanContext()
				if want := "00-" + sc.TraceID().String() + "-" + sc.SpanID().String() + "-01"; header.Get("Traceparent") != want {
					t.Errorf("traceparent %q, want the attempt's, %q", header.Get("Traceparent"), want)
				}
				strips := span.EventsNamed("brunt.fit.strip")
				if len(strips) != row.strips || row.strips > 0 && len(strips[0].Attributes) > 0 {
					t.Errorf("strips %v, want %d without attributes", strips, row.strips)
				}
			})
		})
	}
}

// A propagator that has headers of its own is stripped too. R101.
func TestClient_stripOtherHeaders(t *testing.T) {
	t.Parallel()
	story(t, nil, nil, func(t *testing.T, r *rig) {
		r.setup.Telemetry.Propagator = elsewhere{}
		r.client = r.newClient(nil)
		if status, err := r.get(spare()); status != http.StatusOK {
			t.Fatal(status, err)
		}
		if sent := r.requests()[0].Get("My-Baggage"); sent != "tenant=acme" {
			t.Errorf("payments gets %q, want the tenant alone", sent)
		}
	})
}

// elsewhere carries baggage in a header of its own.
type elsewhere struct{ propagation.Baggage }

func (elsewhere) Inject(ctx context.Context, c propagation.TextMapCarrier) {
	c.Set("My-Baggage", baggage.FromContext(ctx).String())
}

func (elsewhere) Fields() []string { return []string{"My-Baggage"} }

// Without failure injection a scenario is baggage like any other. R60.
func TestClient_off(t *testing.T) {
	t.Parallel()
	story(t, nil, nil, func(t *testing.T, r *rig) {
		r.setup.Faults = fault.Injector{}
		r.client = r.newClient(nil)
		status, err := r.get(abort())
		if status != http.StatusOK || !strings.Contains(r.requests()[0].Get("Baggage"), "acme.fault=") {
			t.Errorf("%d, %v", status, err)
		}
		if n := len(r.attempts()[0].Events()); n != 0 {
			t.Errorf("%d events", n)
		}
	})
}

// The point is the host and port of BaseURL, whatever the path; always with a port.
// R67, R68, R73, R104.
func TestClient_point(t *testing.T) {
	t.Parallel()
	rows := []struct{ name, base, target, want string }{
		{"relative", "https://payments:8443", "/charge", point},
		{"path_in_the_base", "https://payments:8443/v1", "/charge?x=1", point},
		{"absolute", "https://payments:8443", "https://payments:8443/refund", point},
		{"https", "https://payments", "/", "http:payments:443"},
		{"http", "http://payments", "/", "http:payments:80"},
		{"upper_case", "https://PAYMENTS", "https://payments:443/", "http:payments:443"},
		{"address", "http://[::1]:9090", "/", "http:[::1]:9090"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			story(t, nil, func(s *httpclient.Settings) { s.BaseURL = row.base }, func(t *testing.T, r *rig) {
				ctx, end := r.carrying(fit.Rule{Point: "http:*", Fault: fit.Fault{Abort: true}})
				defer end()
				_, _, err := r.do(ctx, http.MethodGet, row.target, nil)
				var ie *fault.InjectedError
				if !errors.As(err, &ie) || ie.Point != row.want {
					t.Errorf("err = %v, want an abort at %s", err, row.want)
				}
				for _, s := range r.tel.SpansOfKind(trace.SpanKindClient) {
					if e := s.EventsNamed("brunt.fit.evaluation"); e[0].Attribute("brunt.fit.point") != row.want {
						t.Errorf("%v", e)
					}
				}
			})
		})
	}
}

// The ordinal of an attempt, replies and lost answers. X1, X3, X4.
func TestClient_additions(t *testing.T) {
	t.Parallel()
	lost := fit.Rule{Point: point, Fault: fit.Fault{Lost: true}, Attempts: fit.Attempts{First: 1, Last: 1}}
	rows := []struct {
		name     string
		method   string
		headers  []string
		rule     fit.Rule
		status   int // 0 is an error
		attempts int
		arrived  int
	}{
		{"first_two_fail", "GET", nil, fit.Rule{Point: point, Fault: fit.Fault{Abort: true}, Attempts: fit.Attempts{First: 1, Last: 2}}, 200, 3, 1},
		{"reply_retried", "GET", nil, fit.Rule{Point: point, Fault: fit.Fault{Reply: fit.Reply{Status: 503}}}, 503, 3, 0},
		{"reply_that_stands", "GET", nil, fit.Rule{Point: point, Fault: fit.Fault{Reply: fit.Reply{Status: 404}}}, 404, 1, 0},
		{"lost_is_retried", "GET", nil, lost, 200, 2, 2},
		{"lost_post_is_not", "POST", nil, lost, 0, 1, 1},
		{"lost_post_with_a_key_is", "POST", []string{"Idempotency-Key: 7"}, lost, 200, 2, 2},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			story(t, nil, nil, func(t *testing.T, r *rig) {
				ctx, end := r.carrying(row.rule)
				defer end()
				status, _, err := r.do(ctx, row.method, "/charge", nil, row.headers...)
				if status != row.status || (err != nil) != (row.status == 0) || len(r.attempts()) != row.attempts || len(r.requests()) != row.arrived {
					t.Errorf("%d, %v after %d attempts of which %d arrived, want %d after %d and %d", status, err, len(r.attempts()), len(r.requests()), row.status, row.attempts, row.arrived)
				}
			})
		})
	}
}
