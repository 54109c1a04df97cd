package main

import (
	"fmt"
	"net/http"

	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/fault/faulthttp"
)

// newAPI takes orders: POST /orders/{item} has payments charge the item's price.
//
// OpenTelemetry is outermost, so that faulthttp finds the request's baggage read and its
// span begun. It strips the scenarios of whoever isn't trusted before our code runs.
func newAPI(s *brunt.Setup, prices *prices, payments *payments) http.Handler {
	log := s.Telemetry.Logger("orders")
	mux := http.NewServeMux()
	mux.HandleFunc("POST /orders/{item}", func(w http.ResponseWriter, r *http.Request) {
		item := r.PathValue("item")
		price, ok := prices.of(item)
		if !ok {
			http.Error(w, "no such item", http.StatusNotFound)
			return
		}
		if err := payments.charge(r.Context(), item, price); err != nil {
			log.ErrorContext(r.Context(), "order not charged", "item", item, "error", err.Error())
			http.Error(w, "not charged: "+err.Error(), http.StatusBadGateway)
			return
		}
		fmt.Fprintf(w, "charged %d for %s\n", price, item)
	})
	return otelhttp.NewHandler(
		faulthttp.NewHandler(mux, s.Faults, faulthttp.TrustScenario(fromMesh)),
		"orders", instrumented(s)...)
}

// fromMesh is whom orders trusts. A gateway sets the header on what comes from inside,
// and strips it from what comes from outside.
func fromMesh(r *http.Request) bool { return r.Header.Get("X-From-Mesh") == "yes" }

// instrumented has otelhttp use the App's telemetry and not the globals.
func instrumented(s *brunt.Setup) []otelhttp.Option {
	return []otelhttp.Option{
		otelhttp.WithTracerProvider(s.Telemetry.TracerProvider),
		otelhttp.WithMeterProvider(s.Telemetry.MeterProvider),
		otelhttp.WithPropagators(s.Telemetry.Propagator),
	}
}
