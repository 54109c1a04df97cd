package faulthttp_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/baggage"
	"go.opentelemetry.io/otel/trace"

	"github.com/brunt-go/brunt/fault"
	"github.com/brunt-go/brunt/fault/faulthttp"
	"github.com/brunt-go/brunt/fit"
)

// serve gives the handler one request and returns what the handler inside saw.
func serve(t *testing.T, faults fault.Injector, ctx context.Context, lines []string, options ...faulthttp.HandlerOption) (seen *http.Request) { //nolint:revive // t first, as helpers have it
	t.Helper()
	h := faulthttp.NewHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = r
		w.WriteHeader(http.StatusNoContent)
	}), faults, options...)
	r := httptest.NewRequestWithContext(ctx, http.MethodGet, "/orders/7", nil)
	if lines != nil {
		r.Header["Baggage"] = lines
	}
	before := strings.Join(lines, "\n")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if w.Code != http.StatusNoContent {
		t.Errorf("served with %d, want 204", w.Code)
	}
	if strings.Join(r.Header["Baggage"], "\n") != before {
		t.Error("the request's own header was changed")
	}
	return seen
}

func everyone(*http.Request) bool { return true }

// R134, R137, R138, R139: who is not trusted is served, without the
// scenario.
func TestHandler(t *testing.T) {
	t.Parallel()
	abort := fit.Fault{Abort: true}
	scenario := header(t, point, abort)
	extracted := carrying(t, t.Context(), point, abort)
	rows := []struct {
		name    string
		ctx     context.Context
		header  []string
		options []faulthttp.HandlerOption
		carries bool
		left    string // of the header
	}{
		{"default", extracted, []string{"tenant=acme," + scenario}, nil, false, "tenant=acme"},
		{"default_without_opentelemetry", t.Context(), []string{"tenant=acme," + scenario}, nil, false, "tenant=acme"},
		{"trusted", extracted, []string{"tenant=acme," + scenario}, trust(everyone), true, "tenant=acme," + scenario},
		{"trusted_without_opentelemetry", t.Context(), []string{"tenant=acme," + scenario}, trust(everyone), true, "tenant=acme," + scenario},
		{"asked_and_denied", extracted, []string{"tenant=acme," + scenario}, trust(func(r *http.Request) bool { return r.URL.Path != "/orders/7" }), false, "tenant=acme"},
		{"nil_trust", extracted, []string{scenario + ",tenant=acme"}, trust(nil), false, "tenant=acme"},
		{"unreadable", t.Context(), []string{"tenant=acme,acme.fault=%zz"}, nil, false, "tenant=acme"},
		{"undecodable", t.Context(), []string{"tenant=acme,acme.fault=nonsense"}, nil, false, "tenant=acme"},
		{"undecodable_and_trusted", t.Context(), []string{"tenant=acme,acme.fault=nonsense"}, trust(everyone), true, "tenant=acme,acme.fault=nonsense"},
		// R135: nobody is asked about a request without one.
		{"no_scenario", tenant(t, t.Context()), []string{"tenant=acme"}, trust(func(*http.Request) bool { panic("asked") }), false, "tenant=acme"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			in := injector(t)
			r := serve(t, in, row.ctx, row.header, row.options...)
			if in.Carries(r.Context()) != row.carries {
				t.Errorf("the handler's context carries a scenario: %v, want %v", !row.carries, row.carries)
			}
			if got := in.Eval(r.Context(), point).Abort; got != (row.carries && row.name != "undecodable_and_trusted") {
				t.Errorf("its point aborts: %v", got)
			}
			if got := strings.Join(r.Header["Baggage"], "\n"); got != row.left {
				t.Errorf("the handler's header is %q, want %q", got, row.left)
			}
			if got := baggage.FromContext(r.Context()).Member("tenant").Value(); got != "acme" && row.name != "unreadable" {
				t.Errorf("the tenant is %q, want acme", got)
			}
		})
	}
}

func trust(f func(*http.Request) bool) []faulthttp.HandlerOption {
	return []faulthttp.HandlerOption{faulthttp.TrustScenario(f)}
}

// prefixed is a Decoder of all members whose keys start with fault.
type prefixed struct{}

func (prefixed) Decode(b baggage.Baggage) (fit.Scenario, bool, error) {
	return fit.Scenario{}, prefixed{}.Strip(b).Len() < b.Len(), nil
}

func (prefixed) Strip(b baggage.Baggage) baggage.Baggage {
	for _, m := range b.Members() {
		if strings.HasPrefix(m.Key(), "fault") {
			b = b.DeleteMember(m.Key())
		}
	}
	return b
}

// A megabyte of scenarios is taken out like one, and no more of them go into a
// context than baggage may have.
func TestHandler_hostileHeader(t *testing.T) {
	t.Parallel()
	faults, err := fault.New(fault.Settings{Decoder: prefixed{}, MaxDelay: 1})
	if err != nil {
		t.Fatal(err)
	}
	var line strings.Builder
	for i := range 70_000 {
		fmt.Fprintf(&line, "fault%d=x,", i)
	}
	r := serve(t, faults, t.Context(), []string{line.String() + "tenant=acme"})
	if got := r.Header["Baggage"]; len(got) != 1 || got[0] != "tenant=acme" || faults.Carries(r.Context()) {
		t.Errorf("the header is %.100q, the context carries a scenario: %v", got, faults.Carries(r.Context()))
	}
	r = serve(t, faults, t.Context(), []string{line.String() + "tenant=acme"}, trust(everyone)...)
	if n := baggage.FromContext(r.Context()).Len(); n != fit.MaxMembers {
		t.Errorf("%d members went into the context, want %d", n, fit.MaxMembers)
	}
}

// What is no member stays where it was, and a megabyte of it costs little more
// memory than it takes.
func TestHandler_commas(t *testing.T) { //nolint:paralleltest // it counts what the whole process allocates
	const n = 1 << 20
	commas := strings.Repeat(",", n)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r := serve(t, injector(t), t.Context(), []string{commas + header(t, "*", fit.Fault{Abort: true}) + ",tenant=acme"})
	runtime.ReadMemStats(&after)
	if got := r.Header["Baggage"]; len(got) != 1 || got[0] != commas+"tenant=acme" {
		t.Errorf("the header is left as %.100q", got)
	}
	if bytes := after.TotalAlloc - before.TotalAlloc; bytes > 32*n {
		t.Errorf("it took %d bytes, want at most 32 times those of the header", bytes)
	}
}

// R136: with injection off nobody is asked and nothing stripped.
func TestHandler_off(t *testing.T) {
	t.Parallel()
	ctx := carrying(t, t.Context(), point, fit.Fault{Abort: true})
	r := serve(t, fault.Injector{}, ctx, []string{"acme.fault=x"}, trust(func(*http.Request) bool { panic("asked") })...)
	if r.Header.Get("Baggage") != "acme.fault=x" || baggage.FromContext(r.Context()).Len() != 2 {
		t.Error("the zero Injector stripped")
	}
}

// R142: a panic in trust is the server's to handle.
func TestHandler_panic(t *testing.T) {
	t.Parallel()
	defer func() {
		if got := recover(); got != "trust" {
			t.Errorf("recovered %v, want the panic of trust", got)
		}
	}()
	serve(t, injector(t), carrying(t, t.Context(), point, fit.Fault{}), nil, trust(func(*http.Request) bool { panic("trust") })...)
}

// R138, R185: a strip is an event on the server's span.
func TestHandler_event(t *testing.T) {
	t.Parallel()
	recorder, provider := tracing()
	ctx, span := provider.Tracer("test").Start(t.Context(), "server", trace.WithSpanKind(trace.SpanKindServer))
	serve(t, injector(t), ctx, []string{header(t, point, fit.Fault{})})
	serve(t, injector(t), ctx, []string{"tenant=acme"})
	span.End()
	if got := events(recorder.Ended()[0]); len(got) != 1 || got[0] != "brunt.fit.strip" {
		t.Errorf("events %q, want one strip", got)
	}
}

// X5: a trusted request's scenario is decoded once, whatever number of points
// it passes.
func TestHandler_decodesOnce(t *testing.T) {
	t.Parallel()
	counting := &counter{Decoder: codec(t)}
	faults, err := fault.New(fault.Settings{Decoder: counting, MaxDelay: 1})
	if err != nil {
		t.Fatal(err)
	}
	r := serve(t, faults, t.Context(), []string{header(t, point, fit.Fault{Abort: true})}, trust(everyone)...)
	for range 10 {
		if !faults.Eval(r.Context(), point).Abort {
			t.Fatal("the point was spared")
		}
	}
	if counting.decodes != 1 {
		t.Errorf("decoded %d times, want 1", counting.decodes)
	}
}

type counter struct {
	fit.Decoder
	decodes int
}

func (c *counter) Keys() []string { return []string{key} }

func (c *counter) Decode(b baggage.Baggage) (fit.Scenario, bool, error) {
	c.decodes++
	return c.Decoder.Decode(b)
}

func TestHandler_allocations(t *testing.T) { //nolint:paralleltest // AllocsPerRun counts the whole process
	h := faulthttp.NewHandler(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}), injector(t), trust(everyone)...)
	r := httptest.NewRequestWithContext(tenant(t, t.Context()), http.MethodGet, "/", nil)
	r.Header.Set("Baggage", "tenant=acme")
	if n := testing.AllocsPerRun(100, func() { h.ServeHTTP(nil, r) }); n != 0 {
		t.Errorf("a request without a scenario: %v allocations, want 0", n)
	}
}
