package telemetry

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/url"

	"go.opentelemetry.io/otel/exporters/otlp/otlplog/otlploggrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlplog/otlploghttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetricgrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	sdklog "go.opentelemetry.io/otel/sdk/log"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/encoding/gzip"
)

// The exporters read the process's own environment for what no option says. So each
// gets every option: what counts is the environment New was given.

func (b *build) otlpTraces(ctx context.Context, o OTLP) (sdktrace.SpanExporter, error) {
	if o.Protocol == ProtocolGRPC {
		conn, err := b.grpc(o)
		if err != nil {
			return nil, err
		}
		return otlptracegrpc.New(ctx, otlptracegrpc.WithGRPCConn(conn),
			otlptracegrpc.WithHeaders(o.Headers), otlptracegrpc.WithTimeout(o.Timeout))
	}
	compression := otlptracehttp.NoCompression
	if o.Gzip {
		compression = otlptracehttp.GzipCompression
	}
	return otlptracehttp.New(ctx, otlptracehttp.WithHTTPClient(b.http(o)), otlptracehttp.WithEndpointURL(o.Endpoint),
		otlptracehttp.WithHeaders(o.Headers), otlptracehttp.WithTimeout(o.Timeout),
		otlptracehttp.WithCompression(compression), otlptracehttp.WithTLSClientConfig(nil))
}

func (b *build) otlpMetrics(ctx context.Context, o OTLP) (sdkmetric.Exporter, error) {
	if o.Protocol == ProtocolGRPC {
		conn, err := b.grpc(o)
		if err != nil {
			return nil, err
		}
		return otlpmetricgrpc.New(ctx, otlpmetricgrpc.WithGRPCConn(conn),
			otlpmetricgrpc.WithHeaders(o.Headers), otlpmetricgrpc.WithTimeout(o.Timeout),
			otlpmetricgrpc.WithTemporalitySelector(sdkmetric.DefaultTemporalitySelector),
			otlpmetricgrpc.WithAggregationSelector(sdkmetric.DefaultAggregationSelector))
	}
	compression := otlpmetrichttp.NoCompression
	if o.Gzip {
		compression = otlpmetrichttp.GzipCompression
	}
	return otlpmetrichttp.New(ctx, otlpmetrichttp.WithHTTPClient(b.http(o)), otlpmetrichttp.WithEndpointURL(o.Endpoint),
		otlpmetrichttp.WithHeaders(o.Headers), otlpmetrichttp.WithTimeout(o.Timeout),
		otlpmetrichttp.WithCompression(compression), otlpmetrichttp.WithTLSClientConfig(nil),
		otlpmetrichttp.WithTemporalitySelector(sdkmetric.DefaultTemporalitySelector),
		otlpmetrichttp.WithAggregationSelector(sdkmetric.DefaultAggregationSelector))
}

func (b *build) otlpLogs(ctx context.Context, o OTLP) (sdklog.Exporter, error) {
	if o.Protocol == ProtocolGRPC {
		conn, err := b.grpc(o)
		if err != nil {
			return nil, err
		}
		return otlploggrpc.New(ctx, otlploggrpc.WithGRPCConn(conn),
			otlploggrpc.WithHeaders(o.Headers), otlploggrpc.WithTimeout(o.Timeout))
	}
	compression := otlploghttp.NoCompression
	if o.Gzip {
		compression = otlploghttp.GzipCompression
	}
	return otlploghttp.New(ctx, otlploghttp.WithHTTPClient(b.http(o)), otlploghttp.WithEndpointURL(o.Endpoint),
		otlploghttp.WithHeaders(o.Headers), otlploghttp.WithTimeout(o.Timeout),
		otlploghttp.WithCompression(compression), otlploghttp.WithTLSClientConfig(nil))
}

// http returns a client of the exporters' own: no proxy, no instrumentation, no
// injection point, connections by the App's Dialer.
func (b *build) http(o OTLP) *http.Client {
	transport := &http.Transport{
		DialContext:         b.dial(o.Timeout),
		TLSClientConfig:     o.TLS.Clone(),
		TLSHandshakeTimeout: o.Timeout,
		MaxIdleConnsPerHost: 1,
		ForceAttemptHTTP2:   true,
	}
	b.closers = append(b.closers, transport.CloseIdleConnections)
	return &http.Client{Transport: transport, Timeout: o.Timeout}
}

// grpc returns a connection that is made when it is first used. The passthrough
// resolver leaves the name to the App's Dialer.
func (b *build) grpc(o OTLP) (*grpc.ClientConn, error) {
	u, err := url.Parse(o.Endpoint)
	if err != nil {
		return nil, err
	}
	secure := insecure.NewCredentials()
	port := "80"
	if u.Scheme == "https" {
		port = "443"
		config := o.TLS.Clone()
		if config == nil {
			config = &tls.Config{}
		}
		secure = credentials.NewTLS(config)
	}
	if u.Port() != "" {
		port = u.Port()
	}
	dial := b.dial(o.Timeout)
	options := []grpc.DialOption{
		grpc.WithTransportCredentials(secure),
		grpc.WithContextDialer(func(ctx context.Context, address string) (net.Conn, error) {
			return dial(ctx, "tcp", address)
		}),
		grpc.WithDisableServiceConfig(),
	}
	if o.Gzip {
		options = append(options, grpc.WithDefaultCallOptions(grpc.UseCompressor(gzip.Name)))
	}
	conn, err := grpc.NewClient("passthrough:///"+net.JoinHostPort(u.Hostname(), port), options...)
	if err != nil {
		return nil, err
	}
	b.closers = append(b.closers, func() { _ = conn.Close() }) // closed once
	return conn, nil
}
