package fit

import "go.opentelemetry.io/otel/baggage"

// Decoder reads the scenario a request carries. It owns the wire format: which
// members carry a scenario, their grammar, their size, and whether a scenario is
// signed or expires. All requests share it, so it must be safe for concurrent
// use.
type Decoder interface {
	// Decode returns the scenario in b and whether there is one. With an
	// error the request goes on unharmed, and the error is reported.
	Decode(b baggage.Baggage) (Scenario, bool, error)
	// Strip returns b without the members Decode reads, and with all others.
	Strip(b baggage.Baggage) baggage.Baggage
}

// KeyedDecoder is a Decoder whose answer depends on the values of a few members
// and on nothing else: on no clock, no registry that changes and no other
// member. An [Evaluator] uses that to tell at once that a request carries no
// scenario, and to decode a request's scenario once. A Decoder of scenarios that
// expire is not one. One that embeds a KeyedDecoder and reads or strips something
// else must not inherit its Keys: what they don't name is neither found nor
// stripped.
type KeyedDecoder interface {
	Decoder
	// Keys are the keys of the members Decode reads, always the same.
	Keys() []string
}

// Encoder writes a scenario, for an edge or a test.
type Encoder interface {
	// Encode returns b with s written into it, in the place of any scenario
	// that was there.
	Encode(b baggage.Baggage, s Scenario) (baggage.Baggage, error)
}
