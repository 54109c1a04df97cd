package main

import (
	"fmt"
	"io"
	"net/http"
	"net/url"

	"github.com/brunt-go/brunt/fault"
	"github.com/brunt-go/brunt/fault/faulthttp"
)

// newOrders takes orders: GET /orders/7 has payments charge it.
func newOrders(payments string, faults fault.Injector, forward bool) http.Handler {
	var options []faulthttp.TransportOption
	if forward {
		options = append(options, faulthttp.ForwardScenario())
	}
	client := &http.Client{Transport: faulthttp.NewTransport(nil, faults, options...)}

	mux := http.NewServeMux()
	mux.HandleFunc("GET /orders/{id}", func(w http.ResponseWriter, r *http.Request) {
		address := payments + "/charge?order=" + url.QueryEscape(r.PathValue("id"))
		req, err := http.NewRequestWithContext(r.Context(), http.MethodPost, address, nil)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		req.Header["Baggage"] = r.Header["Baggage"] // by hand, as there is no propagator
		resp, err := client.Do(req)
		if err != nil {
			http.Error(w, "not charged: "+err.Error(), http.StatusBadGateway)
			return
		}
		defer resp.Body.Close()
		w.WriteHeader(resp.StatusCode)
		fmt.Fprint(w, "payments says: ")
		_, _ = io.Copy(w, resp.Body) // the caller is gone, if it fails
	})
	return faulthttp.NewHandler(mux, faults, faulthttp.TrustScenario(fromMesh))
}

// fromMesh is whom orders trusts. A gateway sets the header on what comes from
// inside, and strips it from what comes from outside.
func fromMesh(r *http.Request) bool { return r.Header.Get("X-From-Mesh") == "yes" }
