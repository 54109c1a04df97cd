package httpserver_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"go.opentelemetry.io/otel/baggage"
	"go.uber.org/goleak"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/brunttest"
	"github.com/brunt-go/brunt/fault"
	"github.com/brunt-go/brunt/fault/jsonscenario"
	"github.com/brunt-go/brunt/fit"
	"github.com/brunt-go/brunt/httpserver"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	key   = "acme.fault"
	point = "http:payments:8443"
)

var abort = fit.Scenario{Rules: []fit.Rule{{Point: point, Fault: fit.Fault{Abort: true}}}}

// world is an App with one server, orders, on a machine of the test's.
type world struct {
	host   *brunttest.Host
	ca     *brunttest.CA
	tel    *brunttest.Telemetry
	app    *brunttest.Process
	status <-chan brunt.Status
}

// serve starts orders with handler, after change has had its way with the settings, and
// waits until it listens.
func serve(t testing.TB, handler http.Handler, change func(*httpserver.Settings, *brunttest.CA), opts ...brunttest.StartOption) *world {
	t.Helper()
	w := &world{host: brunttest.NewHost(t), ca: brunttest.NewCA(t), tel: brunttest.NewTelemetry()}
	settings := httpserver.DefaultSettings()
	settings.Addr = "orders:9443"
	settings.TLS = &tls.Config{Certificates: []tls.Certificate{w.ca.Issue(t, "orders").TLS()}}
	if change != nil {
		change(&settings, w.ca)
	}
	init := func(_ context.Context, s *brunt.Setup) ([]brunt.Service, error) {
		svc, err := httpserver.NewService(s, settings, handler)
		return []brunt.Service{svc}, err
	}
	w.app, w.status = brunttest.Start(t, init, append([]brunttest.StartOption{
		brunttest.WithApp(brunt.WithHost(w.host.Host()), brunt.WithTelemetry(w.tel.Builder())),
	}, opts...)...)
	<-w.host.Listening("orders:9443")
	synctest.Wait()
	return w
}

// withFaults turns failure injection on.
func withFaults() brunttest.StartOption {
	return brunttest.WithApp(brunt.WithFaults(func(context.Context, *brunt.Setup) (fault.Settings, error) {
		settings := fault.DefaultSettings()
		codec, err := jsonscenario.New(key)
		settings.Decoder = codec
		return settings, err
	}))
}

// client is a client that trusts the test's authority, and has a certificate of it if
// one is given.
func (w *world) client(certificates ...*brunttest.Certificate) *http.Client {
	c := w.host.HTTPClient()
	config := &tls.Config{RootCAs: w.ca.Pool()}
	for _, certificate := range certificates {
		config.Certificates = append(config.Certificates, certificate.TLS())
	}
	c.Transport.(*http.Transport).TLSClientConfig = config
	return c
}

// dial opens a connection to orders, over TLS with protocol unless that is "".
func (w *world) dial(t testing.TB, protocol string) net.Conn {
	t.Helper()
	c, err := w.host.DialContext(t.Context(), "tcp", "orders:9443")
	if err != nil {
		t.Fatal(err)
	}
	if protocol == "" {
		return c
	}
	conn := tls.Client(c, &tls.Config{RootCAs: w.ca.Pool(), ServerName: "orders", NextProtos: []string{protocol}})
	if err := conn.HandshakeContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	return conn
}

// warnings are the records that somebody should look at, each as "LEVEL message: error".
func (w *world) warnings() []string {
	var all []string
	for _, l := range w.tel.Logs() {
		if l.Level >= slog.LevelWarn {
			all = append(all, strings.TrimSuffix(fmt.Sprintf("%v %s: %s", l.Level, l.Message, l.Attribute("error")), ": "))
		}
	}
	return all
}

// scenarioHeader is a baggage header with the scenario and a tenant.
func scenarioHeader(t testing.TB, s fit.Scenario) string {
	t.Helper()
	codec, err := jsonscenario.New(key)
	if err != nil {
		t.Fatal(err)
	}
	tenant, err := baggage.NewMemberRaw("tenant", "acme")
	if err != nil {
		t.Fatal(err)
	}
	b, err := baggage.New(tenant)
	if err != nil {
		t.Fatal(err)
	}
	if b, err = codec.Encode(b, s); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// get sends a request, and returns the status and the body, or 0 and the error.
func get(t testing.TB, c *http.Client, url string, header ...string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := c.Do(req)
	if err != nil {
		return 0, err.Error()
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return 0, err.Error()
	}
	return resp.StatusCode, string(text)
}

// answer reads one answer from a raw connection: its status line, or how it ended.
func answer(c net.Conn) string {
	line, err := bufio.NewReader(c).ReadString('\n')
	if err != nil {
		return err.Error()
	}
	return strings.TrimSpace(line)
}

// drained reads what is left of a connection and closes it.
func drained(c net.Conn) {
	_, _ = io.Copy(io.Discard, c)
	c.Close()
}
