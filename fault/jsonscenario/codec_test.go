package jsonscenario_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/baggage"
	"go.opentelemetry.io/otel/propagation"

	"github.com/brunt-go/brunt/fault/jsonscenario"
	"github.com/brunt-go/brunt/fit"
)

const key = "acme.fault"

func codec(t testing.TB) jsonscenario.Codec {
	t.Helper()
	c, err := jsonscenario.New(key)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// bag is baggage of the members key, value, key, value, ...
func bag(t testing.TB, members ...string) baggage.Baggage {
	t.Helper()
	var b baggage.Baggage
	for i := 0; i < len(members); i += 2 {
		m, err := baggage.NewMemberRaw(members[i], members[i+1])
		if err != nil {
			t.Fatal(err)
		}
		if b, err = b.SetMember(m); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// every is a scenario of all that the grammar has.
var every = fit.Scenario{Rules: []fit.Rule{
	{Point: "http:payments:8443", Fault: fit.Fault{Abort: true}},
	{Point: "kafka:*", Fault: fit.Fault{Delay: 250 * time.Millisecond, Abort: true}},
	{Point: "http:*", Attempts: fit.Attempts{First: 1, Last: 2}, Fault: fit.Fault{Reply: fit.Reply{Status: 503, Body: `{"error":"down ü"}`}}},
	{Point: "grpc:*", Attempts: fit.Attempts{First: 3}, Fault: fit.Fault{Reply: fit.Reply{GRPCCode: 14}}},
	{Point: "postgresql:orders", Share: 0.05, Seed: 1<<64 - 1, Fault: fit.Fault{Lost: true}},
	{Point: "a", Share: 1e-9},
	{Point: "*", Fault: fit.Fault{Delay: time.Hour}},
}}

// R34: a W3C baggage key, and no default.
func TestNew(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"acme.fault": "",
		"a":          "",
		"":           `jsonscenario: key "": must be a W3C baggage key, such as acme.fault`,
		"acme fault": `jsonscenario: key "acme fault": must be a W3C baggage key, such as acme.fault`,
		"a=b":        `jsonscenario: key "a=b": must be a W3C baggage key, such as acme.fault`,
		"a,b":        `jsonscenario: key "a,b": must be a W3C baggage key, such as acme.fault`,
		"schlüssel":  `jsonscenario: key "schlüssel": must be a W3C baggage key, such as acme.fault`,
	} {
		if _, err := jsonscenario.New(in); text(err) != want {
			t.Errorf("New(%q) fails with %q, want %q", in, text(err), want)
		}
	}
}

// R35, R5: through a header and back, with the trace's other baggage.
func TestCodec_roundTripsThroughAHeader(t *testing.T) {
	t.Parallel()
	c := codec(t)
	ctx := baggage.ContextWithBaggage(t.Context(), bag(t, "tenant", "acme"))
	ctx, err := fit.ContextWithScenario(ctx, c, every)
	if err != nil {
		t.Fatal(err)
	}
	header := http.Header{}
	propagation.Baggage{}.Inject(ctx, propagation.HeaderCarrier(header))
	arrived := baggage.FromContext(propagation.Baggage{}.Extract(context.Background(), propagation.HeaderCarrier(header)))
	got, ok, err := c.Decode(arrived)
	if err != nil || !ok {
		t.Fatalf("Decode = %v, %v", ok, err)
	}
	if diff := cmp.Diff(every, got); diff != "" {
		t.Errorf("the scenario that arrives (-want +got):\n%s", diff)
	}
	if v := arrived.Member("tenant").Value(); v != "acme" {
		t.Errorf("tenant is %q, want acme", v)
	}
}

// R35: the text on the wire is the published one.
func TestCodec_wire(t *testing.T) {
	t.Parallel()
	b, err := codec(t).Encode(baggage.Baggage{}, fit.Scenario{Rules: []fit.Rule{
		{Point: "http:payments:8443", Fault: fit.Fault{Abort: true}},
		{Point: "*", Fault: fit.Fault{Delay: 250 * time.Millisecond}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := b.Member(key).Value(), `{"rules":[{"point":"http:payments:8443","abort":true},{"point":"*","delay_ms":250}]}`; got != want {
		t.Errorf("the member holds\n%s, want\n%s", got, want)
	}
	if got, want := b.String(), `acme.fault={%22rules%22:[{%22point%22:%22http:payments:8443%22%2C%22abort%22:true}%2C{%22point%22:%22*%22%2C%22delay_ms%22:250}]}`; got != want {
		t.Errorf("on the wire\n%s, want\n%s", got, want)
	}
	none, err := codec(t).Encode(baggage.Baggage{}, fit.Scenario{})
	if got, want := none.Member(key).Value(), `{"rules":[]}`; err != nil || got != want {
		t.Errorf("no rules are %s, %v, want %s", got, err, want)
	}
}

// R45: baggage without the member.
func TestCodec_noScenario(t *testing.T) {
	t.Parallel()
	for _, b := range []baggage.Baggage{{}, bag(t, "tenant", "acme")} {
		if s, ok, err := codec(t).Decode(b); ok || err != nil || s.Rules != nil {
			t.Errorf("Decode(%q) = %+v, %v, %v, want no scenario", b, s, ok, err)
		}
	}
}

// R44: Strip leaves other members alone.
func TestCodec_Strip(t *testing.T) {
	t.Parallel()
	c := codec(t)
	b := bag(t, "tenant", "acme", key, "not even JSON", "acme.faults", "x")
	stripped := c.Strip(b)
	if stripped.Len() != 2 || stripped.Member("tenant").Value() != "acme" || stripped.Member("acme.faults").Value() != "x" {
		t.Errorf("Strip left %q, want tenant and acme.faults", stripped)
	}
	if _, ok, err := c.Decode(stripped); ok || err != nil {
		t.Errorf("what Strip left decodes: %v, %v", ok, err)
	}
}

// R41, R42, X6: what Encode refuses, leaving the baggage as it was.
func TestCodec_Encode_refuses(t *testing.T) {
	t.Parallel()
	long := func(n int) fit.Scenario { return fit.Scenario{Rules: []fit.Rule{{Point: strings.Repeat("a", n)}}} }
	// acme.fault={%22rules%22:[{%22point%22:%22 and %22}]} around the point
	const around = len(`acme.fault={%22rules%22:[{%22point%22:%22%22}]}`)
	many := make([]string, 0, 128)
	for i := range 64 {
		many = append(many, fmt.Sprintf("m%d", i), "x")
	}
	rows := []struct {
		name string
		in   fit.Scenario
		bag  []string
		want string
	}{
		{"at_the_limit", long(2048 - around), nil, ""},
		{"over_the_limit", long(2049 - around), nil, "jsonscenario: member acme.fault: 2049 bytes percent-encoded, must be at most 2048: shorten it, or carry an ID of it"},
		{"microseconds", fit.Scenario{Rules: []fit.Rule{{Point: "a"}, {Point: "b", Fault: fit.Fault{Delay: 1500 * time.Microsecond}}}}, nil, "jsonscenario: member acme.fault: rules[1].delay_ms: 1.5ms, must be whole milliseconds, 0 or more"},
		{"negative", fit.Scenario{Rules: []fit.Rule{{Point: "a", Fault: fit.Fault{Delay: -time.Second}}}}, nil, "jsonscenario: member acme.fault: rules[0].delay_ms: -1s, must be whole milliseconds, 0 or more"},
		{"no_point", fit.Scenario{Rules: []fit.Rule{{}}}, nil, "jsonscenario: member acme.fault: rules[0].point: empty, must name a point"},
		{"meaningless", fit.Scenario{Rules: []fit.Rule{{Point: "a", Share: 2}}}, nil, "jsonscenario: member acme.fault: rules[0].share: 2, must be above 0 and at most 1"},
		{"the_65th_member", long(1), many, "fit: baggage would be dropped: 65 members: the next hop keeps any 64 of them"},
		{"over_8192_bytes", long(1000), []string{"big", strings.Repeat("x", 8000)}, "fit: baggage would be dropped: 9052 bytes: the next hop drops every member of a header over 8192"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			before := bag(t, row.bag...)
			after, err := codec(t).Encode(before, row.in)
			if text(err) != row.want {
				t.Errorf("Encode fails with %q, want %q", text(err), row.want)
			}
			if err != nil && after.Len() != before.Len() {
				t.Errorf("a failed Encode left %d members, want %d", after.Len(), before.Len())
			}
		})
	}
}

// Encode puts a scenario in the place of the one that was there.
func TestCodec_Encode_replaces(t *testing.T) {
	t.Parallel()
	c := codec(t)
	b, err := c.Encode(bag(t, key, "old"), fit.Scenario{})
	if _, ok, derr := c.Decode(b); err != nil || derr != nil || !ok || b.Len() != 1 {
		t.Errorf("after Encode the baggage is %q: %v, %v", b, err, derr)
	}
}

// R43: Decode takes what Encode would not write.
func TestCodec_Decode_anySize(t *testing.T) {
	t.Parallel()
	rules := strings.TrimSuffix(strings.Repeat(`{"point":"http:payments:8443","abort":true},`, 230_000), ",")
	s, ok, err := codec(t).Decode(bag(t, key, `{"rules":[`+rules+`]}`))
	if err != nil || !ok || len(s.Rules) != 230_000 {
		t.Errorf("10 MB decode to %d rules, %v, %v, want 230000", len(s.Rules), ok, err)
	}
	_, _, err = codec(t).Decode(bag(t, key, `{"rules":[{"point":"`+strings.Repeat("*x", 5<<20)+`"}]}`))
	if err == nil || len(err.Error()) > 300 {
		t.Errorf("10 MB of nonsense give an error of %d bytes, want a short one", len(text(err)))
	}
}

// R46, R47: the key is all it holds, so goroutines may share it. The race
// detector is the judge.
func TestCodec_concurrent(t *testing.T) {
	t.Parallel()
	c := codec(t)
	b, err := c.Encode(baggage.Baggage{}, every)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 32 {
		wg.Go(func() {
			for range 20 {
				if _, ok, err := c.Decode(b); !ok || err != nil {
					t.Error("Decode failed")
				}
				c.Strip(b)
			}
		})
	}
	wg.Wait()
}

func TestCodec_zero(t *testing.T) {
	t.Parallel()
	var c jsonscenario.Codec
	if _, ok, err := c.Decode(bag(t, "a", "b")); ok || err != nil {
		t.Errorf("the zero Codec decodes: %v, %v", ok, err)
	}
	if _, err := c.Encode(baggage.Baggage{}, fit.Scenario{}); err == nil {
		t.Error("the zero Codec encodes")
	}
}

// The error says which rule, for code that wants to point at it.
func TestCodec_ruleError(t *testing.T) {
	t.Parallel()
	_, _, err := codec(t).Decode(bag(t, key, `{"rules":[{"point":"a"},{"point":"b","delay_ms":-1}]}`))
	var ce *jsonscenario.Error
	if !errors.As(err, &ce) || ce.Member != key {
		t.Errorf("Decode fails with %#v, want an Error of the member", err)
	}
	var re *fit.RuleError
	if !errors.As(err, &re) || re.Index != 1 || re.Field != "delay_ms" {
		t.Errorf("Decode fails with %#v, want a RuleError of rule 1's delay_ms", err)
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
