package brunttest_test

import (
	"context"
	"fmt"
	"log/slog"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/brunttest"
)

// What an App emitted, after it has ended.
func ExampleTelemetry() {
	tel := brunttest.NewTelemetry()
	app := brunt.NewApp(func(ctx context.Context, s *brunt.Setup) ([]brunt.Service, error) {
		ctx, span := s.Telemetry.TracerProvider.Tracer("orders").Start(ctx, "load prices")
		defer span.End()
		s.Telemetry.Logger("orders").WarnContext(ctx, "prices are old", "days", 3)
		prices, err := s.Telemetry.MeterProvider.Meter("orders").Int64Counter("prices.loaded")
		prices.Add(ctx, 120, metric.WithAttributes(attribute.String("currency", "EUR")))
		return nil, err
	}, brunt.WithTelemetry(tel.Builder()))
	fmt.Println(app.Run(context.Background(), brunt.Process{}))

	for _, span := range tel.Spans() {
		fmt.Println("span", span.Name())
	}
	for _, l := range tel.LogsAt(slog.LevelWarn) {
		fmt.Println("log", l.Message, l.Attribute("days"))
	}
	fmt.Println("prices", tel.Sum("prices.loaded", attribute.String("currency", "EUR")))
	// Output:
	// exit status 0
	// span load prices
	// log prices are old 3
	// prices 120
}
