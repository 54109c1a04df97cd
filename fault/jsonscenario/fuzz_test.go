package jsonscenario_test

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/baggage"
	"go.opentelemetry.io/otel/propagation"

	"github.com/brunt-go/brunt/fault/jsonscenario"
	"github.com/brunt-go/brunt/fit"
)

// Whatever a member holds: no panic, what is taken is JSON and means the same
// to the standard library, and it survives being written and read again.
func FuzzCodec_Decode(f *testing.F) {
	for _, seed := range []string{
		`{"rules":[{"point":"http:payments:8443","abort":true},{"point":"*","delay_ms":250}]}`,
		`{"rules":[{"point":"a\u00fc\n","attempts":[1,2],"share":0.5,"seed":7,"reply":{"status":503,"body":"x","grpc_code":14}}]}`,
		`{"rules":[{"point":"a","lost":true}]} `, `{}`, `{"rules":null}`, `[`, `"`, `{"rules":[{"point":"\ud800"}]}`,
		`{"rules":[{"point":"a","delay_ms":9223372036854775807}]}`, `{"rules":[{"point":"a","share":1e-400}]}`,
		`{"rules":[{"point":""}]}`, `{"rules":[{"point":"*x"}]}`,
	} {
		f.Add(seed)
	}
	c := codec(f)
	f.Fuzz(func(t *testing.T, value string) {
		m, err := baggage.NewMemberRaw(key, value)
		if err != nil {
			return // no member can hold it
		}
		b, err := baggage.Baggage{}.SetMember(m)
		if err != nil {
			t.Fatal(err)
		}
		s, ok, err := c.Decode(b)
		if _, left, _ := c.Decode(c.Strip(b)); left {
			t.Error("what Strip leaves decodes to a scenario")
		}
		if ok == (err != nil) {
			t.Fatalf("Decode(%q) = %v, %v, want one of the two", value, ok, err)
		}
		if err != nil {
			if n := len(err.Error()); n > 2000+300*len(s.Rules) && n > len(value)*4 {
				t.Errorf("an error of %d bytes about a member of %d", n, len(value))
			}
			return
		}
		sameAsStandardLibrary(t, value, s)
		again, err := jsonscenario.Format(s)
		if err != nil {
			t.Fatalf("Decode(%q) = %+v, which can't be written: %v", value, s, err)
		}
		if got, err := jsonscenario.Parse(again); err != nil || !cmp.Equal(got, s) {
			t.Errorf("%q is written as %q and read as %+v, %v, want %+v", value, again, got, err, s)
		}
	})
}

func sameAsStandardLibrary(t *testing.T, text string, s fit.Scenario) {
	t.Helper()
	var d struct {
		Rules []struct {
			Point    string  `json:"point"`
			DelayMS  int64   `json:"delay_ms"`
			Abort    bool    `json:"abort"`
			Lost     bool    `json:"lost"`
			Attempts [2]int  `json:"attempts"`
			Share    float64 `json:"share"`
			Seed     uint64  `json:"seed"`
			Reply    struct {
				Status   int    `json:"status"`
				Body     string `json:"body"`
				GRPCCode int    `json:"grpc_code"`
			} `json:"reply"`
		} `json:"rules"`
	}
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		t.Fatalf("Parse takes %q, encoding/json says %v", text, err)
	}
	var want fit.Scenario
	for _, r := range d.Rules {
		want.Rules = append(want.Rules, fit.Rule{
			Point: r.Point, Attempts: fit.Attempts{First: r.Attempts[0], Last: r.Attempts[1]}, Share: r.Share, Seed: r.Seed,
			Fault: fit.Fault{Delay: time.Duration(r.DelayMS) * time.Millisecond, Abort: r.Abort, Lost: r.Lost, Reply: fit.Reply(r.Reply)},
		})
	}
	if diff := cmp.Diff(want, s); diff != "" {
		t.Errorf("Parse(%q) differs from encoding/json (-json +Parse):\n%s", text, diff)
	}
}

// Whatever scenario is encoded: what arrives at the next hop is that scenario
// and the other members, or Encode had said why not.
func FuzzCodec_Encode(f *testing.F) {
	f.Add("http:payments:8443", int64(250), true, false, 1, 2, 0.5, uint64(7), 503, "down", 14, "tenant", "acme")
	f.Add("*", int64(-1), false, true, 0, 0, 0.0, uint64(0), 0, "", 0, key, "old")
	f.Add("a\xff%,;= \"\\", int64(1)<<62, false, false, 3, 0, 1.0, uint64(1)<<63, 200, "\u2028<&>", 0, "ü", "\u0000")
	c := codec(f)
	f.Fuzz(func(t *testing.T, point string, delay int64, abort, lost bool, first, last int, share float64, seed uint64, status int, body string, code int, otherKey, otherValue string) {
		s := fit.Scenario{Rules: []fit.Rule{
			{Point: point, Fault: fit.Fault{Delay: time.Duration(delay), Abort: abort, Lost: lost, Reply: fit.Reply{Status: status, Body: body, GRPCCode: code}},
				Attempts: fit.Attempts{First: first, Last: last}, Share: share, Seed: seed},
			{Point: "last"},
		}}
		var b baggage.Baggage
		if m, err := baggage.NewMemberRaw(otherKey, otherValue); err == nil {
			if b, err = b.SetMember(m); err != nil {
				t.Fatal(err)
			}
		}
		ctx, err := fit.ContextWithScenario(baggage.ContextWithBaggage(t.Context(), b), c, s)
		if err != nil {
			return
		}
		arrived := hop(ctx)
		got, ok, err := c.Decode(arrived)
		if err != nil || !ok || !cmp.Equal(got, s) {
			t.Errorf("%+v arrives as %+v, %v, %v", s, got, ok, err)
		}
		if m := b.Member(otherKey); otherKey != key && m.String() != "" && arrived.Member(otherKey).Value() != m.Value() {
			t.Errorf("member %q arrives as %q, want %q", otherKey, arrived.Member(otherKey).Value(), m.Value())
		}
	})
}

// hop is the baggage that arrives at the next service.
func hop(ctx context.Context) baggage.Baggage {
	header := http.Header{}
	propagation.Baggage{}.Inject(ctx, propagation.HeaderCarrier(header))
	return baggage.FromContext(propagation.Baggage{}.Extract(context.Background(), propagation.HeaderCarrier(header)))
}

// Whatever header arrives: no panic, and what Strip leaves never becomes a
// scenario, here or at the next hop.
func FuzzCodec_header(f *testing.F) {
	f.Add("acme.fault={%22rules%22:[{%22point%22:%22*%22}]},tenant=acme", "")
	f.Add("acme.fault=1,acme.fault=2", "acme.fault=%FF%zz;p=1")
	f.Add(" acme.fault = {} ;a;b=c,,=,a=%", "tenant=%E0%A4%A")
	c := codec(f)
	f.Fuzz(func(t *testing.T, line, another string) {
		ctx := propagation.Baggage{}.Extract(context.Background(), propagation.HeaderCarrier{"Baggage": {line, another}})
		b := baggage.FromContext(ctx)
		_, found, err := c.Decode(b)
		if (found || err != nil) != (b.Member(key).Key() != "") {
			t.Errorf("Decode finds a scenario: %v, %v, though the member's key is %q", found, err, b.Member(key).Key())
		}
		left := c.Strip(b)
		if want := b.Len(); found || err != nil {
			if left.Len() != want-1 {
				t.Errorf("Strip left %d of %d members, want all but one", left.Len(), want)
			}
		}
		next := hop(baggage.ContextWithBaggage(ctx, left))
		if _, ok, err := c.Decode(next); ok || err != nil {
			t.Errorf("what Strip left of %q, %q decodes at the next hop: %v, %v", line, another, ok, err)
		}
	})
}
