package httpproxy_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"go.opentelemetry.io/otel/baggage"

	"github.com/brunt-go/brunt/fault/jsonscenario"
	"github.com/brunt-go/brunt/fit"
	"github.com/brunt-go/brunt/judge/ledger"
	"github.com/brunt-go/brunt/network/proxy/httpproxy"
)

// point is what the rig's upstream is to a scenario.
const point = "http:upstream:80"

// codec reads the member acme.fault.
func codec(t *testing.T) jsonscenario.Codec {
	t.Helper()
	c, err := jsonscenario.New("acme.fault")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// carrying is a baggage header with rules, as curl would send it.
func carrying(t *testing.T, rules ...fit.Rule) string {
	t.Helper()
	b, err := codec(t).Encode(baggage.Baggage{}, fit.Scenario{Rules: rules})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func everyone(*http.Request) bool { return true }

// call sends a request with a baggage header, and a trace id unless it is "".
func (r *rig) call(client *http.Client, path, header, trace string, patience time.Duration) got {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.t.Context(), patience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, proxyURL+path, strings.NewReader("order"))
	if err != nil {
		r.t.Fatal(err)
	}
	req.Header.Set("Baggage", header)
	if trace != "" {
		req.Header.Set("Traceparent", "00-"+trace+"-00f067aa0ba902b7-01")
	}
	start := time.Now()
	resp, err := client.Do(req)
	if err != nil {
		return got{err: err, took: time.Since(start)}
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return got{resp.StatusCode, string(body), err, time.Since(start)}
}

// What a scenario says is what its caller meets, in HTTP/1 and in HTTP/2.
func TestScenarios(t *testing.T) {
	t.Parallel()
	at := func(p string, f fit.Fault) fit.Rule { return fit.Rule{Point: p, Fault: f} }
	rows := []struct {
		name     string
		rule     fit.Rule
		patience time.Duration
		status   int
		body     string
		broken   bool // the caller's connection or stream is cut
		took     time.Duration
		asked    int64
		decision string
	}{
		{"delay", at(point, fit.Fault{Delay: 2 * time.Second}), patience, 200, answer, false, 2*time.Second + 150*ms, 1, "delay"},
		{"delay_clamped", at(point, fit.Fault{Delay: time.Hour}), time.Minute, 200, answer, false, 3*time.Second + 150*ms, 1, "delay"},
		{"abort", at(point, fit.Fault{Abort: true}), patience, 0, "", true, 0, 0, "reset"},
		{"late_abort", at(point, fit.Fault{Delay: time.Second, Abort: true}), patience, 0, "", true, time.Second, 0, "delay+reset"},
		{"reply", at(point, fit.Fault{Reply: fit.Reply{Status: 503, Body: `{"down":true}`}}), patience, 503, `{"down":true}`, false, 0, 0, "reply"},
		{"late_reply", at(point, fit.Fault{Delay: time.Second, Reply: fit.Reply{Status: 429}}), patience, 429, "", false, time.Second, 0, "delay+reply"},
		{"reply_without_body", at(point, fit.Fault{Reply: fit.Reply{Status: 204, Body: "dropped"}}), patience, 204, "", false, 0, 0, "reply"},
		{"reply_before_abort", at(point, fit.Fault{Abort: true, Reply: fit.Reply{Status: 500}}), patience, 500, "", false, 0, 0, "reply"},
		{"no_reply_in_http", at(point, fit.Fault{Reply: fit.Reply{GRPCCode: 14}}), patience, 0, "", true, 0, 0, "reset"},
		{"lost", at(point, fit.Fault{Lost: true}), patience, 0, "", true, 150 * ms, 1, "lost"},
		{"prefix", at("http:*", fit.Fault{Reply: fit.Reply{Status: 503}}), patience, 503, "", false, 0, 0, "reply"},
		{"nothing", at(point, fit.Fault{}), patience, 200, answer, false, 150 * ms, 1, ""},
		{"other_point", at("http:upstream:81", fit.Fault{Abort: true}), patience, 200, answer, false, 150 * ms, 1, ""},
		{"other_attempt", fit.Rule{Point: point, Attempts: fit.Attempts{First: 2}, Fault: fit.Fault{Abort: true}}, patience, 200, answer, false, 150 * ms, 1, ""},
	}
	for _, row := range rows {
		for _, protocol := range []string{"http1", "http2"} {
			t.Run(row.name+"_"+protocol, func(t *testing.T) {
				t.Parallel()
				var seen *ledger.Ledger
				inFakeTime(t, slow, func(r *rig) {
					seen = r.record()
					client := r.client
					if protocol == "http2" {
						client = h2c(r)
						defer client.CloseIdleConnections()
					}
					g := r.call(client, "/pay", carrying(t, row.rule), "", row.patience)
					synctest.Wait()
					if g.status != row.status || g.body != row.body || g.took != row.took || (g.err != nil) != row.broken {
						t.Errorf("the caller got %d %q after %v, error %v; want %d %q after %v, broken %v",
							g.status, g.body, g.took, g.err, row.status, row.body, row.took, row.broken)
					}
					if row.broken && protocol == "http1" && !errors.Is(g.err, syscall.ECONNRESET) {
						t.Errorf("the caller's error is %v, want a reset", g.err)
					}
					if n := r.asked.Load(); n != row.asked {
						t.Errorf("the upstream was asked %d times, want %d", n, row.asked)
					}
					_, d := only[ledger.Decision](r)
					if d.Fault != row.decision || d.Injected != (row.decision != "") || d.Injected && d.Rule != "scenario "+row.rule.Point {
						t.Errorf("decided %+v, want %q", d, row.decision)
					}
					if _, x := only[ledger.Exchange](r); x.Status != row.status || x.Took != row.took || x.ID != d.Exchange {
						t.Errorf("on the wire %+v, want status %d after %v", x, row.status, row.took)
					}
				}, httpproxy.WithScenarios(codec(t), everyone, httpproxy.WithMaxDelay(3*time.Second), httpproxy.RecordScenarios(recorder{&seen})))
			})
		}
	}
}

// recorder records into a ledger that is made later, in fake time.
type recorder struct{ in **ledger.Ledger }

func (r recorder) Record(at time.Time, e ledger.Entry) { (*r.in).Record(at, e) }

// record gives the rig a ledger that no arming has.
func (r *rig) record() *ledger.Ledger {
	r.ledger = ledger.New(time.Now())
	return r.ledger
}

// R11: what goes on to the upstream is everything as it was written, but for scenarios
// of callers that are not trusted, and of all callers unless told otherwise.
func TestScenarios_header(t *testing.T) {
	t.Parallel()
	const member = "acme.fault=%7B%22rules%22:%5B%5D%7D"
	trust := func(yes bool) func(*http.Request) bool {
		return func(r *http.Request) bool {
			if !strings.Contains(strings.Join(r.Header["Baggage"], ","), "acme.fault") {
				panic("asked about a request without a scenario")
			}
			return yes
		}
	}
	rows := []struct {
		name  string
		trust func(*http.Request) bool
		opts  []httpproxy.ScenarioOption
		lines []string
		want  []string
	}{
		{"stripped", trust(true), nil, []string{"tenant = blue;p=1 ," + member + ",x=%20y"}, []string{"tenant = blue;p=1 ,x=%20y"}},
		{"stripped_alone", trust(true), nil, []string{member}, nil},
		{"two_lines", trust(true), nil, []string{"a=1", member, "b=2"}, []string{"a=1", "b=2"}},
		{"nobody_trusted", nil, nil, []string{"a=1," + member}, []string{"a=1"}},
		{"forward", trust(true), []httpproxy.ScenarioOption{httpproxy.ForwardScenario()}, []string{"a=1, " + member}, []string{"a=1, " + member}},
		{"forward_not_trusted", trust(false), []httpproxy.ScenarioOption{httpproxy.ForwardScenario()}, []string{"a=1," + member}, []string{"a=1"}},
		{"unreadable", trust(false), nil, []string{"a=1,acme.fault=%zz"}, []string{"a=1"}},
		{"no_scenario", trust(false), nil, []string{"a=1,,x=acme"}, []string{"a=1,,x=acme"}},
		{"none", trust(false), nil, nil, nil},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			var mirror http.HandlerFunc = func(w http.ResponseWriter, r *http.Request) {
				fmt.Fprintf(w, "%q", r.Header["Baggage"])
			}
			inFakeTime(t, mirror, func(r *rig) {
				req := mustRequest(r)
				req.Header["Baggage"] = row.lines
				resp, err := r.client.Do(req)
				if err != nil {
					t.Fatal(err)
				}
				defer resp.Body.Close()
				body, _ := io.ReadAll(resp.Body)
				if want := fmt.Sprintf("%q", row.want); resp.StatusCode != 200 || string(body) != want {
					t.Errorf("the upstream saw %d %s, want %s", resp.StatusCode, body, want)
				}
			}, httpproxy.WithScenarios(codec(t), row.trust, row.opts...))
		})
	}
}

// What another server gave the proxy stays as it was.
func TestScenarios_asHandler(t *testing.T) {
	t.Parallel()
	inFakeTime(t, hello, func(r *rig) {
		req := httptest.NewRequestWithContext(r.t.Context(), http.MethodGet, "/", nil)
		req.Header.Set("Baggage", "acme.fault=x,a=1")
		w := httptest.NewRecorder()
		r.proxy.ServeHTTP(w, req)
		if got := req.Header.Get("Baggage"); w.Code != 200 || got != "acme.fault=x,a=1" {
			t.Errorf("got %d, and the request's header is now %q", w.Code, got)
		}
	}, httpproxy.WithScenarios(codec(t), nil))
}

// A missing setting opens nothing.
func TestScenarios_failSafe(t *testing.T) {
	t.Parallel()
	abort := fit.Rule{Point: "*", Fault: fit.Fault{Abort: true}}
	for name, options := range map[string][]httpproxy.Option{
		"no_option":      nil,
		"no_decoder":     {httpproxy.WithScenarios(nil, everyone)},
		"nobody_trusted": {httpproxy.WithScenarios(codec(t), nil)},
		"not_this_one":   {httpproxy.WithScenarios(codec(t), func(r *http.Request) bool { return r.URL.Path == "/other" })},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inFakeTime(t, hello, func(r *rig) {
				if g := r.call(r.client, "/", carrying(t, abort), "", patience); g.status != 200 || g.took != 0 {
					t.Errorf("got %+v, want an untouched answer", g)
				}
			}, options...)
		})
	}
}

// R10: a scenario that makes no sense harms nobody, and somebody is told.
func TestScenarios_rejected(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name    string
		decoder fit.Decoder
		header  string
		log     string
	}{
		{"unreadable", codec(t), "acme.fault=%7B", "ends early"},
		{"not_percent_encoded", codec(t), "acme.fault=%zz", ""}, // no member, and so nothing to decode
		{"odd_status", fixed{fit.Scenario{Rules: []fit.Rule{{Point: "*", Fault: fit.Fault{Reply: fit.Reply{Status: 99}}}}}}, "a=1", "status 99"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			var log bytes.Buffer
			inFakeTime(t, hello, func(r *rig) {
				if g := r.call(r.client, "/", row.header, "", patience); g.status != 200 || g.body != answer {
					t.Errorf("got %+v, want an untouched answer", g)
				}
			}, httpproxy.WithScenarios(row.decoder, everyone), httpproxy.WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
			if row.log == "" && log.Len() > 0 || !strings.Contains(log.String(), row.log) {
				t.Errorf("the log reads %q, want %q", log.String(), row.log)
			}
		})
	}
}

// fixed reads one scenario in whatever baggage there is.
type fixed struct{ scenario fit.Scenario }

func (f fixed) Decode(baggage.Baggage) (fit.Scenario, bool, error) { return f.scenario, true, nil }
func (fixed) Strip(baggage.Baggage) baggage.Baggage                { return baggage.Baggage{} }
