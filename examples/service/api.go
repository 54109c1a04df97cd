package main

import (
	"fmt"
	"net/http"

	"github.com/brunt-go/brunt"
)

// newAPI takes orders: POST /orders/{item} has payments charge the item's price.
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
	return mux
}

// fromMesh is whom orders trusts. A gateway sets the header on what comes from inside,
// and strips it from what comes from outside.
func fromMesh(r *http.Request) bool { return r.Header.Get("X-From-Mesh") == "yes" }
