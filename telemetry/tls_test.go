package telemetry_test

import (
	"crypto/tls"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/status"

	"github.com/brunt-go/brunt/brunttest"
	"github.com/brunt-go/brunt/telemetry"
)

// A collector behind TLS that wants to know its callers is reached with the files that
// the variables name, which are those of the Host.
func TestNew_certificates(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name, protocol string
		serve          func(*testing.T, *brunttest.Host, *tls.Config, chan<- string)
	}{
		{"http", "http/protobuf", serveHTTP},
		{"grpc", "grpc", serveGRPC},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				h, ca := brunttest.NewHost(t), brunttest.NewCA(t)
				callers := make(chan string, 10)
				row.serve(t, h, &tls.Config{
					Certificates: []tls.Certificate{ca.Issue(t, "collector").TLS()},
					ClientAuth:   tls.RequireAndVerifyClientCert,
					ClientCAs:    ca.Pool(),
				}, callers)
				certificate, key := ca.Issue(t, "orders").PEM(t)
				app := h.Named("orders", brunttest.WithFiles(map[string][]byte{"/tls/ca.pem": ca.PEM(), "/tls/cert.pem": certificate, "/tls/key.pem": key}))
				settings := telemetry.DefaultSettings()
				sdk, err := telemetry.New(t.Context(), settings, telemetry.Surroundings{
					Environment: map[string]string{
						"OTEL_EXPORTER_OTLP_ENDPOINT":           "https://collector:4000",
						"OTEL_EXPORTER_OTLP_PROTOCOL":           row.protocol,
						"OTEL_EXPORTER_OTLP_CERTIFICATE":        "/tls/ca.pem",
						"OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE": "/tls/cert.pem",
						"OTEL_EXPORTER_OTLP_CLIENT_KEY":         "/tls/key.pem",
						"OTEL_METRICS_EXPORTER":                 "none",
						"OTEL_LOGS_EXPORTER":                    "none",
					},
					Dial:     app.DialContext,
					ReadFile: app.Host().ReadFile,
				})
				if err != nil {
					t.Fatal(err)
				}
				_, span := sdk.TracerProvider.Tracer("test").Start(t.Context(), "work")
				span.End()
				if err := sdk.Shutdown(t.Context()); err != nil {
					t.Error(err)
				}
				select {
				case got := <-callers:
					if got != "orders" {
						t.Errorf("the collector was called by %q", got)
					}
				default:
					t.Error("nobody called the collector")
				}
			})
		})
	}
}

func serveHTTP(_ *testing.T, h *brunttest.Host, config *tls.Config, callers chan<- string) {
	h.Serve("collector:4000", http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		callers <- r.TLS.PeerCertificates[0].Subject.CommonName
	}), config)
}

func serveGRPC(t *testing.T, h *brunttest.Host, config *tls.Config, callers chan<- string) {
	t.Helper()
	l, err := h.Listen("tcp", "collector:4000")
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer(grpc.Creds(credentials.NewTLS(config)), grpc.UnknownServiceHandler(func(_ any, s grpc.ServerStream) error {
		from, _ := peer.FromContext(s.Context())
		callers <- from.AuthInfo.(credentials.TLSInfo).State.PeerCertificates[0].Subject.CommonName
		return status.Error(codes.InvalidArgument, "this is no collector")
	}))
	go server.Serve(l)
	t.Cleanup(server.Stop)
}

// Files that are there and hold something else are named.
func TestNew_badCertificates(t *testing.T) {
	t.Parallel()
	h := brunttest.NewHost(t, brunttest.WithFiles(map[string][]byte{"/tls/text": []byte("hello")}))
	_, err := telemetry.New(t.Context(), telemetry.DefaultSettings(), telemetry.Surroundings{
		Environment: map[string]string{
			"OTEL_EXPORTER_OTLP_CERTIFICATE":               "/tls/text",
			"OTEL_EXPORTER_OTLP_TRACES_CLIENT_CERTIFICATE": "/tls/text",
			"OTEL_EXPORTER_OTLP_LOGS_CLIENT_KEY":           "/tls/gone",
		},
		ReadFile: h.Host().ReadFile,
	})
	if err == nil {
		t.Fatal("no error")
	}
	want := []string{
		`OTEL_EXPORTER_OTLP_CERTIFICATE: "/tls/text", must be a file with certificates in PEM`,
		`OTEL_EXPORTER_OTLP_TRACES_CLIENT_CERTIFICATE: "/tls/text", must be a file with a certificate in PEM, and OTEL_EXPORTER_OTLP_TRACES_CLIENT_KEY the file with its key: tls: `,
		`OTEL_EXPORTER_OTLP_LOGS_CLIENT_KEY: "/tls/gone", must be a file that can be read: open /tls/gone: file does not exist`,
	}
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != len(want) {
		t.Fatalf("New() = %v, want %d lines", err, len(want))
	}
	for i := range want {
		if !strings.HasPrefix(lines[i], want[i]) {
			t.Errorf("line %d: %s, want %s", i, lines[i], want[i])
		}
	}
}
