package faulthttp_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.opentelemetry.io/otel/propagation"

	"github.com/brunt-go/brunt/fault"
	"github.com/brunt-go/brunt/fault/faulthttp"
	"github.com/brunt-go/brunt/fit"
)

const (
	target = "http://payments:8443/charge"
	point  = "http:payments:8443"
)

// R68: always with the port.
func TestPoint(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"http://payments:8443/charge": "http:payments:8443",
		"http://payments/":            "http:payments:80",
		"https://payments":            "http:payments:443",
		"https://payments:8443":       "http:payments:8443",
		"HTTPS://Payments.Example/":   "http:payments.example:443",
		"http://[::1]:8080/":          "http:[::1]:8080",
		"http://10.0.0.7/":            "http:10.0.0.7:80",
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, in, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := faulthttp.Point(req); got != want {
			t.Errorf("Point(%s) = %q, want %q", in, got, want)
		}
	}
}

func TestTransport_faults(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name  string
		fault fit.Fault
		want  string // of the error
		is    error
		took  time.Duration
		sends int
		code  int
		body  string
	}{
		{"nothing", fit.Fault{}, "", nil, 0, 1, 200, "ok"},
		// R75: waited, and then as usual.
		{"delay", fit.Fault{Delay: time.Second}, "", nil, time.Second, 1, 200, "ok"},
		// R92: a transport error, nothing sent.
		{"abort", fit.Fault{Abort: true}, `Post "` + target + `": fit: injected failure at http:payments:8443`, fit.ErrInjected, 0, 0, 0, ""},
		{"delay_then_abort", fit.Fault{Delay: time.Second, Abort: true}, `Post "` + target + `": fit: injected failure at http:payments:8443`, fit.ErrInjected, time.Second, 0, 0, ""},
		// R76: the attempt's deadline cuts it.
		{"cut", fit.Fault{Delay: 8 * time.Second}, `Post "` + target + `": fit: injected delay at http:payments:8443 cut short: context deadline exceeded`, context.DeadlineExceeded, 5 * time.Second, 0, 0, ""},
		// X3: an answer instead of a failure; a code alone is no HTTP answer.
		{"reply", fit.Fault{Reply: fit.Reply{Status: 503, Body: "down"}}, "", nil, 0, 0, 503, "down"},
		{"delay_then_reply", fit.Fault{Delay: time.Second, Reply: fit.Reply{Status: 429}}, "", nil, time.Second, 0, 429, ""},
		{"reply_wins_over_abort", fit.Fault{Abort: true, Reply: fit.Reply{Status: 503}}, "", nil, 0, 0, 503, ""},
		{"reply_cut", fit.Fault{Delay: 8 * time.Second, Reply: fit.Reply{Status: 503}}, `Post "` + target + `": fit: injected delay at http:payments:8443 cut short: context deadline exceeded`, context.DeadlineExceeded, 5 * time.Second, 0, 0, ""},
		{"reply_over_grpc_alone", fit.Fault{Reply: fit.Reply{GRPCCode: 14}}, `Post "` + target + `": fit: injected failure at http:payments:8443`, fit.ErrInjected, 0, 0, 0, ""},
		// X4: sent, and the answer gone.
		{"lost", fit.Fault{Lost: true}, `Post "` + target + `": fit: injected loss of the answer at http:payments:8443`, fit.ErrLost, 0, 1, 0, ""},
		{"delay_then_lost", fit.Fault{Delay: time.Second, Lost: true}, `Post "` + target + `": fit: injected loss of the answer at http:payments:8443`, fit.ErrLost, time.Second, 1, 0, ""},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(carrying(t, t.Context(), point, row.fault), 5*time.Second)
				defer cancel()
				sent := &body{Reader: strings.NewReader("1 EUR")}
				req, err := http.NewRequestWithContext(ctx, http.MethodPost, target, sent)
				if err != nil {
					t.Fatal(err)
				}
				answer := &body{Reader: strings.NewReader("ok")}
				base := &tripper{answer: answer}
				client := &http.Client{Transport: faulthttp.NewTransport(base, injector(t))}
				start := time.Now()
				resp, err := client.Do(req)
				if took := time.Since(start); took != row.took {
					t.Errorf("took %v, want %v", took, row.took)
				}
				if len(base.sent) != row.sends {
					t.Errorf("sent %d requests, want %d", len(base.sent), row.sends)
				}
				if row.sends == 1 && base.body != "1 EUR" {
					t.Errorf("sent the body %q", base.body)
				}
				if sent.closed == 0 { // D15: the request's body is closed however it ends
					t.Error("the request's body was left open")
				}
				if row.want != "" {
					var ie *fault.InjectedError
					var ue *url.Error
					if err == nil || err.Error() != row.want || !errors.Is(err, row.is) || !errors.As(err, &ie) || !errors.As(err, &ue) {
						t.Fatalf("err = %v, want %s as an InjectedError in a url.Error", err, row.want)
					}
					if ie.Point != point || errors.Is(err, fit.ErrInjected) != errors.Is(row.is, fit.ErrInjected) { // R77, R14
						t.Errorf("the error's point is %q, ErrInjected: %v", ie.Point, errors.Is(err, fit.ErrInjected))
					}
					if ue.Timeout() != errors.Is(row.is, context.DeadlineExceeded) {
						t.Errorf("Timeout() = %v", ue.Timeout())
					}
					if row.sends == 1 && answer.closed != 1 {
						t.Error("the lost answer's body was left open")
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				got, _ := io.ReadAll(resp.Body)
				resp.Body.Close()
				if resp.StatusCode != row.code || string(got) != row.body || resp.Request != req {
					t.Errorf("answer %d %q to the caller's own request: %v, want %d %q", resp.StatusCode, got, resp.Request == req, row.code, row.body)
				}
			})
		})
	}
}

// The client's own Timeout is net/http's: its error takes the place of the
// InjectedError, and still is a deadline exceeded.
func TestTransport_clientTimeout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		req, err := http.NewRequestWithContext(carrying(t, t.Context(), point, fit.Fault{Delay: 8 * time.Second}), http.MethodGet, target, nil)
		if err != nil {
			t.Fatal(err)
		}
		client := &http.Client{Transport: faulthttp.NewTransport(&tripper{}, injector(t)), Timeout: 3 * time.Second}
		start := time.Now()
		_, err = client.Do(req)
		if took := time.Since(start); !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, fit.ErrInjected) || took != 3*time.Second {
			t.Errorf("err = %v after %v, want a deadline exceeded after 3s", err, took)
		}
	})
}

// A real failure is not covered up by a lost answer, and a request without a
// scenario goes in untouched.
func TestTransport_passesThrough(t *testing.T) {
	t.Parallel()
	refused := &net.OpError{Op: "dial", Err: errors.New("connection refused")}
	base := &tripper{err: refused}
	transport := faulthttp.NewTransport(base, injector(t))
	req, err := http.NewRequestWithContext(carrying(t, t.Context(), point, fit.Fault{Lost: true}), http.MethodGet, target, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := transport.RoundTrip(req); err != refused { //nolint:errorlint // the very same
		t.Errorf("err = %v, want the transport's own", err)
	}
	base = &tripper{}
	transport = faulthttp.NewTransport(base, injector(t))
	req = req.Clone(tenant(t, t.Context()))
	req.Header.Set("Baggage", "tenant=acme")
	if _, err := transport.RoundTrip(req); err != nil || base.sent[0] != req {
		t.Errorf("a request without a scenario was cloned, or failed with %v", err)
	}
	transport.CloseIdleConnections()
	if base.idle != 1 {
		t.Error("CloseIdleConnections did not get through")
	}
	faulthttp.NewTransport(onlyTrips{base}, injector(t)).CloseIdleConnections()
}

type onlyTrips struct{ http.RoundTripper }

// R22, R60: with the zero Injector nothing is evaluated and nothing stripped.
func TestTransport_off(t *testing.T) {
	t.Parallel()
	base := &tripper{}
	req, err := http.NewRequestWithContext(carrying(t, t.Context(), "*", fit.Fault{Abort: true}), http.MethodGet, target, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Baggage", header(t, "*", fit.Fault{Abort: true}))
	if _, err := faulthttp.NewTransport(base, fault.Injector{}).RoundTrip(req); err != nil || base.sent[0] != req {
		t.Errorf("err = %v, sent the request itself: %v", err, base.sent[0] == req)
	}
}

// R101, R102, R103, R189: what is sent, and that the caller's request stays.
func TestTransport_headers(t *testing.T) {
	t.Parallel()
	spare := fit.Fault{Abort: true} // of another point
	scenario := header(t, "http:ledger:*", spare)
	withScenario := func(ctx context.Context) context.Context { return carrying(t, ctx, "http:ledger:*", spare) }
	many := make([]string, 70)
	for i := range many {
		many[i] = fmt.Sprintf("m%d=x", i)
	}
	rows := []struct {
		name    string
		ctx     context.Context
		header  []string
		options []faulthttp.TransportOption
		want    []string // lines
	}{
		{"what_a_propagator_wrote", withScenario(t.Context()), []string{"tenant=acme," + scenario}, nil, []string{"tenant=acme"}},
		{"first_in_the_line", withScenario(t.Context()), []string{scenario + ",tenant=acme"}, nil, []string{"tenant=acme"}},
		{"alone", withScenario(t.Context()), []string{scenario}, nil, nil},
		{"on_a_line_of_its_own", withScenario(t.Context()), []string{"tenant=acme", scenario}, nil, []string{"tenant=acme"}},
		{"twice", withScenario(t.Context()), []string{scenario + ",tenant=acme," + scenario}, nil, []string{"tenant=acme"}},
		{"the_rest_stays_as_written", withScenario(t.Context()), []string{" a = 1 ;p=2 ,,bad member,%zz=1," + scenario + ",b=%20"}, nil, []string{" a = 1 ;p=2 ,,bad member,%zz=1,b=%20"}},
		{"by_hand_in_the_header_alone", t.Context(), []string{"tenant=other," + scenario}, nil, []string{"tenant=other"}},
		{"by_hand_beside_other_baggage", tenant(t, t.Context()), []string{"tenant=acme," + scenario}, nil, []string{"tenant=acme"}},
		{"behind_64_members", t.Context(), []string{strings.Join(many, ",") + "," + scenario}, nil, []string{strings.Join(many, ",")}},
		{"in_a_header_over_8192_bytes", t.Context(), []string{"big=" + strings.Repeat("x", 9000) + "," + scenario}, nil, []string{"big=" + strings.Repeat("x", 9000)}},
		{"unreadable", t.Context(), []string{"a=1,acme.fault=%zz"}, nil, []string{"a=1"}},
		{"no_header", withScenario(t.Context()), nil, nil, nil},
		{"nothing_to_strip", t.Context(), []string{"tenant=acme"}, nil, []string{"tenant=acme"}},

		{"forward", withScenario(t.Context()), []string{"tenant=acme," + scenario}, forward(), []string{scenario + ",tenant=acme"}}, // X6: first
		{"forward_behind_64_members", t.Context(), []string{strings.Join(many, ",") + "," + scenario}, forward(), []string{scenario + "," + strings.Join(many, ",")}},
		{"forward_without_a_propagator", withScenario(t.Context()), nil, forward(), []string{scenario + ",tenant=acme"}},
		{"forward_beside_a_header_by_hand", withScenario(t.Context()), []string{"mine=1"}, forward(), []string{scenario + ",mine=1"}},

		{"a_propagator_given", withScenario(t.Context()), []string{scenario + ",tenant=acme"}, []faulthttp.TransportOption{faulthttp.WithPropagator(w3c)}, []string{"tenant=acme"}},
		{"a_propagator_without_baggage", t.Context(), []string{scenario + ",tenant=acme"}, []faulthttp.TransportOption{faulthttp.WithPropagator(propagation.TraceContext{})}, []string{"tenant=acme"}},
		{"a_propagator_given_forward", withScenario(t.Context()), nil, append(forward(), faulthttp.WithPropagator(w3c)), []string{"tenant=acme," + scenario}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			req, err := http.NewRequestWithContext(row.ctx, http.MethodGet, target, nil)
			if err != nil {
				t.Fatal(err)
			}
			if row.header != nil {
				req.Header["Baggage"] = row.header
			}
			before := req.Header.Clone()
			base := &tripper{}
			if _, err := faulthttp.NewTransport(base, injector(t), row.options...).RoundTrip(req); err != nil {
				t.Fatal(err)
			}
			got := base.sent[0].Header["Baggage"]
			if strings.HasPrefix(row.name, "a_propagator") { // it writes in any order
				if members(base.sent[0].Header) != members(http.Header{"Baggage": row.want}) {
					t.Errorf("sent %q, want %q", got, row.want)
				}
			} else if strings.Join(got, "\n") != strings.Join(row.want, "\n") {
				t.Errorf("sent\n%.300q, want\n%.300q", got, row.want)
			}
			if strings.Join(req.Header["Baggage"], "\n") != strings.Join(before["Baggage"], "\n") {
				t.Errorf("the caller's header became %q", req.Header["Baggage"])
			}
			// A RoundTripper inside may write the header from the context.
			if forwards, carries := strings.HasPrefix(strings.Join(got, ""), key), injector(t).Carries(base.sent[0].Context()); forwards != carries && row.options == nil {
				t.Errorf("the header has a scenario: %v, the context: %v", forwards, carries)
			}
		})
	}
}

func forward() []faulthttp.TransportOption {
	return []faulthttp.TransportOption{faulthttp.ForwardScenario()}
}

// A program without OpenTelemetry that passes a header on is a point too.
func TestTransport_readsTheHeader(t *testing.T) {
	t.Parallel()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, target, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Baggage", header(t, point, fit.Fault{Abort: true}))
	_, err = faulthttp.NewTransport(&tripper{}, injector(t)).RoundTrip(req)
	if !errors.Is(err, fit.ErrInjected) {
		t.Errorf("err = %v, want an abort", err)
	}
}

// X2: without OpenTelemetry the traceparent header identifies the request.
func TestTransport_shareFromTheHeader(t *testing.T) {
	t.Parallel()
	hits := 0
	for i := range 400 {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, target, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Traceparent", fmt.Sprintf("00-%032x-%016x-01", i+1, 1))
		req.Header.Set("Baggage", "acme.fault="+url.PathEscape(`{"rules":[{"point":"*","abort":true,"share":0.5}]}`))
		if _, err := faulthttp.NewTransport(&tripper{}, injector(t)).RoundTrip(req); err != nil {
			hits++
		}
	}
	if hits < 140 || hits > 260 {
		t.Errorf("half of 400 requests are %d", hits)
	}
}

// R6: what a request without a scenario costs.
func TestTransport_allocations(t *testing.T) { //nolint:paralleltest // AllocsPerRun counts the whole process
	base := noTrip{}
	transport := faulthttp.NewTransport(base, injector(t))
	for name, ctx := range map[string]context.Context{"no_baggage": t.Context(), "tenant": tenant(t, t.Context())} {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, target, nil)
		if err != nil {
			t.Fatal(err)
		}
		if name == "tenant" {
			req.Header.Set("Baggage", "tenant=acme")
		}
		if n := testing.AllocsPerRun(100, func() { _, _ = transport.RoundTrip(req) }); n != 0 {
			t.Errorf("%s: %v allocations, want 0", name, n)
		}
	}
}

type noTrip struct{}

func (noTrip) RoundTrip(*http.Request) (*http.Response, error) { return nil, nil } //nolint:nilnil // nobody looks
