package httpproxy_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"go.opentelemetry.io/otel/baggage"

	"github.com/brunt-go/brunt/fault/jsonscenario"
	"github.com/brunt-go/brunt/fit"
	"github.com/brunt-go/brunt/network/proxy/httpproxy"
)

// Of two requests through the same proxy, the one that carries a scenario fails.
func ExampleWithScenarios() {
	payments := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "paid, baggage %q", r.Header.Get("Baggage"))
	}))
	defer payments.Close()
	s := httpproxy.DefaultSettings()
	s.Name, s.Upstream = "payments", payments.URL

	codec, err := jsonscenario.New("acme.fault")
	if err != nil {
		fmt.Println(err)
		return
	}
	fromMesh := func(r *http.Request) bool { return r.Header.Get("X-From-Mesh") == "yes" }
	proxy, err := httpproxy.New(s, httpproxy.WithScenarios(codec, fromMesh))
	if err != nil {
		fmt.Println(err)
		return
	}
	front := httptest.NewServer(proxy)
	defer front.Close()

	scenario, err := codec.Encode(baggage.Baggage{}, fit.Scenario{Rules: []fit.Rule{{
		Point: proxy.Point(), Fault: fit.Fault{Reply: fit.Reply{Status: 503}},
	}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, mesh := range []string{"yes", "no"} {
		r, err := http.NewRequest(http.MethodGet, front.URL+"/pay", nil)
		if err != nil {
			fmt.Println(err)
			return
		}
		r.Header.Set("Baggage", "tenant=blue,"+scenario.String())
		r.Header.Set("X-From-Mesh", mesh)
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			fmt.Println(err)
			return
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		fmt.Println(resp.StatusCode, string(body), err)
	}
	// Output:
	// 503  <nil>
	// 200 paid, baggage "tenant=blue" <nil>
}
