package fit_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/baggage"
	"go.opentelemetry.io/otel/propagation"
)

// X6: how OpenTelemetry's baggage loses members, on the version in go.mod. Each
// row is a fact in docs/concepts/request-faults.md: when one changes, so must
// the page. None of them gives an error to whoever sends or serves the request;
// the first of a whole process goes to the global error handler.
func TestBaggage_losses(t *testing.T) {
	t.Parallel()
	many := make([]string, 65)
	for i := range many {
		many[i] = fmt.Sprintf("m%02d=x", i)
	}
	rows := []struct {
		name    string
		headers []string
		want    string // the members that arrive, or "" for none
	}{
		{"fits", []string{"a=1,b=2"}, "a=1 b=2"},
		{"member_65_and_later", []string{strings.Join(many, ",")}, strings.Join(many[:64], " ")},
		{"over_8192_bytes", []string{"a=1,b=" + strings.Repeat("x", 8192-6+1)}, ""},
		{"exactly_8192_bytes", []string{"a=1,b=" + strings.Repeat("x", 8192-6)}, "a=1 b=" + strings.Repeat("x", 8192-6)},
		{"lines_are_counted_together", []string{"a=" + strings.Repeat("x", 5000), "b=" + strings.Repeat("x", 5000)}, ""},
		{"bad_percent_escape", []string{"a=%zz,b=2"}, "b=2"},
		{"bad_key", []string{"a b=1,b=2"}, "b=2"},
		{"no_value", []string{"a,b=2"}, "b=2"},
		{"bad_property", []string{"a=1;ü,b=2"}, "b=2"},
		{"duplicate_the_last_wins", []string{"a=1,b=2,a=3"}, "a=3 b=2"},
		{"duplicate_on_another_line", []string{"a=1,b=2", "a=3"}, "a=3 b=2"},
		{"invalid_utf8_is_replaced", []string{"a=%FF"}, "a=\uFFFD"},
		{"replacing_may_grow_it_too_long", []string{"z=1,a=" + strings.Repeat("%FF", 1000) + ",b=2"}, "z=1"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			ctx := propagation.Baggage{}.Extract(context.Background(), propagation.HeaderCarrier{"Baggage": row.headers})
			got := map[string]string{}
			for _, m := range baggage.FromContext(ctx).Members() {
				got[m.Key()] = m.Value()
			}
			want := map[string]string{}
			for _, m := range strings.Fields(row.want) {
				key, value, _ := strings.Cut(m, "=")
				want[key] = value
			}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%d members arrive, want %d: got %.200v, want %.200v", len(got), len(want), got, want)
			}
		})
	}
}

// X6: the writing side loses members too.
func TestBaggage_lossesOfTheWriter(t *testing.T) {
	t.Parallel()
	inject := func(ctx context.Context, h http.Header) string {
		propagation.Baggage{}.Inject(ctx, propagation.HeaderCarrier(h))
		return h.Get("baggage")
	}
	ctx := t.Context()
	for i := range 100 {
		ctx = with(t, ctx, fmt.Sprintf("m%03d", i), strings.Repeat("x", 100))
	}
	t.Run("nothing_is_checked", func(t *testing.T) {
		t.Parallel()
		if got := inject(ctx, http.Header{}); strings.Count(got, ",") != 99 || len(got) < 8192 {
			t.Errorf("Inject wrote %d bytes, want all 100 members", len(got))
		}
	})
	t.Run("the_order_is_a_maps", func(t *testing.T) {
		t.Parallel()
		seen := map[string]bool{}
		for range 50 {
			seen[inject(ctx, http.Header{})] = true
		}
		if len(seen) < 2 {
			t.Error("Inject wrote 100 members in the same order 50 times")
		}
	})
	t.Run("a_key_that_is_no_token_is_left_out", func(t *testing.T) {
		t.Parallel()
		if got := inject(with(t, context.Background(), "mandant ü", "acme"), http.Header{}); got != "" {
			t.Errorf("Inject wrote %q, want nothing", got)
		}
	})
	t.Run("empty_baggage_leaves_the_old_header", func(t *testing.T) {
		t.Parallel()
		h := http.Header{"Baggage": {"a=1"}}
		if got := inject(context.Background(), h); got != "a=1" {
			t.Errorf("Inject of empty baggage left %q, want the old header", got)
		}
	})
	t.Run("a_carrier_with_one_value_reads_the_first_line", func(t *testing.T) {
		t.Parallel()
		b := baggage.FromContext(propagation.Baggage{}.Extract(context.Background(), oneValue{"Baggage": {"a=1", "b=2"}}))
		if b.Len() != 1 || b.Member("a").Value() != "1" {
			t.Errorf("read %q, want a=1 alone", b)
		}
	})
	t.Run("new_drops_any_members_with_an_error", func(t *testing.T) {
		t.Parallel()
		b, err := baggage.New(baggage.FromContext(ctx).Members()...)
		if err == nil || b.Len() != 64 {
			t.Errorf("New kept %d members, error %v, want 64 and an error", b.Len(), err)
		}
	})
}

// oneValue is a carrier without Values, as most messaging carriers are.
type oneValue http.Header

func (c oneValue) Get(key string) string { return http.Header(c).Get(key) }
func (c oneValue) Set(key, value string) { http.Header(c).Set(key, value) }
func (c oneValue) Keys() []string        { return nil }
