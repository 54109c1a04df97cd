package brunt_test

import (
	"context"
	"testing"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/telemetry"
)

// once is a Service that is done as soon as it serves.
type once struct{}

func (once) Serve(context.Context) error    { return nil }
func (once) Shutdown(context.Context) error { return nil }

// The whole life of an App that has nothing to do.
func BenchmarkApp_Run(b *testing.B) {
	app := brunt.NewApp(
		func(context.Context, *brunt.Setup) ([]brunt.Service, error) { return []brunt.Service{once{}}, nil },
		brunt.WithTelemetry(telemetry.NoopBuilder))
	for b.Loop() {
		if status := app.Run(context.Background(), brunt.Process{}); status.Code() != 0 {
			b.Fatal(status)
		}
	}
}
