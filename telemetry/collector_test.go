package telemetry

import (
	"compress/gzip"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	collogs "go.opentelemetry.io/proto/otlp/collector/logs/v1"
	colmetrics "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	coltraces "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/stats"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/brunt-go/brunt/network/memnet"
)

// collector is an OpenTelemetry collector that keeps what it is sent, over HTTP or
// gRPC.
type collector struct {
	mu      sync.Mutex
	got     map[string]string      // the signal to its last request, as JSON
	headers map[string]http.Header // and that request's headers
}

func (c *collector) keep(signal string, m proto.Message, headers map[string][]string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.got == nil {
		c.got, c.headers = map[string]string{}, map[string]http.Header{}
	}
	c.got[signal] = protojson.MarshalOptions{}.Format(m)
	canonical := http.Header{} // gRPC has them in lower case
	for name, values := range headers {
		canonical[http.CanonicalHeaderKey(name)] = values
	}
	c.headers[signal] = canonical
}

// signals returns what was received last of each signal, and with which headers.
func (c *collector) signals() (map[string]string, map[string]http.Header) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.got, c.headers
}

// ServeHTTP implements http.Handler.
func (c *collector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := content(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	messages := map[string]proto.Message{
		"traces":  &coltraces.ExportTraceServiceRequest{},
		"metrics": &colmetrics.ExportMetricsServiceRequest{},
		"logs":    &collogs.ExportLogsServiceRequest{},
	}
	signal := strings.TrimPrefix(r.URL.Path, "/v1/")
	m := messages[signal]
	if m == nil || proto.Unmarshal(body, m) != nil {
		http.Error(w, "no signal: "+r.URL.Path, http.StatusNotFound)
		return
	}
	c.keep(signal, m, r.Header)
}

func content(r *http.Request) ([]byte, error) {
	if r.Header.Get("Content-Encoding") != "gzip" {
		return io.ReadAll(r.Body)
	}
	z, err := gzip.NewReader(r.Body)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

// httpCollector listens at address until it is stopped.
func httpCollector(t *testing.T, network *memnet.Network, address string) (*collector, func()) {
	t.Helper()
	c := &collector{}
	server := &http.Server{Handler: c}
	go server.Serve(listen(t, network, address))
	return c, func() { server.Close() }
}

func grpcCollector(t *testing.T, network *memnet.Network, address string) (*collector, func()) {
	t.Helper()
	c := &collector{}
	server := grpc.NewServer(grpc.StatsHandler(encodings{}))
	collogs.RegisterLogsServiceServer(server, grpcLogs{c: c})
	colmetrics.RegisterMetricsServiceServer(server, grpcMetrics{c: c})
	coltraces.RegisterTraceServiceServer(server, grpcTraces{c: c})
	go server.Serve(listen(t, network, address))
	return c, server.Stop
}

type grpcLogs struct {
	collogs.UnimplementedLogsServiceServer
	c *collector
}

func (g grpcLogs) Export(ctx context.Context, r *collogs.ExportLogsServiceRequest) (*collogs.ExportLogsServiceResponse, error) {
	g.c.keep("logs", r, incoming(ctx))
	return &collogs.ExportLogsServiceResponse{}, nil
}

type grpcMetrics struct {
	colmetrics.UnimplementedMetricsServiceServer
	c *collector
}

func (g grpcMetrics) Export(ctx context.Context, r *colmetrics.ExportMetricsServiceRequest) (*colmetrics.ExportMetricsServiceResponse, error) {
	g.c.keep("metrics", r, incoming(ctx))
	return &colmetrics.ExportMetricsServiceResponse{}, nil
}

type grpcTraces struct {
	coltraces.UnimplementedTraceServiceServer
	c *collector
}

func (g grpcTraces) Export(ctx context.Context, r *coltraces.ExportTraceServiceRequest) (*coltraces.ExportTraceServiceResponse, error) {
	g.c.keep("traces", r, incoming(ctx))
	return &coltraces.ExportTraceServiceResponse{}, nil
}

func incoming(ctx context.Context) map[string][]string {
	headers, _ := metadata.FromIncomingContext(ctx)
	headers = headers.Copy()
	if encoding, ok := ctx.Value(encodingKey{}).(*string); ok {
		headers.Set("grpc-encoding", *encoding)
	}
	return headers
}

// encodings notes how a call's messages are compressed, which gRPC tells nobody else.
type encodings struct{}

type encodingKey struct{}

func (encodings) TagRPC(ctx context.Context, _ *stats.RPCTagInfo) context.Context {
	return context.WithValue(ctx, encodingKey{}, new(string))
}

func (encodings) HandleRPC(ctx context.Context, s stats.RPCStats) {
	if header, ok := s.(*stats.InHeader); ok {
		*ctx.Value(encodingKey{}).(*string) = header.Compression
	}
}

func (encodings) TagConn(ctx context.Context, _ *stats.ConnTagInfo) context.Context { return ctx }

func (encodings) HandleConn(context.Context, stats.ConnStats) {}

func listen(t *testing.T, network *memnet.Network, address string) net.Listener {
	t.Helper()
	l, err := network.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	return l
}
