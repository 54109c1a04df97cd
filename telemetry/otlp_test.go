package telemetry

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/baggage"

	"github.com/brunt-go/brunt/network/memnet"
)

// emit records one of each signal in a context that carries baggage.
func emit(t *testing.T, tel Telemetry) context.Context {
	t.Helper()
	scenario, err := baggage.Parse("acme.fault=%7B%22rules%22%3A%5B%5D%7D")
	if err != nil {
		t.Fatal(err)
	}
	ctx := baggage.ContextWithBaggage(t.Context(), scenario)
	ctx, span := tel.TracerProvider.Tracer("test").Start(ctx, "work")
	defer span.End()
	counter, err := tel.MeterProvider.Meter("test").Int64Counter("jobs")
	if err != nil {
		t.Fatal(err)
	}
	counter.Add(ctx, 3)
	tel.Logger("test").InfoContext(ctx, "hello", "answer", 42)
	return ctx
}

// All three signals reach a collector over both protocols, dialed by the App's
// Dialer, by name, in fake time.
func TestNew_otlp(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name  string
		start func(*testing.T, *memnet.Network, string) (*collector, func())
		env   map[string]string
	}{
		{"http", httpCollector, nil},
		{"http_gzip", httpCollector, map[string]string{"OTEL_EXPORTER_OTLP_COMPRESSION": "gzip"}},
		{"grpc", grpcCollector, map[string]string{"OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}},
		{"grpc_gzip", grpcCollector, map[string]string{"OTEL_EXPORTER_OTLP_PROTOCOL": "grpc", "OTEL_EXPORTER_OTLP_COMPRESSION": "gzip"}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				network := memnet.New()
				c, stop := row.start(t, network, "collector:4000")
				defer stop()
				env := map[string]string{
					"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4000",
					"OTEL_EXPORTER_OTLP_HEADERS":  "x-token=s3cret%3D,x-other=1",
					"OTEL_METRICS_EXPORTER":       "otlp",
					"OTEL_SERVICE_NAME":           "orders",
				}
				maps.Copy(env, row.env)
				var complaints strings.Builder
				sdk, err := New(t.Context(), DefaultSettings(), Surroundings{Environment: env, Stderr: &complaints, Dial: network.DialContext})
				if err != nil {
					t.Fatal(err)
				}
				ctx := emit(t, sdk.Telemetry)
				if err := sdk.Shutdown(ctx); err != nil {
					t.Errorf("Shutdown() = %v", err)
				}
				signals, headers := c.signals()
				for signal, want := range map[string]string{"traces": `"work"`, "metrics": `"jobs"`, "logs": `"hello"`} {
					if got := signals[signal]; !strings.Contains(got, want) || !strings.Contains(got, `"orders"`) {
						t.Errorf("%s: the collector has %s, want %s and the service", signal, got, want)
					}
				}
				for signal := range signals {
					if got := headers[signal]["X-Token"]; !slices.Equal(got, []string{"s3cret="}) {
						t.Errorf("%s: the token was %q in %v", signal, got, headers[signal])
					}
					// R86: an export is no part of a request, so no scenario reaches it.
					if headers[signal]["Baggage"] != nil || headers[signal]["Traceparent"] != nil {
						t.Errorf("%s: an export carries somebody's context: %v", signal, headers[signal])
					}
					encoding := headers[signal].Get("Content-Encoding") + headers[signal].Get("Grpc-Encoding")
					if want := row.env["OTEL_EXPORTER_OTLP_COMPRESSION"]; strings.TrimPrefix(want, "none") != encoding {
						t.Errorf("%s: encoded as %q, want %s", signal, encoding, want)
					}
				}
				if complaints.Len() > 0 {
					t.Errorf("stderr has %s", complaints.String())
				}
			})
		})
	}
}

// A collector that is down, or takes connections and answers nothing, holds up
// neither start nor requests, and Shutdown for its timeout alone.
func TestNew_collectorDown(t *testing.T) {
	t.Parallel()
	for _, protocol := range protocols {
		for _, silent := range []bool{false, true} {
			name := string(protocol) + "_refused"
			if silent {
				name = string(protocol) + "_silent"
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					network := memnet.New()
					if silent {
						defer listen(t, network, "collector:4000").Close()
					}
					settings := DefaultSettings()
					settings.OTLP.Endpoint, settings.OTLP.Protocol = "http://collector:4000", protocol
					var complaints lockedBuilder
					begin := time.Now()
					sdk, err := New(t.Context(), settings, Surroundings{Stderr: &complaints, Dial: network.DialContext})
					if err != nil {
						t.Fatal(err)
					}
					for range 10_000 { // more than any queue holds
						_, span := sdk.TracerProvider.Tracer("test").Start(t.Context(), "work")
						span.End()
					}
					emit(t, sdk.Telemetry)
					if took := time.Since(begin); took != 0 {
						t.Errorf("start and requests took %v", took)
					}
					time.Sleep(2 * time.Minute)
					emit(t, sdk.Telemetry)
					time.Sleep(settings.BatchDelay + time.Millisecond) // an export is under way
					begin = time.Now()
					err = sdk.Shutdown(t.Context())
					// A refused HTTP request is not tried again, all else is.
					took, inTime := time.Since(begin), protocol == ProtocolHTTP && !silent
					if inTime && (took != 0 || err != nil) || !inTime && (took != settings.ShutdownTimeout || err == nil) {
						t.Errorf("Shutdown() = %v after %v", err, took)
					}
					for _, signal := range []string{"traces", "metrics", "logs"} {
						if n := strings.Count(complaints.String(), "telemetry: "+signal+" cannot be sent to http://collector:4000"); n != 1 {
							t.Errorf("%d lines about %s, want 1:\n%s", n, signal, complaints.String())
						}
					}
				})
			})
		}
	}
}

// What comes back is sent again, and said.
func TestNew_collectorComesBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		network := memnet.New()
		settings := DefaultSettings()
		settings.OTLP.Endpoint = "http://collector:4000"
		var complaints lockedBuilder
		sdk, err := New(t.Context(), settings, Surroundings{Stderr: &complaints, Dial: network.DialContext})
		if err != nil {
			t.Fatal(err)
		}
		emit(t, sdk.Telemetry)
		time.Sleep(2 * time.Minute)
		c, stop := httpCollector(t, network, "collector:4000")
		defer stop()
		emit(t, sdk.Telemetry)
		if err := sdk.Shutdown(t.Context()); err != nil {
			t.Errorf("Shutdown() = %v", err)
		}
		if signals, _ := c.signals(); len(signals) != 3 {
			t.Errorf("the collector has %v", signals)
		}
		if n := strings.Count(complaints.String(), "again\n"); n != 3 {
			t.Errorf("%d lines say that a signal is sent again, want 3:\n%s", n, complaints.String())
		}
	})
}

func TestNew_leavesGlobalsAlone(t *testing.T) { //nolint:paralleltest // it looks at what every test shares
	tracers, meters, loggers, propagator := otel.GetTracerProvider(), otel.GetMeterProvider(), otel.GetLoggerProvider(), otel.GetTextMapPropagator()
	settings := DefaultSettings()
	settings.Traces, settings.Metrics, settings.Logs = []Exporter{ExporterConsole}, []Exporter{ExporterConsole}, []Exporter{ExporterConsole}
	sdk, err := New(t.Context(), settings, Surroundings{})
	if err != nil {
		t.Fatal(err)
	}
	emit(t, sdk.Telemetry)
	if err := sdk.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	if tracers != otel.GetTracerProvider() || meters != otel.GetMeterProvider() || loggers != otel.GetLoggerProvider() {
		t.Error("a global provider has changed")
	}
	if fields := otel.GetTextMapPropagator().Fields(); len(fields) != 0 || len(propagator.Fields()) != 0 {
		t.Errorf("the global propagator carries %v", fields)
	}
}

// sendsToCollector fails t unless all three signals arrive, without a header named
// process and with the service's name.
func sendsToCollector(t *testing.T, start func(*testing.T, *memnet.Network, string) (*collector, func()), change func(*Settings), endpoint string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		network := memnet.New()
		c, stop := start(t, network, "collector:4000")
		defer stop()
		settings := DefaultSettings()
		settings.ServiceName, settings.OTLP.Endpoint = "orders", endpoint
		if change != nil {
			change(&settings)
		}
		var complaints lockedBuilder
		sdk, err := New(t.Context(), settings, Surroundings{Stderr: &complaints, Dial: network.DialContext})
		if err != nil {
			t.Fatal(err)
		}
		emit(t, sdk.Telemetry)
		if err := sdk.Shutdown(t.Context()); err != nil || complaints.String() != "" {
			t.Errorf("Shutdown() = %v, stderr has %q", err, complaints.String())
		}
		signals, headers := c.signals()
		for _, signal := range []string{"traces", "metrics", "logs"} {
			if !strings.Contains(signals[signal], `"orders"`) {
				t.Errorf("%s: the collector has %s, want the service in it", signal, signals[signal])
			}
		}
		for signal, all := range headers {
			if all["Process"] != nil {
				t.Errorf("%s: the process's own header was sent: %v", signal, all)
			}
		}
	})
}

// stuck is a stdout that nobody reads.
type stuck chan struct{}

// Write implements io.Writer.
func (s stuck) Write(p []byte) (int, error) {
	<-s
	return len(p), nil
}

// Not even what takes no notice of a context holds Shutdown up.
func TestNew_stuckAtTheEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		settings, out := DefaultSettings(), make(stuck)
		settings.Metrics, settings.Logs = []Exporter{ExporterConsole}, nil
		sdk, err := New(t.Context(), settings, Surroundings{Stdout: out})
		if err != nil {
			t.Fatal(err)
		}
		emit(t, sdk.Telemetry)
		begin := time.Now()
		err = sdk.Shutdown(t.Context())
		if took := time.Since(begin); took != settings.ShutdownTimeout || err == nil || err.Error() != "telemetry could not be sent within 5s" {
			t.Errorf("Shutdown() = %v after %v", err, took)
		}
		close(out)
	})
}
