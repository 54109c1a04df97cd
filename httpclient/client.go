package httpclient

import (
	"context"
	"net/http"
	"net/url"

	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel/attribute"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/circuit"
	"github.com/brunt-go/brunt/fault/faulthttp"
	"github.com/brunt-go/brunt/httpclient/transport"
	"github.com/brunt-go/brunt/retry"
	"github.com/brunt-go/brunt/telemetry"
)

const scopeName = "github.com/brunt-go/brunt/httpclient"

// NewClient checks settings, reporting every bad field in one error that names each, and
// returns a client of the service at BaseURL. It opens no connection, and closes those
// that are idle when the App ends. Build one for a service and keep it: its calls share
// connections, retry budget and breaker. It is safe for concurrent use.
//
// The client follows redirects within the service. One to another host is the answer.
func NewClient(s *brunt.Setup, settings Settings) (*http.Client, error) {
	if err := settings.check(); err != nil {
		return nil, err
	}
	base, err := parseBase(settings.BaseURL)
	if err != nil {
		return nil, err
	}
	tel := complete(s.Telemetry)
	connections := newConnections(s.Host, settings)
	s.OnStop(func(context.Context) error { connections.CloseIdleConnections(); return nil })

	last := &remaining{base: connections, header: http.CanonicalHeaderKey(settings.RemainingHeader)}
	point := faulthttp.NewTransport(last, s.Faults, scenarios(settings, tel)...)
	traced := otelhttp.NewTransport(resent{point},
		otelhttp.WithTracerProvider(tel.TracerProvider),
		otelhttp.WithMeterProvider(tel.MeterProvider),
		otelhttp.WithPropagators(tel.Propagator))
	bounded := transport.NewAttemptTimeout(traced, settings.AttemptTimeout)
	again, err := newRetries(bounded, base, settings, tel)
	if err != nil {
		return nil, err
	}
	return &http.Client{
		Timeout: settings.Timeout,
		Transport: &origin{
			base: base, timeout: settings.Timeout, inner: again, connections: connections,
			log: tel.Logger(scopeName),
		},
		CheckRedirect: within(base),
	}, nil
}

func scenarios(settings Settings, tel telemetry.Telemetry) []faulthttp.TransportOption {
	options := []faulthttp.TransportOption{faulthttp.WithPropagator(tel.Propagator)}
	if settings.ForwardScenario {
		options = append(options, faulthttp.ForwardScenario())
	}
	return options
}

// newRetries returns inner with the breaker, if there is to be one, and the retries
// around it.
func newRetries(inner http.RoundTripper, base *url.URL, settings Settings, tel telemetry.Telemetry) (http.RoundTripper, error) {
	peer := []attribute.KeyValue{attribute.String("server.address", hostOf(base)), attribute.Int("server.port", portOf(base))}
	if settings.Breaker {
		breaker, err := circuit.New(authority(base), settings.BreakerPolicy,
			circuit.WithMeterProvider(tel.MeterProvider),
			circuit.WithLogger(tel.Logger("github.com/brunt-go/brunt/circuit")),
			circuit.WithAttributes(peer...))
		if err != nil {
			return nil, err
		}
		inner = transport.NewBreaker(inner, breaker, settings.Classify)
	}
	budget, err := retry.NewBudget(settings.RetryBudget)
	if err != nil {
		return nil, err
	}
	policy, err := retry.New(settings.retry(),
		retry.WithBudget(budget), retry.WithMeterProvider(tel.MeterProvider), retry.WithAttributes(peer...))
	if err != nil {
		return nil, err
	}
	return transport.NewRetry(inner, policy, settings.Classify), nil
}

// complete is t with what records nothing where it has nothing, as in a Setup that a
// test made.
func complete(t telemetry.Telemetry) telemetry.Telemetry {
	none := telemetry.Noop()
	if t.TracerProvider == nil {
		t.TracerProvider = none.TracerProvider
	}
	if t.MeterProvider == nil {
		t.MeterProvider = none.MeterProvider
	}
	if t.LoggerProvider == nil {
		t.LoggerProvider = none.LoggerProvider
	}
	if t.Propagator == nil {
		t.Propagator = none.Propagator
	}
	return t
}
