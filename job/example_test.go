package job_test

import (
	"context"
	"fmt"

	"go.opentelemetry.io/otel/baggage"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/job"
	"github.com/brunt-go/brunt/telemetry"
)

func Example() {
	init := func(_ context.Context, s *brunt.Setup) ([]brunt.Service, error) {
		return []brunt.Service{job.NewService(s, func(ctx context.Context) error {
			fmt.Println("billing", baggage.FromContext(ctx).Member("tenant").Value())
			return nil
		})}, nil
	}
	app := brunt.NewApp(init, brunt.WithTelemetry(telemetry.NoopBuilder)) // in main, brunt.Main(init)
	status := app.Run(context.Background(), brunt.Process{
		Environment: map[string]string{"BAGGAGE": "tenant=acme"},
	})
	fmt.Println(status)
	// Output:
	// billing acme
	// exit status 0
}
