package compat

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mccutchen/go-httpbin/v2/httpbin"
	"go.opentelemetry.io/otel/attribute"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/brunttest"
	"github.com/brunt-go/brunt/fault"
	"github.com/brunt-go/brunt/fault/jsonscenario"
	"github.com/brunt-go/brunt/httpclient"
	"github.com/brunt-go/brunt/telemetry"
)

// asked is a request as it came in.
type asked struct {
	line   string // method and URI
	header http.Header
	at     time.Time
}

// bin is go-httpbin on a port of this machine, and what came in; and a client of it,
// and what that says of itself.
type bin struct {
	t      *testing.T
	server *httptest.Server
	tel    *brunttest.Telemetry
	client *http.Client

	mu    sync.Mutex
	asked []asked
}

// each runs f over HTTP/1.1 and over HTTP/2 with TLS. around changes what go-httpbin
// answers, or is nil; change has its way with the client's settings. They have no
// backoff, whose waits are drawn.
func each(t *testing.T, around func(http.Handler) http.Handler, change func(*httpclient.Settings), f func(*testing.T, *bin)) {
	t.Helper()
	for name, h2 := range map[string]bool{"http1": false, "http2": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f(t, newBin(t, h2, around, change))
		})
	}
}

func newBin(t *testing.T, h2 bool, around func(http.Handler) http.Handler, change func(*httpclient.Settings)) *bin {
	t.Helper()
	b := &bin{t: t, tel: brunttest.NewTelemetry()}
	inner := httpbin.New().Handler()
	if around != nil {
		inner = around(inner)
	}
	b.server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b.mu.Lock()
		b.asked = append(b.asked, asked{r.Method + " " + r.RequestURI, r.Header.Clone(), time.Now()})
		b.mu.Unlock()
		inner.ServeHTTP(w, r)
	}))
	t.Cleanup(b.server.Close)
	settings := httpclient.DefaultSettings()
	settings.BackoffBase = 0
	if b.server.EnableHTTP2 = h2; h2 {
		b.server.StartTLS()
		settings.TLS = &tls.Config{RootCAs: b.server.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs}
	} else {
		b.server.Start()
	}
	settings.BaseURL = b.server.URL
	if change != nil {
		change(&settings)
	}
	client, err := httpclient.NewClient(b.setup(), settings)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.CloseIdleConnections)
	b.client = client
	return b
}

// setup is that of an App with failure injection, on the real machine.
func (b *bin) setup() *brunt.Setup {
	sdk, err := b.tel.Builder()(b.t.Context(), telemetry.Surroundings{})
	if err != nil {
		b.t.Fatal(err)
	}
	codec, err := jsonscenario.New(faultKey)
	if err != nil {
		b.t.Fatal(err)
	}
	settings := fault.DefaultSettings()
	settings.Decoder = codec
	faults, err := fault.New(settings)
	if err != nil {
		b.t.Fatal(err)
	}
	return &brunt.Setup{Host: brunt.OSHost(), Telemetry: sdk.Telemetry, Faults: faults}
}

const faultKey = "acme.fault"

// reply is what a call came to.
type reply struct {
	status  int
	body    string
	header  http.Header
	resp    *http.Response
	err     error // of the call
	bodyErr error // of reading the body
	took    time.Duration
}

// do makes a call and reads the answer's body. Header fields come as name, value.
func (b *bin) do(ctx context.Context, method, target string, body io.Reader, header ...string) reply {
	b.t.Helper()
	req, err := http.NewRequestWithContext(ctx, method, target, body)
	if err != nil {
		b.t.Fatal(err)
	}
	for pair := range slices.Chunk(header, 2) {
		req.Header.Set(pair[0], pair[1])
	}
	began := time.Now()
	resp, err := b.client.Do(req)
	if err != nil {
		return reply{err: err, took: time.Since(began)}
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return reply{status: resp.StatusCode, body: string(text), header: resp.Header, resp: resp, bodyErr: err, took: time.Since(began)}
}

func (b *bin) get(target string, header ...string) reply {
	b.t.Helper()
	return b.do(b.t.Context(), http.MethodGet, target, nil, header...)
}

// requests are those that came in since the last time.
func (b *bin) requests() []asked {
	b.mu.Lock()
	defer b.mu.Unlock()
	defer func() { b.asked = nil }()
	return b.asked
}

// lines are the methods and URIs of requests.
func (b *bin) lines() []string {
	var all []string
	for _, a := range b.requests() {
		all = append(all, a.line)
	}
	return all
}

// outcomes are those the breaker has counted so far: those that there are.
func (b *bin) outcomes() string {
	return b.counted("brunt.circuit.calls", "brunt.circuit.outcome", "success", "failure", "ignored", "rejected")
}

// decisions are those of the retries so far.
func (b *bin) decisions() string {
	return b.counted("brunt.retry.decisions", "brunt.retry.decision", "retry", "stop", "exhausted", "over_budget", "expired")
}

func (b *bin) counted(instrument string, key attribute.Key, values ...string) string {
	var all []string
	for _, value := range values {
		if n := b.tel.Sum(instrument, key.String(value)); n > 0 {
			all = append(all, fmt.Sprintf("%v %s", n, value))
		}
	}
	return strings.Join(all, ", ")
}

// state is that of the breaker.
func (b *bin) state() string {
	for _, state := range []string{"closed", "open", "half_open"} {
		if b.tel.Sum("brunt.circuit.state", attribute.String("brunt.circuit.state", state)) == 1 {
			return state
		}
	}
	return "none"
}

// timedOut reports whether err says, in each way there is, that time was up.
func timedOut(err error) bool {
	var timeout interface{ Timeout() bool }
	return errors.Is(err, context.DeadlineExceeded) && errors.As(err, &timeout) && timeout.Timeout()
}

// R66, D3: with idle connections to try them on, an http.Client alone sends some requests
// again by itself. An attempt is one.
func TestHTTPBin_warm(t *testing.T) {
	t.Parallel()
	around := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasPrefix(r.RequestURI, "/anything") {
				panic(http.ErrAbortHandler)
			}
			next.ServeHTTP(w, r)
		})
	}
	each(t, around, nil, func(t *testing.T, b *bin) {
		done := make(chan reply)
		for range 5 { // five idle connections
			go func() { done <- b.get("/delay/300ms") }()
		}
		for range 5 {
			<-done
		}
		b.requests()
		b.get("/anything")
		if got := b.lines(); !slices.Equal(got, slices.Repeat([]string{"GET /anything"}, 3)) {
			t.Errorf("%d requests for 3 attempts (%s; %s)", len(got), b.outcomes(), b.decisions())
		}
	})
}
