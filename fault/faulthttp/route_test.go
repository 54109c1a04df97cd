package faulthttp_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/brunt-go/brunt/fault/faulthttp"
	"github.com/brunt-go/brunt/fit"
)

// What a handler inside writes on its request, those outside see, also on a request that
// carries a scenario: otelhttp names its span after the route, and net/http removes the
// files of a form.
func TestHandler_outside(t *testing.T) {
	t.Parallel()
	for _, lines := range []string{"tenant=acme", header(t, point, fit.Fault{Abort: true})} {
		mux := http.NewServeMux()
		mux.HandleFunc("POST /orders/{id}", func(_ http.ResponseWriter, r *http.Request) {
			if err := r.ParseMultipartForm(1 << 10); err != nil {
				t.Error(err)
			}
		})
		r := httptest.NewRequest("POST", "/orders/7", strings.NewReader("--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--b--\r\n"))
		r.Header.Set("Content-Type", "multipart/form-data; boundary=b")
		r.Header.Set("Baggage", lines)
		faulthttp.NewHandler(mux, injector(t)).ServeHTTP(httptest.NewRecorder(), r)
		if r.Pattern != "POST /orders/{id}" || r.MultipartForm == nil {
			t.Errorf("with baggage %s: route %q, form %v", lines, r.Pattern, r.MultipartForm)
		}
	}
}
