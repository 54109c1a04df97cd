package faulthttp_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/brunt-go/brunt/fault"
	"github.com/brunt-go/brunt/fault/faulthttp"
	"github.com/brunt-go/brunt/fit"
)

// R68, R92: a redirect is an attempt at another host, with a point of its own,
// whether the scenario came in the context or in a header, which the client
// copies from request to request. None of it is sent to either host.
func TestTransport_redirect(t *testing.T) {
	t.Parallel()
	scenario := header(t, "http:ledger:9443", fit.Fault{Abort: true})
	for _, from := range []string{"context", "header"} {
		t.Run(from, func(t *testing.T) {
			t.Parallel()
			var sent []*http.Request
			base := trip(func(req *http.Request) (*http.Response, error) {
				sent = append(sent, req)
				req.Body.Close()
				return &http.Response{
					StatusCode: http.StatusTemporaryRedirect,
					Header:     http.Header{"Location": {"https://Ledger:9443/book"}},
					Body:       http.NoBody,
				}, nil
			})
			ctx := t.Context()
			if from == "context" {
				ctx = carrying(t, ctx, "http:ledger:9443", fit.Fault{Abort: true})
			}
			req, err := http.NewRequestWithContext(ctx, http.MethodPost, target, strings.NewReader("1 EUR"))
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Baggage", scenario+",tenant=acme")
			resp, err := (&http.Client{Transport: faulthttp.NewTransport(base, injector(t))}).Do(req)
			if err == nil {
				resp.Body.Close()
			}
			var ie *fault.InjectedError
			if !errors.As(err, &ie) || ie.Point != "http:ledger:9443" {
				t.Errorf("err = %v, want an abort at the host of the redirect", err)
			}
			if len(sent) != 1 || members(sent[0].Header) != "tenant=acme" {
				t.Errorf("sent %d requests, the first with baggage %q", len(sent), members(sent[0].Header))
			}
		})
	}
}
