package telemetry_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"go.opentelemetry.io/otel/baggage"
	"go.opentelemetry.io/otel/propagation"

	"github.com/brunt-go/brunt/telemetry"
)

// dateless writes lines without their time, so that an example says the same every day.
type dateless struct{}

// Write implements io.Writer.
func (dateless) Write(line []byte) (int, error) {
	_, rest, _ := strings.Cut(string(line), " ")
	_, err := os.Stdout.WriteString(rest)
	return len(line), err
}

// Logs go to stdout unless something else is said.
func ExampleNew() {
	ctx := context.Background()
	sdk, err := telemetry.New(ctx, telemetry.DefaultSettings(), telemetry.Surroundings{
		Environment: map[string]string{"OTEL_SERVICE_NAME": "orders"},
		Stdout:      dateless{},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	sdk.Logger("orders").InfoContext(ctx, "order taken", "id", 7)
	fmt.Println(sdk.Shutdown(ctx))
	// Output:
	// level=INFO msg="order taken" logger=orders id=7
	// <nil>
}

// Everything that is wrong with an environment is in one error.
func ExampleNew_wrong() {
	_, err := telemetry.New(context.Background(), telemetry.DefaultSettings(), telemetry.Surroundings{
		Environment: map[string]string{
			"OTEL_TRACES_EXPORTER":        "jaeger",
			"OTEL_EXPORTER_OTLP_ENDPOINT": "collector:4317",
			"OTEL_EXPORTER_OTLP_TIMEOUT":  "10s",
		},
	})
	fmt.Println(err)
	// Output:
	// OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4317", must be a URL such as http://collector:4318
	// OTEL_EXPORTER_OTLP_TIMEOUT: "10s", must be a whole number of milliseconds above 0
	// OTEL_TRACES_EXPORTER: "jaeger", must be none, or one or more of otlp, console or json with commas between
}

// Noop records nothing, and carries on what a request brings.
func ExampleNoop() {
	tel := telemetry.Noop()
	tel.Logger("orders").Error("nobody hears this")
	headers := propagation.HeaderCarrier{"Baggage": {"tenant=acme"}}
	ctx := tel.Propagator.Extract(context.Background(), headers)
	fmt.Println(baggage.FromContext(ctx))
	// Output: tenant=acme
}
