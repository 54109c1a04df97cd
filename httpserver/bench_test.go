package httpserver_test

import (
	"fmt"
	"net/http"
	"testing"

	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace/noop"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/fault"
	"github.com/brunt-go/brunt/fault/jsonscenario"
	"github.com/brunt-go/brunt/httpserver"
	"github.com/brunt-go/brunt/telemetry"
)

// BenchmarkHandler is what the layers take of a request without a scenario and without a
// body, beside otelhttp alone; and of one that says how long its caller waits. bench/httpserver measures whole calls.
func BenchmarkHandler(b *testing.B) {
	hello := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "hello") })
	codec, err := jsonscenario.New(key)
	if err != nil {
		b.Fatal(err)
	}
	f := fault.DefaultSettings()
	f.Decoder = codec
	faults, err := fault.New(f)
	if err != nil {
		b.Fatal(err)
	}
	ours, err := httpserver.NewHandler(&brunt.Setup{Telemetry: telemetry.Noop(), Faults: faults}, httpserver.DefaultSettings(), hello)
	if err != nil {
		b.Fatal(err)
	}
	for name, h := range map[string]http.Handler{
		"otelhttp": otelhttp.NewHandler(hello, "hello", otelhttp.WithTracerProvider(noop.NewTracerProvider()),
			otelhttp.WithPropagators(propagation.NewCompositeTextMapPropagator(propagation.TraceContext{}, propagation.Baggage{}))),
		"httpserver":           ours,
		"httpserver_remaining": ours,
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			r, err := http.NewRequest("GET", "/", nil)
			if err != nil {
				b.Fatal(err)
			}
			if name == "httpserver_remaining" {
				r.Header.Set(left, "5000")
			}
			for b.Loop() {
				h.ServeHTTP(&nowhere{header: http.Header{}}, r)
			}
		})
	}
}

// nowhere is a ResponseWriter with the powers of HTTP/1's.
type nowhere struct {
	http.Hijacker
	header http.Header
}

func (n *nowhere) Header() http.Header         { return n.header }
func (n *nowhere) Write(b []byte) (int, error) { return len(b), nil }
func (n *nowhere) WriteHeader(int)             {}
func (n *nowhere) Flush()                      {}
