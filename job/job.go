package job

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/fault"
	"github.com/brunt-go/brunt/telemetry"
)

const scopeName = "github.com/brunt-go/brunt/job"

// errShutdown is why a run's context is done that Shutdown ended.
var errShutdown = errors.New("the job is shut down")

// Service runs a function once.
type Service struct {
	run         func(ctx context.Context) error
	telemetry   telemetry.Telemetry
	faults      fault.Injector
	environment map[string]string

	halted context.Context // done once Shutdown is called
	halt   context.CancelCauseFunc
	gone   chan struct{} // closed when Serve has returned
}

var _ brunt.Service = (*Service)(nil)

// NewService returns a Service that calls run once, when it is told to serve. It
// panics when run is nil.
//
// run's context is done when the App begins to stop, or Shutdown is called. It carries
// the run's span, "run job", whose parent is that of the process's environment, and the
// baggage found there; without one, or with one that is malformed, the span begins a
// trace. What run returns decides the App's exit status, also when it was told to stop:
// a job that returns its context's error did not do its work, and ends with 1.
func NewService(s *brunt.Setup, run func(ctx context.Context) error) *Service {
	if run == nil {
		panic("job: run is nil")
	}
	halted, halt := context.WithCancelCause(context.Background())
	return &Service{
		run: run, telemetry: s.Telemetry, faults: s.Faults, environment: s.Process.Environment,
		halted: halted, halt: halt, gone: make(chan struct{}),
	}
}

// Serve calls the function and returns what it returns. It implements brunt.Service.
func (svc *Service) Serve(ctx context.Context) error {
	defer close(svc.gone)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(svc.halted, func() { cancel(errShutdown) })()

	if p := svc.telemetry.Propagator; p != nil {
		ctx = p.Extract(ctx, carrier(svc.environment))
	}
	ctx, span := svc.tracer().Start(svc.faults.Remember(ctx), "run job")
	defer span.End() // which records a panic that passes
	returned := false
	defer func() {
		if !returned {
			span.SetStatus(codes.Error, "the function did not return")
			span.SetAttributes(semconv.ErrorTypeKey.String("panic"))
		}
	}()
	err := svc.run(ctx)
	returned = true
	if err != nil {
		span.SetStatus(codes.Error, err.Error())
		span.SetAttributes(semconv.ErrorType(err))
	}
	return err
}

func (svc *Service) tracer() trace.Tracer {
	if svc.telemetry.TracerProvider == nil {
		return telemetry.Noop().TracerProvider.Tracer(scopeName)
	}
	return svc.telemetry.TracerProvider.Tracer(scopeName)
}

// Shutdown ends the run's context and waits until the function has returned. It
// implements brunt.Service.
func (svc *Service) Shutdown(ctx context.Context) error {
	svc.halt(errShutdown)
	select {
	case <-svc.gone:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("the function has not returned: %w", ctx.Err())
	}
}

// String says what a report calls the Service.
func (svc *Service) String() string { return "job" }

// carrier reads what travels in environment variables, as OpenTelemetry names them:
// traceparent is TRACEPARENT.
type carrier map[string]string

var _ propagation.TextMapCarrier = carrier(nil)

var variable = strings.NewReplacer("-", "_", ".", "_")

// Get implements propagation.TextMapCarrier.
func (c carrier) Get(key string) string { return c[variable.Replace(strings.ToUpper(key))] }

// Set implements propagation.TextMapCarrier. A job's environment is only read.
func (carrier) Set(string, string) {}

// Keys implements propagation.TextMapCarrier.
func (c carrier) Keys() []string {
	keys := make([]string, 0, len(c))
	for key := range c {
		keys = append(keys, key)
	}
	return keys
}
