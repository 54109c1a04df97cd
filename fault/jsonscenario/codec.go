package jsonscenario

import (
	"fmt"

	"go.opentelemetry.io/otel/baggage"

	"github.com/brunt-go/brunt/fit"
)

// MaxBytes is how long the member Encode writes may be, percent-encoded: a
// quarter of the 8192 bytes a whole baggage header has. Decode reads any.
const MaxBytes = 2048

// Codec carries a [fit.Scenario] as JSON in one baggage member. It holds the
// member's key alone and is safe for concurrent use.
type Codec struct{ key string }

var (
	_ fit.KeyedDecoder = Codec{}
	_ fit.Encoder      = Codec{}
)

// New returns the Codec of the member named key, which must be a valid W3C
// baggage key. There is no default key.
func New(key string) (Codec, error) {
	if _, err := baggage.NewMember(key, ""); err != nil {
		return Codec{}, fmt.Errorf("jsonscenario: key %q: must be a W3C baggage key, such as acme.fault", key)
	}
	return Codec{key}, nil
}

// Keys are the key of the member.
func (c Codec) Keys() []string { return []string{c.key} }

// Decode reads the scenario in b and reports whether there is one. It reads a
// member of any size. Its error names the rule and the field.
func (c Codec) Decode(b baggage.Baggage) (fit.Scenario, bool, error) {
	m := b.Member(c.key)
	if m.Key() == "" {
		return fit.Scenario{}, false, nil
	}
	s, err := parse(m.Value())
	if err != nil {
		return fit.Scenario{}, false, &Error{c.key, err}
	}
	return s, true, nil
}

// Strip returns b without the member.
func (c Codec) Strip(b baggage.Baggage) baggage.Baggage { return b.DeleteMember(c.key) }

// Encode returns b with s in the member. It rejects what the grammar can't
// carry, such as a Delay that isn't whole milliseconds, a member over MaxBytes,
// and baggage that would lose a member at the next hop, as [fit.CheckBaggage]
// says; b is returned unchanged then.
func (c Codec) Encode(b baggage.Baggage, s fit.Scenario) (baggage.Baggage, error) {
	text, err := format(s)
	if err != nil {
		return b, &Error{c.key, err}
	}
	m, err := baggage.NewMemberRaw(c.key, text)
	if err != nil {
		return b, &Error{c.key, err}
	}
	if n := len(m.String()); n > MaxBytes {
		return b, &Error{c.key, fmt.Errorf("%d bytes percent-encoded, must be at most %d: shorten it, or carry an ID of it", n, MaxBytes)}
	}
	with, err := b.SetMember(m)
	if err != nil {
		return b, &Error{c.key, err}
	}
	if err := fit.CheckBaggage(b, with); err != nil {
		return b, err
	}
	return with, nil
}
