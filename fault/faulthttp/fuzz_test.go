package faulthttp_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/baggage"
	"go.opentelemetry.io/otel/propagation"

	"github.com/brunt-go/brunt/fault/faulthttp"
)

// Whatever baggage header arrives: what a handler that trusts nobody sees, and
// what a transport sends on, carries no scenario, in the context or in the
// header, and every other member that can be read stays.
func FuzzHeader(f *testing.F) {
	f.Add("acme.fault={%22rules%22:[{%22point%22:%22*%22}]},tenant=acme", "")
	f.Add("acme.fault=%zz,acme.fault =1", " acme.fault\t=\t2;p")
	f.Add(strings.Repeat("a=1,", 70)+"acme.fault=x", "b=2;acme.fault=1,=,acme.fault")
	f.Add("x="+strings.Repeat("%FF", 3000), "acme.fault=1")
	faults := injector(f)
	f.Fuzz(func(t *testing.T, line, another string) {
		lines := []string{line, another}
		check := func(who string, ctx context.Context, h http.Header) {
			if faults.Carries(ctx) {
				t.Errorf("%s: the context of %q carries a scenario", who, lines)
			}
			next := propagation.Baggage{}.Extract(context.Background(), propagation.HeaderCarrier(h))
			if faults.Carries(next) {
				t.Errorf("%s: of %q is left %q", who, lines, h["Baggage"])
			}
			for _, m := range baggage.FromContext(propagation.Baggage{}.Extract(context.Background(), propagation.HeaderCarrier{"Baggage": lines})).Members() {
				if got := baggage.FromContext(next).Member(m.Key()); m.Key() != key && got.Value() != m.Value() {
					t.Errorf("%s: member %q of %q is left as %q", who, m, lines, got)
				}
			}
		}
		// With OpenTelemetry, the context holds what it read of the header.
		for _, ctx := range []context.Context{
			context.Background(),
			propagation.Baggage{}.Extract(context.Background(), propagation.HeaderCarrier{"Baggage": lines}),
		} {
			r := httptest.NewRequestWithContext(ctx, http.MethodGet, target, nil)
			r.Header["Baggage"] = lines
			faulthttp.NewHandler(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				check("handler", r.Context(), r.Header)
			}), faults).ServeHTTP(nil, r)

			base := &tripper{}
			if _, err := faulthttp.NewTransport(base, faults).RoundTrip(r); err == nil {
				check("transport", base.sent[0].Context(), base.sent[0].Header)
			}
		}
	})
}
