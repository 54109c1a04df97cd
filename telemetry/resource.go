package telemetry

import (
	"context"
	"maps"
	"slices"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/resource"
)

// resource says what is observed: the service, and the SDK that observes it.
func (s Settings) resource(ctx context.Context) (*resource.Resource, error) {
	attributes := []attribute.KeyValue{attribute.String("service.name", s.ServiceName)}
	if s.ServiceVersion != "" {
		attributes = append(attributes, attribute.String("service.version", s.ServiceVersion))
	}
	for _, key := range slices.Sorted(maps.Keys(s.Attributes)) {
		attributes = append(attributes, attribute.String(key, s.Attributes[key]))
	}
	return resource.New(ctx, resource.WithTelemetrySDK(), resource.WithAttributes(attributes...))
}
