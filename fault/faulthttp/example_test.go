package faulthttp_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"time"

	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel/baggage"

	"github.com/brunt-go/brunt/fault"
	"github.com/brunt-go/brunt/fault/faulthttp"
	"github.com/brunt-go/brunt/fault/jsonscenario"
	"github.com/brunt-go/brunt/fit"
)

// A service without any OpenTelemetry: one line in its client, one in its
// server. A caller it trusts makes its call to payments fail; for all others
// the service works as ever.
func Example() {
	codec, err := jsonscenario.New("acme.fault")
	if err != nil {
		fmt.Println(err)
		return
	}
	faults, err := fault.New(fault.Settings{Decoder: codec, MaxDelay: 10 * time.Second})
	if err != nil {
		fmt.Println(err)
		return
	}

	client := &http.Client{Transport: faulthttp.NewTransport(nil, faults)}
	orders := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		req, _ := http.NewRequestWithContext(r.Context(), http.MethodGet, "http://payments:8443/charge", nil)
		if _, err := client.Do(req); errors.Is(err, fit.ErrInjected) {
			http.Error(w, "payments can't be reached", http.StatusBadGateway)
		}
	})
	handler := faulthttp.NewHandler(orders, faults, faulthttp.TrustScenario(func(r *http.Request) bool {
		return r.Header.Get("X-From-Mesh") == "yes" // a gateway sets it, and strips it from the outside
	}))

	// The edge, or curl -H "baggage: ...".
	ctx, _ := fit.ContextWithScenario(context.Background(), codec, fit.Scenario{Rules: []fit.Rule{
		{Point: "http:payments:8443", Fault: fit.Fault{Abort: true}},
	}})
	r := httptest.NewRequest(http.MethodGet, "/orders/7", nil)
	r.Header.Set("Baggage", baggage.FromContext(ctx).String())
	r.Header.Set("X-From-Mesh", "yes")
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	fmt.Println(w.Code, w.Body)
	// Output: 502 payments can't be reached
}

// With OpenTelemetry, otelhttp goes around both: a delay is in the attempt's
// span then, and the events are on it.
func Example_otelhttp() {
	codec, err := jsonscenario.New("acme.fault")
	if err != nil {
		fmt.Println(err)
		return
	}
	faults, err := fault.New(fault.Settings{Decoder: codec, MaxDelay: 10 * time.Second})
	if err != nil {
		fmt.Println(err)
		return
	}
	handle := func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "charged") }
	fromMesh := func(r *http.Request) bool { return r.TLS != nil && len(r.TLS.VerifiedChains) > 0 }

	handler := otelhttp.NewHandler(
		faulthttp.NewHandler(http.HandlerFunc(handle), faults, faulthttp.TrustScenario(fromMesh)),
		"payments")
	client := &http.Client{Transport: otelhttp.NewTransport(
		faulthttp.NewTransport(http.DefaultTransport, faults, faulthttp.ForwardScenario()))}

	server := httptest.NewServer(handler)
	defer server.Close()
	resp, err := client.Get(server.URL)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body)
	fmt.Println(string(body))
	// Output: charged
}
