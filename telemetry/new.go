package telemetry

import (
	"context"
	"net"
	"time"

	sdklog "go.opentelemetry.io/otel/sdk/log"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

// New builds the telemetry that s and the variables in around.Environment describe.
// It waits for nothing outside of the process, and sets no global of OpenTelemetry.
//
// The error has everything that is wrong: each variable as a *VariableError, and
// what CheckSettings finds.
//
// The exporters serve no request. They dial by around.Dial alone, have no injection
// point, and send nobody's baggage. A collector that is down costs no request and no
// start anything: what cannot be sent is dropped, which is said once on around.Stderr
// until it works again, and Shutdown ends after s.ShutdownTimeout at the latest.
func New(ctx context.Context, s Settings, around Surroundings) (SDK, error) {
	if err := CheckSettings(s); err != nil {
		return SDK{}, err
	}
	p, err := read(s, around)
	if err != nil {
		return SDK{}, err
	}
	if p.disabled {
		t := Noop()
		t.Propagator = p.propagator
		return noopSDK(t), nil
	}
	return newBuild(p, around).sdk(ctx)
}

// build is the work of one New.
type build struct {
	plan
	stdout   *lockedWriter
	reporter *reporter
	dialer   Dialer
	// halt is done when Shutdown's time is over: it ends every export.
	halt    context.Context // it outlives every call
	stop    context.CancelFunc
	ends    []func(context.Context) error // of the providers
	closers []func()                      // of the connections
}

func newBuild(p plan, around Surroundings) *build {
	b := &build{plan: p, stdout: newLockedWriter(around.Stdout), dialer: around.Dial}
	b.reporter = &reporter{out: newLockedWriter(around.Stderr)}
	if b.dialer == nil {
		b.dialer = new(net.Dialer).DialContext
	}
	b.halt, b.stop = context.WithCancel(context.Background())
	return b
}

func (b *build) sdk(ctx context.Context) (SDK, error) {
	t, err := b.telemetry(ctx)
	if err != nil {
		b.stop()
		b.close()
		return SDK{}, err
	}
	return SDK{Telemetry: t, Shutdown: b.shutdown}, nil
}

func (b *build) telemetry(ctx context.Context) (Telemetry, error) {
	what, err := b.resource(ctx)
	if err != nil {
		return Telemetry{}, err
	}
	t := Telemetry{Propagator: b.propagator, Level: b.Level}
	if t.TracerProvider, err = b.tracerProvider(ctx, what); err != nil {
		return Telemetry{}, err
	}
	if t.MeterProvider, err = b.meterProvider(ctx, what); err != nil {
		return Telemetry{}, err
	}
	if t.LoggerProvider, err = b.loggerProvider(ctx, what); err != nil {
		return Telemetry{}, err
	}
	return t, nil
}

func (b *build) tracerProvider(ctx context.Context, what *resource.Resource) (*sdktrace.TracerProvider, error) {
	options := []sdktrace.TracerProviderOption{sdktrace.WithResource(what), sdktrace.WithSampler(b.sampler())}
	for _, to := range b.Traces {
		if to != ExporterOTLP {
			options = append(options, sdktrace.WithSyncer(b.consoleTraces(to)))
			continue
		}
		exporter, err := b.otlpTraces(ctx, b.traces)
		if err != nil {
			return nil, err
		}
		options = append(options, sdktrace.WithBatcher(
			guardedTraces{exporter, b.guard("traces", b.traces.Endpoint)},
			sdktrace.WithBatchTimeout(b.spanDelay), sdktrace.WithExportTimeout(b.traces.Timeout)))
	}
	provider := sdktrace.NewTracerProvider(options...)
	b.ends = append(b.ends, provider.Shutdown)
	return provider, nil
}

func (b *build) meterProvider(ctx context.Context, what *resource.Resource) (*sdkmetric.MeterProvider, error) {
	options := []sdkmetric.Option{sdkmetric.WithResource(what)}
	add := func(exporter sdkmetric.Exporter, timeout time.Duration) {
		options = append(options, sdkmetric.WithReader(sdkmetric.NewPeriodicReader(exporter,
			sdkmetric.WithInterval(b.MetricInterval), sdkmetric.WithTimeout(timeout))))
	}
	for _, to := range b.Metrics {
		if to != ExporterOTLP {
			add(b.consoleMetrics(to), b.metrics.Timeout)
			continue
		}
		exporter, err := b.otlpMetrics(ctx, b.metrics)
		if err != nil {
			return nil, err
		}
		add(guardedMetrics{exporter, b.guard("metrics", b.metrics.Endpoint)}, b.metrics.Timeout)
	}
	provider := sdkmetric.NewMeterProvider(options...)
	b.ends = append(b.ends, provider.Shutdown)
	return provider, nil
}

func (b *build) loggerProvider(ctx context.Context, what *resource.Resource) (*sdklog.LoggerProvider, error) {
	options := []sdklog.LoggerProviderOption{sdklog.WithResource(what)}
	for _, to := range b.Logs {
		if to != ExporterOTLP {
			options = append(options, sdklog.WithProcessor(sdklog.NewSimpleProcessor(b.consoleLogs(to))))
			continue
		}
		exporter, err := b.otlpLogs(ctx, b.logs)
		if err != nil {
			return nil, err
		}
		options = append(options, sdklog.WithProcessor(sdklog.NewBatchProcessor(
			guardedLogs{exporter, b.guard("logs", b.logs.Endpoint)},
			sdklog.WithExportInterval(b.logDelay), sdklog.WithExportTimeout(b.logs.Timeout))))
	}
	provider := sdklog.NewLoggerProvider(options...)
	b.ends = append(b.ends, provider.Shutdown)
	return provider, nil
}

// dial returns a Dialer that gives up after timeout and when Shutdown's time is over: a
// connection is made for whoever needs it, and nobody's context ends it.
func (b *build) dial(timeout time.Duration) Dialer {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		ctx, cancel := b.until(ctx)
		defer cancel()
		ctx, cancelTimeout := context.WithTimeout(ctx, timeout)
		defer cancelTimeout()
		return b.dialer(ctx, network, address)
	}
}

// until returns ctx, which ends with Shutdown's time too.
func (b *build) until(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(b.halt, cancel)
	return ctx, func() { stop(); cancel() }
}
