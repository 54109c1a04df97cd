package fit

import (
	"context"

	"go.opentelemetry.io/otel/baggage"
)

// ContextWithScenario returns ctx with s written into its baggage by codec; the
// propagator carries it on. It fails when Encode does, and when the scenario or
// another member would be dropped at the next hop, as [CheckBaggage] says; ctx
// is unchanged then.
func ContextWithScenario(ctx context.Context, codec Encoder, s Scenario) (context.Context, error) {
	before := baggage.FromContext(ctx)
	after, err := codec.Encode(before, s)
	if err != nil {
		return ctx, err
	}
	if err := CheckBaggage(before, after); err != nil {
		return ctx, err
	}
	return baggage.ContextWithBaggage(ctx, after), nil
}
