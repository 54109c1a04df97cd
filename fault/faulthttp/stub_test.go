package faulthttp_test

import (
	"context"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/baggage"
	"go.opentelemetry.io/otel/propagation"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/brunt-go/brunt/fault"
	"github.com/brunt-go/brunt/fault/jsonscenario"
	"github.com/brunt-go/brunt/fit"
)

const key = "acme.fault"

func codec(t testing.TB) jsonscenario.Codec {
	t.Helper()
	c, err := jsonscenario.New(key)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func injector(t testing.TB) fault.Injector {
	t.Helper()
	settings := fault.DefaultSettings()
	settings.Decoder = codec(t)
	in, err := fault.New(settings)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// carrying returns ctx with a tenant and a scenario of one rule.
func carrying(t testing.TB, ctx context.Context, point string, f fit.Fault) context.Context { //nolint:revive // t first, as helpers have it
	t.Helper()
	ctx, err := fit.ContextWithScenario(tenant(t, ctx), codec(t), fit.Scenario{Rules: []fit.Rule{{Point: point, Fault: f}}})
	if err != nil {
		t.Fatal(err)
	}
	return ctx
}

func tenant(t testing.TB, ctx context.Context) context.Context { //nolint:revive // t first, as helpers have it
	t.Helper()
	b, err := baggage.Parse("tenant=acme")
	if err != nil {
		t.Fatal(err)
	}
	return baggage.ContextWithBaggage(ctx, b)
}

// header is the baggage header of a scenario with one rule.
func header(t testing.TB, point string, f fit.Fault) string {
	t.Helper()
	return baggage.FromContext(carrying(t, context.Background(), point, f)).Member(key).String()
}

// tripper is a RoundTripper that answers ok and keeps what it was sent.
type tripper struct {
	sent   []*http.Request
	body   string
	answer io.ReadCloser
	err    error
	idle   int
}

func (tr *tripper) CloseIdleConnections() { tr.idle++ }

func (tr *tripper) RoundTrip(req *http.Request) (*http.Response, error) {
	tr.sent = append(tr.sent, req)
	if req.Body != nil {
		b, _ := io.ReadAll(req.Body)
		tr.body = string(b)
		req.Body.Close()
	}
	if tr.err != nil {
		return nil, tr.err
	}
	if tr.answer == nil {
		tr.answer = io.NopCloser(strings.NewReader("ok"))
	}
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: tr.answer, Request: req}, nil
}

// body tells whether it was closed.
type body struct {
	io.Reader
	closed int
}

func (b *body) Close() error { b.closed++; return nil }

// members are the members of a baggage header, sorted.
func members(h http.Header) string {
	var all []string
	for _, line := range h["Baggage"] {
		all = append(all, strings.Split(line, ",")...)
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

// tracing is a recorder and the provider that feeds it.
func tracing() (*tracetest.SpanRecorder, *sdktrace.TracerProvider) {
	recorder := tracetest.NewSpanRecorder()
	return recorder, sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(recorder))
}

// events are the names of a span's events.
func events(s sdktrace.ReadOnlySpan) []string {
	var names []string
	for _, e := range s.Events() {
		names = append(names, e.Name)
	}
	return names
}

// value is the value of an attribute.
func value(all []attribute.KeyValue, key attribute.Key) any {
	for _, kv := range all {
		if kv.Key == key {
			return kv.Value.AsInterface()
		}
	}
	return nil
}

var w3c = propagation.NewCompositeTextMapPropagator(propagation.TraceContext{}, propagation.Baggage{})
