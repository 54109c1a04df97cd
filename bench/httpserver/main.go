// Command httpserver measures what httpserver with TrustScenario costs a request beside
// otelhttp's handler on a bare http.Server, in one run:
//
//	go run ./bench/httpserver
//
// It exits with 1 when a figure is over its limit. The two take turns in many short
// rounds. The ratio is the median of the rounds' ratios.
package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"net/http"
	"os"
	"time"

	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace/noop"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/fault"
	"github.com/brunt-go/brunt/fault/jsonscenario"
	"github.com/brunt-go/brunt/httpserver"
	"github.com/brunt-go/brunt/telemetry"
)

// most is how much slower httpserver may be.
const most = 1.01

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	ours, err := layers()
	if err != nil {
		return err
	}
	alone := alone()
	config, roots, err := certificate()
	if err != nil {
		return err
	}
	fmt.Printf("%-44s %12s %12s %8s %8s\n", "a request without a scenario", "otelhttp", "httpserver", "ratio", "limit")
	for _, protocol := range []string{"http/1.1", "h2"} {
		a, err := bare(alone, config)
		if err != nil {
			return err
		}
		b, err := service(config)
		if err != nil {
			a.stop()
			return err
		}
		theirs, mine := newClient(a.addr, protocol, roots), newClient(b.addr, protocol, roots)
		p, err := turns(2000, 50, theirs.call, mine.call)
		theirs.http.CloseIdleConnections()
		mine.http.CloseIdleConnections()
		a.stop()
		b.stop()
		if err != nil {
			return err
		}
		line(protocol+" over TLS, whole call", p)
	}
	p, err := turns(2000, 200, handle(alone), handle(ours))
	if err != nil {
		return err
	}
	without, with, _ := p.medians()
	fmt.Printf("%-44s %12v %12v\n", "of it, the handler with nothing sent", without, with)
	return nil
}

// line prints one, and whether it is over the limit.
func line(what string, p pair) {
	a, b, ratio := p.medians()
	mark := ""
	if ratio > most {
		mark = "  OVER"
	}
	fmt.Printf("%-44s %12v %12v %8.3f %8.2f%s\n", what, a, b, ratio, most, mark)
}

// hello is the handler of both.
var hello = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "hello") })

// alone is hello as otelhttp has it.
func alone() http.Handler {
	return otelhttp.NewHandler(hello, "hello", otelhttp.WithTracerProvider(noop.NewTracerProvider()),
		otelhttp.WithPropagators(propagation.NewCompositeTextMapPropagator(propagation.TraceContext{}, propagation.Baggage{})))
}

// layers is hello as httpserver has it.
func layers() (http.Handler, error) {
	s, err := setup()
	if err != nil {
		return nil, err
	}
	return httpserver.NewHandler(s, settings(nil), hello)
}

// service serves it.
func service(config *tls.Config) (*running, error) {
	s, err := setup()
	if err != nil {
		return nil, err
	}
	svc, err := httpserver.NewService(s, settings(config), hello)
	if err != nil {
		return nil, err
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		err = svc.Serve(context.Background())
	}()
	for svc.Addr() == nil {
		select {
		case <-ended:
			return nil, err
		case <-time.After(time.Millisecond):
		}
	}
	return &running{svc.Addr().String(), func() { _ = svc.Shutdown(context.Background()); <-ended }}, nil
}

func settings(config *tls.Config) httpserver.Settings {
	s := httpserver.DefaultSettings()
	s.Addr, s.TLS = "127.0.0.1:0", config
	s.TrustScenario = func(r *http.Request) bool { return r.TLS != nil && len(r.TLS.VerifiedChains) > 0 }
	return s
}

// setup has failure injection on, and no telemetry: the less otelhttp does, the more of
// a request the layers are.
func setup() (*brunt.Setup, error) {
	codec, err := jsonscenario.New("acme.fault")
	if err != nil {
		return nil, err
	}
	f := fault.DefaultSettings()
	f.Decoder = codec
	faults, err := fault.New(f)
	if err != nil {
		return nil, err
	}
	return &brunt.Setup{Host: brunt.OSHost(), Telemetry: telemetry.Noop(), Faults: faults}, nil
}
