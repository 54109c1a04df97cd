package job_test

import (
	"context"
	"testing"

	"go.opentelemetry.io/otel/baggage"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/job"
	"github.com/brunt-go/brunt/telemetry"
)

// Whatever the environment holds, the job runs.
func FuzzEnvironment(f *testing.F) {
	f.Add(parent, "acme=1", "tenant=acme")
	f.Add("00-zz", "=,=", "=;=")
	f.Add("", "", "a=%zz,b=%20;c")
	f.Fuzz(func(t *testing.T, traceparent, tracestate, members string) {
		s := &brunt.Setup{Telemetry: telemetry.Noop(), Process: brunt.Process{Environment: map[string]string{
			"TRACEPARENT": traceparent, "TRACESTATE": tracestate, "BAGGAGE": members,
		}}}
		ran := false
		err := job.NewService(s, func(ctx context.Context) error {
			ran = baggage.FromContext(ctx).Len() >= 0
			return nil
		}).Serve(t.Context())
		if err != nil || !ran {
			t.Errorf("Serve() = %v, ran %v", err, ran)
		}
	})
}
