package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"time"

	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace/noop"

	"github.com/brunt-go/brunt/fault"
	"github.com/brunt-go/brunt/fault/faulthttp"
)

// http measures what faulthttp adds to a loopback call of an otelhttp client, on
// a request without a scenario: its own time, around a RoundTripper that does
// nothing, as a part of the call's. The difference between whole calls with it
// and without it is far below what two runs of the same differ by; it is printed
// to show that.
func (t *table) http(faults fault.Injector, ctx context.Context) error { //nolint:revive // what is measured first
	propagators := propagation.NewCompositeTextMapPropagator(propagation.TraceContext{}, propagation.Baggage{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "ok") }))
	defer server.Close()
	client := func(base http.RoundTripper) *http.Client {
		return &http.Client{Transport: otelhttp.NewTransport(base,
			otelhttp.WithTracerProvider(noop.NewTracerProvider()), otelhttp.WithPropagators(propagators))}
	}
	base := &http.Transport{}
	defer base.CloseIdleConnections()
	without, with := client(base), client(faulthttp.NewTransport(base, faults))

	req, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL, nil)
	if err != nil {
		return err
	}
	plain, injected, err := calls(req, without, with)
	if err != nil {
		return err
	}
	propagators.Inject(ctx, propagation.HeaderCarrier(req.Header))
	layer := faulthttp.NewTransport(nothing{}, faults)
	trip := func(rt http.RoundTripper) func() {
		return func() { _, _ = rt.RoundTrip(req) } //nolint:bodyclose // there is no response
	}
	around, bare := fastest(trip(layer)), fastest(trip(nothing{}))

	share := 100 * (around - bare) / float64(plain.Nanoseconds())
	fmt.Printf("\n%-58s %10s %10s\n", "an otelhttp call over loopback, 10 members, no scenario", "figure", "limit")
	t.line("without faulthttp, median", plain.String(), "", "", true)
	t.line("with faulthttp, median", injected.String(), "", "", true)
	t.line("faulthttp alone", fmt.Sprintf("%.0f ns", around-bare), "", fmt.Sprint(allocs(trip(layer))), true)
	t.line("its part of the call", fmt.Sprintf("%.2f %%", share), "1.00 %", "", share <= 1)
	return nil
}

type nothing struct{}

func (nothing) RoundTrip(*http.Request) (*http.Response, error) { return nil, nil } //nolint:nilnil // nobody looks

// calls is the median time of a call of each client, taken in turns.
func calls(req *http.Request, a, b *http.Client) (time.Duration, time.Duration, error) {
	const rounds = 3_000
	var times [2][]time.Duration
	for range rounds {
		for i, c := range []*http.Client{a, b} {
			start := time.Now()
			resp, err := c.Do(req)
			if err != nil {
				return 0, 0, err
			}
			if _, err := io.Copy(io.Discard, resp.Body); err != nil {
				return 0, 0, err
			}
			resp.Body.Close()
			times[i] = append(times[i], time.Since(start))
		}
	}
	for _, t := range times {
		slices.Sort(t)
	}
	return times[0][rounds/2], times[1][rounds/2], nil
}
