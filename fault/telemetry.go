package fault

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"

	"github.com/brunt-go/brunt/fit"
)

// The events on a request's spans, and their attributes.
const (
	evaluationEvent = "brunt.fit.evaluation"
	stripEvent      = "brunt.fit.strip"

	pointKey = attribute.Key("brunt.fit.point")
	ruleKey  = attribute.Key("brunt.fit.rule")
	delayKey = attribute.Key("brunt.fit.delay")
	abortKey = attribute.Key("brunt.fit.abort")
	// Only on a fault that has them.
	lostKey       = attribute.Key("brunt.fit.lost")
	statusKey     = attribute.Key("brunt.fit.reply.status")
	grpcCodeKey   = attribute.Key("brunt.fit.reply.grpc_code")
	errMessageKey = attribute.Key("error.message")
)

// evaluated is the observer: an event on the span in ctx, modelled on
// OpenTelemetry's feature_flag.evaluation. An unmatched evaluation names its
// point all the same, which is how the points a request passes are discovered.
func evaluated(ctx context.Context, e fit.Evaluation) {
	span := trace.SpanFromContext(ctx)
	if !span.IsRecording() {
		return
	}
	attributes := append(make([]attribute.KeyValue, 0, 7), pointKey.String(e.Point))
	switch {
	case e.Err != nil:
		attributes = append(attributes, semconv.ErrorType(e.Err), errMessageKey.String(e.Err.Error()))
	case e.Matched:
		attributes = append(attributes,
			ruleKey.String(e.Rule),
			delayKey.Float64(e.Fault.Delay.Seconds()),
			abortKey.Bool(e.Fault.Abort))
		if e.Fault.Lost {
			attributes = append(attributes, lostKey.Bool(true))
		}
		if status := e.Fault.Reply.Status; status != 0 {
			attributes = append(attributes, statusKey.Int(status))
		}
		if code := e.Fault.Reply.GRPCCode; code != 0 {
			attributes = append(attributes, grpcCodeKey.Int(code))
		}
	}
	span.AddEvent(evaluationEvent, trace.WithAttributes(attributes...))
}

func reportStrip(ctx context.Context) {
	if span := trace.SpanFromContext(ctx); span.IsRecording() {
		span.AddEvent(stripEvent)
	}
}
