package main

import (
	"context"
	"fmt"
	"net/http"
	"sync"

	"github.com/brunt-go/brunt/fault"
	"github.com/brunt-go/brunt/fault/faulthttp"
)

// newPayments charges orders: POST /charge?order=7. How often it was asked to is
// at GET /asked?order=7.
func newPayments(faults fault.Injector) http.Handler {
	var mu sync.Mutex
	asked := map[string]int{}

	mux := http.NewServeMux()
	mux.HandleFunc("POST /charge", func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked[r.FormValue("order")]++
		mu.Unlock()
		if err := faults.Do(r.Context(), "bank:charge", charge); err != nil {
			http.Error(w, "the bank: "+err.Error(), http.StatusBadGateway)
			return
		}
		fmt.Fprintf(w, "charged, baggage %q\n", r.Header.Get("Baggage"))
	})
	mux.HandleFunc("GET /asked", func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintln(w, asked[r.FormValue("order")])
	})
	return faulthttp.NewHandler(mux, faults, faulthttp.TrustScenario(fromAnyone))
}

// fromAnyone trusts every caller: only orders can reach payments.
func fromAnyone(*http.Request) bool { return true }

// charge stands for a call to the bank.
func charge(context.Context) error { return nil }
