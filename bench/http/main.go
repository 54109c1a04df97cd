// Command http measures what httpclient costs a call, beside a bare otelhttp client, in
// one run:
//
//	go run ./bench/http
//
// Both call the same server over loopback, in turns, with the same Timeout, and the
// bare client has the settings of http.DefaultTransport. Every ratio is of figures of the
// same round, so that a busy machine does the same to both; the median over the rounds is
// what counts. Allocations are those of the whole process, the server's included, which
// are the same for both. The first rows are without telemetry, the others with a span and
// a metric recorded for each call, by both.
package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"slices"
	"time"

	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/fault"
	"github.com/brunt-go/brunt/fault/jsonscenario"
	"github.com/brunt-go/brunt/httpclient"
	"github.com/brunt-go/brunt/telemetry"
)

const (
	rounds = 15
	calls  = 2000 // of each client in a round
)

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	for _, protocol := range []struct {
		name  string
		start func(*httptest.Server)
	}{
		{"HTTP/1.1 in plain text", (*httptest.Server).Start},
		{"HTTP/2 and TLS", func(s *httptest.Server) { s.EnableHTTP2 = true; s.StartTLS() }},
	} {
		for _, tel := range []struct {
			name string
			telemetry.Telemetry
		}{{"without telemetry", telemetry.Noop()}, {"recorded", recorded()}} {
			server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "ok") }))
			protocol.start(server)
			err := compare(ctx, protocol.name+", "+tel.name, server, tel.Telemetry)
			server.Close()
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// compare prints how the two clients of server compare.
func compare(ctx context.Context, name string, server *httptest.Server, tel telemetry.Telemetry) error {
	config := &tls.Config{RootCAs: x509.NewCertPool()}
	if c := server.Certificate(); c != nil {
		config.RootCAs.AddCert(c)
	}
	full, err := everythingOn(server.URL, config, tel)
	if err != nil {
		return err
	}
	defer full.CloseIdleConnections()
	bare, end := bareClient(config, tel)
	defer end()

	var p50, p99, twice, micros []float64
	var extra []int
	for range rounds {
		times, err := inTurns(ctx, server.URL, bare, full, bare)
		if err != nil {
			return err
		}
		micros = append(micros, float64(times[0][calls/2].Nanoseconds())/1000)
		p50 = append(p50, ratio(times[1], times[0], 0.5))
		p99 = append(p99, ratio(times[1], times[0], 0.99))
		twice = append(twice, ratio(times[2], times[0], 0.5))
		n, err := extraAllocations(ctx, server.URL, full, bare)
		if err != nil {
			return err
		}
		extra = append(extra, n)
	}
	fmt.Printf("%-58s %8s %8s\n", "httpclient over "+name, "figure", "goal")
	fmt.Printf("%-58s %8.3f %8s\n", "time of a call over a bare otelhttp client's, p50", median(p50), "1.030")
	fmt.Printf("%-58s %8.3f %8s\n", "the same, p99", median(p99), "1.030")
	fmt.Printf("%-58s %8d %8s\n", "allocations of a call, more, the server's included", median(extra), "4")
	fmt.Printf("%-58s %8.1f\n", "the bare client's call, p50, µs", median(micros))
	fmt.Printf("%-58s %8.3f\n\n", "the bare client over itself, p50: what chance does", median(twice))
	return nil
}

// everythingOn is httpclient's, with failure injection on.
func everythingOn(url string, config *tls.Config, tel telemetry.Telemetry) (*http.Client, error) {
	codec, err := jsonscenario.New("acme.fault")
	if err != nil {
		return nil, err
	}
	faults := fault.DefaultSettings()
	faults.Decoder = codec
	injector, err := fault.New(faults)
	if err != nil {
		return nil, err
	}
	settings := httpclient.DefaultSettings()
	settings.BaseURL = url
	settings.TLS = config
	return httpclient.NewClient(&brunt.Setup{Host: brunt.OSHost(), Telemetry: tel, Faults: injector}, settings)
}

// bareClient has a Timeout and a span for each request, as any client should.
func bareClient(config *tls.Config, tel telemetry.Telemetry) (client *http.Client, end func()) {
	base, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		panic("http.DefaultTransport is none of net/http's")
	}
	base = base.Clone()
	base.TLSClientConfig = config.Clone()
	return &http.Client{
		Timeout: httpclient.DefaultSettings().Timeout,
		Transport: otelhttp.NewTransport(base, otelhttp.WithTracerProvider(tel.TracerProvider),
			otelhttp.WithMeterProvider(tel.MeterProvider), otelhttp.WithPropagators(tel.Propagator)),
	}, base.CloseIdleConnections
}

// inTurns returns the times of the calls of each client, in order of size.
func inTurns(ctx context.Context, url string, clients ...*http.Client) ([][]time.Duration, error) {
	times := make([][]time.Duration, len(clients))
	for range calls {
		for i, client := range clients {
			start := time.Now()
			if err := call(ctx, client, url); err != nil {
				return nil, err
			}
			times[i] = append(times[i], time.Since(start))
		}
	}
	for _, t := range times {
		slices.Sort(t)
	}
	return times, nil
}

func ratio(of, by []time.Duration, p float64) float64 {
	at := int(p * float64(len(of)-1))
	return float64(of[at]) / float64(by[at])
}

func median[T int | float64](values []T) T {
	return slices.Sorted(slices.Values(values))[len(values)/2]
}

// extraAllocations is how many more a call of one client has than one of another.
func extraAllocations(ctx context.Context, url string, of, by *http.Client) (int, error) {
	n, err := allocations(ctx, url, of)
	if err != nil {
		return 0, err
	}
	m, err := allocations(ctx, url, by)
	return n - m, err
}

func allocations(ctx context.Context, url string, client *http.Client) (int, error) {
	const calls = 500
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range calls {
		if err := call(ctx, client, url); err != nil {
			return 0, err
		}
	}
	runtime.ReadMemStats(&after)
	return int((after.Mallocs - before.Mallocs + calls/2) / calls), nil
}

func call(ctx context.Context, client *http.Client, url string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}
