package main

import (
	"encoding/base64"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/baggage"

	"github.com/brunt-go/brunt/fit"
)

func Example() {
	main()
	// Output:
	// signed on Monday             aborts true, <nil>
	// its expiry pushed back       aborts false, signed scenario: wrong signature
	// signed on Tuesday            aborts true, <nil>
	// Monday's, still under way    aborts true, <nil>
	// Monday's, its key retired    aborts false, signed scenario: unknown key
}

var (
	old      = []byte("an old secret of 24 byte")
	fresh    = []byte("a fresh secret, 24 bytes")
	scenario = fit.Scenario{Rules: []fit.Rule{{Point: "http:*", Fault: fit.Fault{Abort: true}, Share: 0.5, Seed: 7}}}
)

func codec(t testing.TB, keys Keys) *Codec {
	t.Helper()
	c, err := New(member, time.Minute, keys)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func signer(t testing.TB) *Codec {
	t.Helper()
	return codec(t, Keys{Current: "old", Secrets: map[string][]byte{"old": old}})
}

func encoded(t testing.TB, c *Codec) baggage.Baggage {
	t.Helper()
	tenant, err := baggage.Parse("tenant=acme")
	if err != nil {
		t.Fatal(err)
	}
	b, err := c.Encode(tenant, scenario)
	if err != nil {
		t.Fatal(err)
	}
	// Through a header, as it travels.
	if b, err = baggage.Parse(b.String()); err != nil {
		t.Fatal(err)
	}
	return b
}

func TestCodec_roundTrip(t *testing.T) {
	t.Parallel()
	c := signer(t)
	b := encoded(t, c)
	s, ok, err := c.Decode(b)
	if err != nil || !ok || !cmp.Equal(s, scenario) {
		t.Errorf("Decode = %+v, %v, %v, want %+v", s, ok, err, scenario)
	}
	left := c.Strip(b)
	if _, ok, err := c.Decode(left); ok || err != nil || left.String() != "tenant=acme" {
		t.Errorf("Strip left %q, %v, %v", left, ok, err)
	}
}

// A scenario lives for its lifetime, to the second, and no longer.
func TestCodec_expiry(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := signer(t)
		b := encoded(t, c)
		time.Sleep(time.Minute - time.Second)
		if _, ok, err := c.Decode(b); !ok || err != nil {
			t.Errorf("a second before its expiry: %v, %v", ok, err)
		}
		time.Sleep(time.Second)
		if _, ok, err := c.Decode(b); ok || !errors.Is(err, ErrExpired) {
			t.Errorf("at its expiry: %v, %v, want ErrExpired", ok, err)
		}
	})
}

// Readers learn the new key, the edge signs with it, the old one goes: at no
// step is a live scenario rejected, and afterwards the old key is worth nothing.
func TestCodec_rotation(t *testing.T) {
	t.Parallel()
	edge, service := signer(t), codec(t, Keys{Secrets: map[string][]byte{"old": old}})
	underWay := encoded(t, edge)
	both := map[string][]byte{"old": old, "fresh": fresh}

	if err := service.Rotate(Keys{Secrets: both}); err != nil {
		t.Fatal(err)
	}
	accepts(t, "readers know both, old signature", service, underWay, nil)
	if err := edge.Rotate(Keys{Current: "fresh", Secrets: both}); err != nil {
		t.Fatal(err)
	}
	accepts(t, "new signature", service, encoded(t, edge), nil)
	accepts(t, "old signature under way", service, underWay, nil)
	if err := service.Rotate(Keys{Secrets: map[string][]byte{"fresh": fresh}}); err != nil {
		t.Fatal(err)
	}
	accepts(t, "new signature, old key gone", service, encoded(t, edge), nil)
	accepts(t, "old signature, old key gone", service, underWay, ErrUnknownKey)
}

func accepts(t *testing.T, when string, c *Codec, b baggage.Baggage, want error) {
	t.Helper()
	if _, ok, err := c.Decode(b); !errors.Is(err, want) || ok != (want == nil) {
		t.Errorf("%s: %v, %v, want %v", when, ok, err, want)
	}
}

func TestCodec_refuses(t *testing.T) {
	t.Parallel()
	c := codec(t, Keys{Current: "old", Secrets: map[string][]byte{"old": old, "fresh": fresh}})
	good := encoded(t, c).Member(member).Value()
	parts := strings.Split(good, ".")
	other := base64.RawURLEncoding.EncodeToString([]byte(`{"rules":[{"point":"*","abort":true}]}`))
	rows := []struct {
		name, value string
		want        error
	}{
		{"empty", "", ErrMalformed},
		{"plain_json", `{"rules":[]}`, ErrMalformed},
		{"no_signature", strings.Join(parts[:3], "."), ErrMalformed},
		{"empty_signature", strings.Join(parts[:3], ".") + ".", ErrSignature},
		{"another_scenario", strings.Join([]string{parts[0], parts[1], other, parts[3]}, "."), ErrSignature},
		{"a_later_expiry", strings.Join([]string{parts[0], "99999999999", parts[2], parts[3]}, "."), ErrSignature},
		{"another_key", strings.Join([]string{"fresh", parts[1], parts[2], parts[3]}, "."), ErrSignature},
		{"unknown_key", strings.Join([]string{"gone", parts[1], parts[2], parts[3]}, "."), ErrUnknownKey},
		{"signed_for_another_member", resign(good, "other.member"), ErrSignature},
		{"space_in_the_signature", good + "\n", ErrSignature},
		{"five_parts", "x." + good, ErrMalformed},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			m, err := baggage.NewMemberRaw(member, row.value)
			if err != nil {
				t.Fatal(err)
			}
			b, err := baggage.New(m)
			if err != nil {
				t.Fatal(err)
			}
			if _, ok, err := c.Decode(b); ok || !errors.Is(err, row.want) {
				t.Errorf("Decode = %v, %v, want %v", ok, err, row.want)
			}
		})
	}
}

// resign returns value with the signature it would have in another member.
func resign(value, member string) string {
	signed := value[:strings.LastIndexByte(value, '.')]
	return signed + "." + sign(old, member, signed)
}

func TestNew_refuses(t *testing.T) {
	t.Parallel()
	for name, keys := range map[string]Keys{
		"current_unknown": {Current: "x", Secrets: map[string][]byte{"old": old}},
		"short":           {Secrets: map[string][]byte{"old": []byte("short")}},
		"dot_in_id":       {Secrets: map[string][]byte{"a.b": old}},
		"no_id":           {Secrets: map[string][]byte{"": old}},
	} {
		if _, err := New(member, time.Minute, keys); err == nil {
			t.Errorf("%s: New took the keys", name)
		}
	}
	if _, err := New(member, 0, Keys{}); err == nil {
		t.Error("New took a lifetime of 0")
	}
	reader := codec(t, Keys{Secrets: map[string][]byte{"old": old}})
	if _, err := reader.Encode(baggage.Baggage{}, scenario); err == nil {
		t.Error("a reader signed a scenario")
	}
}

// Nothing but what Encode wrote is accepted, whatever is changed about it.
func FuzzCodec_Decode(f *testing.F) {
	c := signer(f)
	good := encoded(f, c).Member(member).Value()
	f.Add(good)
	f.Add(good[:len(good)-1])
	f.Add("old.1..")
	f.Fuzz(func(t *testing.T, value string) {
		m, err := baggage.NewMemberRaw(member, value)
		if err != nil {
			return
		}
		b, err := baggage.New(m)
		if err != nil {
			return // too long for a header
		}
		if _, ok, err := c.Decode(b); ok != (value == good) || ok == (err != nil) {
			t.Errorf("Decode(%q) = %v, %v", value, ok, err)
		}
	})
}
