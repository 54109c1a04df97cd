package httpclient_test

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/baggage"
	"go.opentelemetry.io/otel/trace"
	"go.uber.org/goleak"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/brunttest"
	"github.com/brunt-go/brunt/fault"
	"github.com/brunt-go/brunt/fault/jsonscenario"
	"github.com/brunt-go/brunt/fit"
	"github.com/brunt-go/brunt/httpclient"
	"github.com/brunt-go/brunt/telemetry"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	point  = "http:payments:8443"
	second = time.Second
)

// rig is a client of payments, over TLS on a network in memory, and what payments saw.
type rig struct {
	t      *testing.T
	host   *brunttest.Host
	ca     *brunttest.CA
	tel    *brunttest.Telemetry
	setup  *brunt.Setup
	client *http.Client

	mu   sync.Mutex
	seen []http.Header
	body []string
}

// story runs f in fake time, with a client whose settings change made, or nil.
func story(t *testing.T, handle http.HandlerFunc, change func(*httpclient.Settings), f func(*testing.T, *rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		config := &tls.Config{Certificates: []tls.Certificate{r.ca.Issue(t, "payments").TLS()}}
		r.host.Serve("payments:8443", r.recording(handle), config)
		r.client = r.newClient(change)
		f(t, r)
	})
}

func newRig(t *testing.T) *rig {
	t.Helper()
	r := &rig{t: t, host: brunttest.NewHost(t), ca: brunttest.NewCA(t), tel: brunttest.NewTelemetry()}
	sdk, err := r.tel.Builder()(t.Context(), telemetry.Surroundings{})
	if err != nil {
		t.Fatal(err)
	}
	settings := fault.DefaultSettings()
	settings.Decoder = codec(t)
	faults, err := fault.New(settings)
	if err != nil {
		t.Fatal(err)
	}
	r.setup = &brunt.Setup{Host: r.host.Host(), Telemetry: sdk.Telemetry, Faults: faults}
	return r
}

func codec(t *testing.T) jsonscenario.Codec {
	t.Helper()
	c, err := jsonscenario.New("acme.fault")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// newClient has backoffs that are not drawn: none, unless change says otherwise.
func (r *rig) newClient(change func(*httpclient.Settings)) *http.Client {
	r.t.Helper()
	s := httpclient.DefaultSettings()
	s.BaseURL = "https://payments:8443"
	s.TLS = &tls.Config{RootCAs: r.ca.Pool()}
	s.BackoffBase = 0
	if change != nil {
		change(&s)
	}
	client, err := httpclient.NewClient(r.setup, s)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(client.CloseIdleConnections)
	return client
}

func (r *rig) recording(handle http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, _ := io.ReadAll(req.Body)
		r.mu.Lock()
		r.seen = append(r.seen, req.Header.Clone())
		r.body = append(r.body, string(body))
		r.mu.Unlock()
		if handle == nil {
			fmt.Fprint(w, "charged")
			return
		}
		handle(w, req)
	})
}

// requests are the headers payments saw.
func (r *rig) requests() []http.Header {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]http.Header(nil), r.seen...)
}

// carrying is the context of a call in a span of its own, with a tenant in its baggage
// and a scenario of rules, if there are any. end ends the span.
func (r *rig) carrying(rules ...fit.Rule) (ctx context.Context, end func()) {
	r.t.Helper()
	m, err := baggage.NewMember("tenant", "acme")
	if err != nil {
		r.t.Fatal(err)
	}
	b, err := baggage.New(m)
	if err != nil {
		r.t.Fatal(err)
	}
	ctx = baggage.ContextWithBaggage(r.t.Context(), b)
	if rules != nil {
		if ctx, err = fit.ContextWithScenario(ctx, codec(r.t), fit.Scenario{Rules: rules}); err != nil {
			r.t.Fatal(err)
		}
	}
	ctx, span := r.setup.Telemetry.TracerProvider.Tracer("test").Start(ctx, "call")
	return ctx, func() { span.End() }
}

// do makes a call and returns what it came to.
func (r *rig) do(ctx context.Context, method, target string, body io.Reader, headers ...string) (int, string, error) {
	r.t.Helper()
	req, err := http.NewRequestWithContext(ctx, method, target, body)
	if err != nil {
		r.t.Fatal(err)
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Set(name, value)
	}
	resp, err := r.client.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(text), err
}

// get makes a call whose scenario has rules, in a span of its own.
func (r *rig) get(rules ...fit.Rule) (int, error) {
	r.t.Helper()
	ctx, end := r.carrying(rules...)
	defer end()
	status, _, err := r.do(ctx, http.MethodGet, "/charge", nil)
	return status, err
}

func (r *rig) attempts() []brunttest.Span { return r.tel.SpansOfKind(trace.SpanKindClient) }

func (r *rig) decisions(d string) float64 {
	return r.tel.Sum("brunt.retry.decisions", attribute.String("brunt.retry.decision", d),
		attribute.String("server.address", "payments"), attribute.Int("server.port", 8443))
}

func (r *rig) calls(outcome string) float64 {
	return r.tel.Sum("brunt.circuit.calls", attribute.String("brunt.circuit.outcome", outcome),
		attribute.String("server.address", "payments"), attribute.Int("server.port", 8443))
}

func abort() fit.Rule { return fit.Rule{Point: point, Fault: fit.Fault{Abort: true}} }

func delay(d time.Duration) fit.Rule { return fit.Rule{Point: point, Fault: fit.Fault{Delay: d}} }

// spare is a rule about somebody else.
func spare() fit.Rule {
	return fit.Rule{Point: "http:ledger:8443", Fault: fit.Fault{Abort: true}}
}
