package httpclient_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/httpclient"
	"github.com/brunt-go/brunt/telemetry"
)

func discard(tb testing.TB, client *http.Client, url string) {
	resp, err := client.Get(url)
	if err != nil {
		tb.Fatal(err)
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		tb.Fatal(err)
	}
}

// benchmarked is a server, and the two clients `make bench` compares.
func benchmarked(tb testing.TB) (url string, full, bare *http.Client) {
	tb.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "ok") }))
	tb.Cleanup(server.Close)
	settings := httpclient.DefaultSettings()
	settings.BaseURL = server.URL
	full, err := httpclient.NewClient(&brunt.Setup{}, settings)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(full.CloseIdleConnections)
	tel, base := telemetry.Noop(), &http.Transport{}
	tb.Cleanup(base.CloseIdleConnections)
	bare = &http.Client{Timeout: settings.Timeout, Transport: otelhttp.NewTransport(base,
		otelhttp.WithTracerProvider(tel.TracerProvider), otelhttp.WithMeterProvider(tel.MeterProvider), otelhttp.WithPropagators(tel.Propagator))}
	return server.URL, full, bare
}

func BenchmarkClient(b *testing.B) {
	url, full, bare := benchmarked(b)
	for name, client := range map[string]*http.Client{"httpclient": full, "otelhttp": bare} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				discard(b, client, url)
			}
		})
	}
}
