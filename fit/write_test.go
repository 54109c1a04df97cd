package fit_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/baggage"

	"github.com/brunt-go/brunt/fit"
)

// encoder writes a scenario as the name of its first rule's point, into the
// member named so.
type encoder string

var errEncode = errors.New("not this one")

func (e encoder) Encode(b baggage.Baggage, s fit.Scenario) (baggage.Baggage, error) {
	if len(s.Rules) == 0 {
		return b, errEncode
	}
	m, err := baggage.NewMemberRaw(string(e), s.Rules[0].Point)
	if err != nil {
		return b, err
	}
	return b.SetMember(m)
}

// R5, R15: the scenario is a member of the context's baggage.
func TestContextWithScenario(t *testing.T) {
	t.Parallel()
	ctx := with(t, t.Context(), "tenant", "acme")
	got, err := fit.ContextWithScenario(ctx, encoder(key), fit.Scenario{Rules: []fit.Rule{abort("it")}})
	if err != nil {
		t.Fatal(err)
	}
	b := baggage.FromContext(got)
	if b.Len() != 2 || b.Member(key).Value() != "it" || b.Member("tenant").Value() != "acme" {
		t.Errorf("baggage is %q, want the scenario and the tenant", b)
	}
	if baggage.FromContext(ctx).Len() != 1 {
		t.Error("the context given was changed")
	}
}

// R15: an error of Encode's is returned, and the context as it was.
func TestContextWithScenario_encodeFails(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	got, err := fit.ContextWithScenario(ctx, encoder(key), fit.Scenario{})
	if !errors.Is(err, errEncode) || got != ctx {
		t.Errorf("ContextWithScenario = %v, %v, want the same context and Encode's error", got, err)
	}
}

// X6: what would be dropped at the next hop is refused where it is written.
func TestContextWithScenario_refusesALoss(t *testing.T) {
	t.Parallel()
	members := func(n, bytes int) []string {
		var all []string
		for i := range n {
			all = append(all, fmt.Sprintf("m%03d", i), strings.Repeat("x", bytes))
		}
		return all
	}
	rows := []struct {
		name   string
		before []string
		key    string
		point  string
		want   string
	}{
		{"fits", members(63, 1), key, "a", ""},
		{"one_too_many", members(64, 1), key, "a", "fit: baggage would be dropped: 65 members: the next hop keeps any 64 of them"},
		{"replaces_one", append(members(63, 1), key, "old"), key, "a", ""},
		// 8 members of 1005 bytes and 8 commas, then test.scenario=.
		{"fits_exactly", members(8, 1000), key, strings.Repeat("y", 8192-8*1006-14), ""},
		{"a_byte_too_long", members(8, 1000), key, strings.Repeat("y", 8192-8*1006-13), "fit: baggage would be dropped: 8193 bytes: the next hop drops every member of a header over 8192"},
		{"percent_encoded", nil, key, strings.Repeat(" ", 2728), "fit: baggage would be dropped: 8198 bytes: the next hop drops every member of a header over 8192"},
		{"no_w3c_key", nil, "schlüssel", "a", `fit: baggage would be dropped: member "schlüssel": its key is no W3C baggage key, so a propagator leaves it out`},
		{"someone_elses_key", []string{"mandant ü", "acme"}, key, "a", ""},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			ctx := with(t, t.Context(), row.before...)
			got, err := fit.ContextWithScenario(ctx, encoder(row.key), fit.Scenario{Rules: []fit.Rule{abort(row.point)}})
			if text(err) != row.want {
				t.Errorf("ContextWithScenario fails with %q, want %q", text(err), row.want)
			}
			if (got == ctx) != (err != nil) {
				t.Errorf("ContextWithScenario changed the context: %v, with error %v", got != ctx, err)
			}
		})
	}
}
