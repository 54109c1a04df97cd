package faulthttp_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel/attribute"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/brunt-go/brunt/fault"
	"github.com/brunt-go/brunt/fault/faulthttp"
	"github.com/brunt-go/brunt/fit"
)

// dependency is a server that keeps the headers it was sent.
type dependency struct {
	*httptest.Server
	headers []http.Header
}

func newDependency(t *testing.T) *dependency {
	t.Helper()
	d := &dependency{}
	d.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		d.headers = append(d.headers, r.Header.Clone())
		fmt.Fprint(w, "charged")
	}))
	t.Cleanup(d.Close)
	return d
}

func (d *dependency) point() string { return "http:" + strings.TrimPrefix(d.URL, "http://") }

// R92, R84, R186: an abort inside otelhttp is a failed client span
// and counted as one, with the InjectedError's error.type in both.
func TestTransport_abortInsideOtelhttp(t *testing.T) {
	t.Parallel()
	d := newDependency(t)
	recorder, provider := tracing()
	reader := sdkmetric.NewManualReader()
	meters := sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader))
	client := &http.Client{Transport: otelhttp.NewTransport(faulthttp.NewTransport(nil, injector(t)),
		otelhttp.WithTracerProvider(provider), otelhttp.WithMeterProvider(meters), otelhttp.WithPropagators(w3c))}
	for range 3 {
		ctx := carrying(t, t.Context(), d.point(), fit.Fault{Abort: true})
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, d.URL, strings.NewReader("1 EUR"))
		if err != nil {
			t.Fatal(err)
		}
		var ie *fault.InjectedError
		if _, err = client.Do(req); !errors.As(err, &ie) || !errors.Is(err, fit.ErrInjected) {
			t.Fatalf("err = %v, want an InjectedError", err)
		}
	}
	if len(d.headers) != 0 {
		t.Errorf("%d requests reached the dependency, want none", len(d.headers))
	}
	const want = "github.com/brunt-go/brunt/fault.InjectedError"
	spans := recorder.Ended()
	if len(spans) != 3 {
		t.Fatalf("%d spans, want one for each attempt", len(spans))
	}
	for _, s := range spans {
		if s.SpanKind() != trace.SpanKindClient || value(s.Attributes(), "error.type") != want {
			t.Errorf("a %v span with error.type %v, want client and %s", s.SpanKind(), value(s.Attributes(), "error.type"), want)
		}
		if got := events(s); !slices.Equal(got, []string{"brunt.fit.evaluation"}) {
			t.Errorf("events %q, want the evaluation on the attempt's span", got)
		}
	}
	if n := count(t, reader, want); n != 3 {
		t.Errorf("http.client.request.duration counts %d attempts with the error.type, want 3", n)
	}
}

func count(t *testing.T, reader sdkmetric.Reader, errorType string) (n uint64) {
	t.Helper()
	var all metricdata.ResourceMetrics
	if err := reader.Collect(context.Background(), &all); err != nil {
		t.Fatal(err)
	}
	for _, scope := range all.ScopeMetrics {
		for _, m := range scope.Metrics {
			if h, ok := m.Data.(metricdata.Histogram[float64]); ok && m.Name == "http.client.request.duration" {
				for _, p := range h.DataPoints {
					if v, _ := p.Attributes.Value(attribute.Key("error.type")); v.AsString() == errorType {
						n += p.Count
					}
				}
			}
		}
	}
	return n
}

// R101, R103, R190, R74: with otelhttp outside or inside, the dependency gets
// the attempt's trace and the tenant, and the scenario only if forwarded.
func TestTransport_otelhttpAround(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name           string
		inside, passes bool
		events         []string
	}{
		{"otelhttp_outside", false, false, []string{"brunt.fit.evaluation", "brunt.fit.strip"}},
		{"otelhttp_outside_forward", false, true, []string{"brunt.fit.evaluation"}},
		{"otelhttp_inside", true, false, nil},
		{"otelhttp_inside_forward", true, true, nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			d := newDependency(t)
			recorder, provider := tracing()
			var options []faulthttp.TransportOption
			if row.passes {
				options = forward()
			}
			otel := []otelhttp.Option{otelhttp.WithTracerProvider(provider), otelhttp.WithPropagators(w3c)}
			var transport http.RoundTripper
			if row.inside {
				transport = faulthttp.NewTransport(otelhttp.NewTransport(nil, otel...), injector(t), options...)
			} else {
				transport = otelhttp.NewTransport(faulthttp.NewTransport(nil, injector(t), options...), otel...)
			}
			ctx := carrying(t, t.Context(), "http:ledger:*", fit.Fault{Abort: true})
			get(t, &http.Client{Transport: transport}, ctx, d.URL)

			span := recorder.Ended()[0]
			h := d.headers[0]
			if want := "00-" + span.SpanContext().TraceID().String() + "-" + span.SpanContext().SpanID().String() + "-01"; h.Get("Traceparent") != want {
				t.Errorf("traceparent %q, want that of the attempt's span, %q", h.Get("Traceparent"), want)
			}
			want := "tenant=acme"
			if row.passes {
				want = header(t, "http:ledger:*", fit.Fault{Abort: true}) + " tenant=acme"
			}
			if members(h) != want {
				t.Errorf("baggage %q, want %q", members(h), want)
			}
			if got := events(span); !slices.Equal(got, row.events) {
				t.Errorf("events on the attempt's span %q, want %q", got, row.events)
			}
		})
	}
}

func get(t *testing.T, client *http.Client, ctx context.Context, target string) (int, string) { //nolint:revive // t first, as helpers have it
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, target, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(text)
}

// X6: a scenario that won't arrive is not sent on in silence.
func TestTransport_loss(t *testing.T) {
	t.Parallel()
	recorder, provider := tracing()
	ctx, span := provider.Tracer("test").Start(carrying(t, t.Context(), "x", fit.Fault{}), "attempt")
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, target, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Baggage", "big="+strings.Repeat("x", 8192))
	if _, err := faulthttp.NewTransport(&tripper{}, injector(t), forward()...).RoundTrip(req); err != nil {
		t.Fatal(err)
	}
	span.End()
	got := recorder.Ended()[0].Events()
	if len(got) != 2 || got[1].Name != "brunt.fit.loss" || !strings.Contains(fmt.Sprint(value(got[1].Attributes, "error.message")), "drops every member of one over 8192") {
		t.Errorf("events %+v, want an evaluation and a loss that says why", got)
	}
}

// R35, R191, R192: two services. orders trusts the mesh, and
// its call to payments is the point; payments decides for itself.
func TestTwoServices(t *testing.T) {
	t.Parallel()
	for _, withOtel := range []bool{false, true} {
		t.Run(fmt.Sprintf("otelhttp_%v", withOtel), func(t *testing.T) {
			t.Parallel()
			faults := injector(t)
			recorder, provider := tracing()
			around := func(h http.Handler, name string) http.Handler {
				if !withOtel {
					return h
				}
				return otelhttp.NewHandler(h, name, otelhttp.WithTracerProvider(provider), otelhttp.WithPropagators(w3c))
			}
			var carried []bool
			payments := httptest.NewServer(around(faulthttp.NewHandler(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				carried = append(carried, faults.Carries(r.Context()))
			}), faults, faulthttp.TrustScenario(everyone)), "payments"))
			defer payments.Close()

			var transport http.RoundTripper = faulthttp.NewTransport(nil, faults, faulthttp.ForwardScenario())
			if withOtel {
				transport = otelhttp.NewTransport(transport, otelhttp.WithTracerProvider(provider), otelhttp.WithPropagators(w3c))
			}
			orders := httptest.NewServer(around(faulthttp.NewHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				req, err := http.NewRequestWithContext(r.Context(), http.MethodGet, payments.URL, nil)
				if err != nil {
					t.Error(err)
					return
				}
				resp, err := (&http.Client{Transport: transport}).Do(req)
				if err != nil {
					http.Error(w, "payments can't be reached", http.StatusBadGateway)
					return
				}
				resp.Body.Close()
			}), faults, faulthttp.TrustScenario(func(r *http.Request) bool { return r.Header.Get("Mesh") != "" })), "orders"))
			defer orders.Close()

			u, err := url.Parse(payments.URL)
			if err != nil {
				t.Fatal(err)
			}
			abort := header(t, "http:"+u.Host, fit.Fault{Abort: true})
			spare := header(t, "http:ledger:8443", fit.Fault{Abort: true})
			status := func(scenario, mesh string) int {
				req, err := http.NewRequestWithContext(context.Background(), http.MethodGet, orders.URL, nil)
				if err != nil {
					t.Fatal(err)
				}
				req.Header.Set("Baggage", scenario)
				if mesh != "" {
					req.Header.Set("Mesh", mesh)
				}
				resp, err := http.DefaultClient.Do(req)
				if err != nil {
					t.Fatal(err)
				}
				resp.Body.Close()
				return resp.StatusCode
			}
			// The mesh aborts, the outside is stripped, what spares payments is
			// forwarded.
			if got := status(abort, "yes"); got != http.StatusBadGateway || len(carried) != 0 {
				t.Errorf("the mesh's abort gives %d and %d calls of payments, want 502 and none", got, len(carried))
			}
			if got := status(abort, ""); got != http.StatusOK {
				t.Errorf("the outside's abort gives %d, want 200", got)
			}
			if got := status(spare, "yes"); got != http.StatusOK {
				t.Errorf("a scenario of another dependency gives %d, want 200", got)
			}
			if !slices.Equal(carried, []bool{false, true}) {
				t.Errorf("payments saw a scenario %v, want only the trusted one", carried)
			}
			if withOtel {
				orders.Close() // a server's span ends after its answer is out
				if n := serverStrips(recorder.Ended()); n != 1 {
					t.Errorf("%d strips on server spans, want 1: the outside's at orders", n)
				}
			}
		})
	}
}

func serverStrips(spans []sdktrace.ReadOnlySpan) (n int) {
	for _, s := range spans {
		if s.SpanKind() == trace.SpanKindServer && slices.Contains(events(s), "brunt.fit.strip") {
			n++
		}
	}
	return n
}
