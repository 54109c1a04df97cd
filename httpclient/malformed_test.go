package httpclient_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/attribute"

	"github.com/brunt-go/brunt/httpclient"
)

// A request that is at fault itself, which input from outside can bring about, is not
// sent again and not held against the service: two of them would open the breaker.
func TestClient_malformed(t *testing.T) {
	t.Parallel()
	give := func(text string, announced int64) func(*http.Request) {
		return func(r *http.Request) {
			r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }
			r.Body, _ = r.GetBody()
			r.ContentLength = announced
		}
	}
	rows := []struct {
		name   string
		change func(*http.Request)
		want   string
		http1  bool // alone: over HTTP/2 there is an answer
	}{
		{"header_value", func(r *http.Request) { r.Header["X-User"] = []string{"eve\r\nX-Admin: yes"} }, `net/http: invalid header field value for "X-User"`, false},
		{"header_name", func(r *http.Request) { r.Header["X User"] = []string{"eve"} }, `net/http: invalid header field name "X User"`, false},
		{"trailer_name", func(r *http.Request) { r.Trailer = http.Header{"X:User": nil} }, `net/http: invalid trailer field name "X:User"`, false},
		{"method", func(r *http.Request) { r.Method = "PUT /" }, `net/http: invalid method "PUT /"`, false},
		{"query", func(r *http.Request) { r.URL.RawQuery = "user=eve\n" }, "control character in the URL", false},
		{"no_body", func(r *http.Request) { r.ContentLength = 9 }, "http: Request.ContentLength=9 with nil Body", true},
		{"short_body", give("1 EUR", 9), "", true},
		{"long_body", give("1000 EUR", 5), "", false},
	}
	for _, row := range rows {
		for _, base := range []string{"https://payments:8443", "http://payments"} {
			t.Run(fmt.Sprintf("%s/%s", row.name, strings.ReplaceAll(base, "/", "")), func(t *testing.T) {
				t.Parallel()
				if row.http1 && base != "http://payments" {
					return
				}
				story(t, nil, nil, func(t *testing.T, r *rig) {
					r.host.Serve("payments:80", r.recording(nil), nil)
					r.client = r.newClient(func(s *httpclient.Settings) { s.BaseURL = base })
					req, err := http.NewRequestWithContext(t.Context(), http.MethodPut, "/charge", nil)
					if err != nil {
						t.Fatal(err)
					}
					row.change(req)
					resp, err := r.client.Do(req)
					if err == nil {
						resp.Body.Close()
					}
					if err == nil || !strings.Contains(err.Error(), ": send a malformed request: "+row.want) {
						t.Errorf("err = %v", err)
					}
					ignored := r.tel.Sum("brunt.circuit.calls", attribute.String("brunt.circuit.outcome", "ignored"))
					if len(r.attempts()) > 1 || len(r.requests()) > 1 || ignored != 1 || r.tel.Sum("brunt.circuit.calls") != 1 {
						t.Errorf("%d attempts, %v calls of which %v ignored", len(r.attempts()), r.tel.Sum("brunt.circuit.calls"), ignored)
					}
				})
			})
		}
	}
}
