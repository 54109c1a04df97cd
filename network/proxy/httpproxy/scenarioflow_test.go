package httpproxy_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/brunt-go/brunt/fit"
	"github.com/brunt-go/brunt/judge/ledger"
	"github.com/brunt-go/brunt/network/proxy/httpproxy"
)

// A rule's request is the rule's; any other is its scenario's.
func TestScenarios_afterRules(t *testing.T) {
	t.Parallel()
	query, err := httpproxy.ParseKey("query.index")
	if err != nil {
		t.Fatal(err)
	}
	rows := []struct {
		name   string
		arming httpproxy.Arming
		want   int
		rule   string
		spared string
	}{
		{"no_rules", httpproxy.Arming{}, 418, "scenario http:*", ""},
		{"rule_hits", httpproxy.Arming{Rules: httpproxy.Rules{List: []httpproxy.Rule{{Name: "all", Share: 1, Faults: reply(503)}}}}, 503, "all", ""},
		{"rule_misses", httpproxy.Arming{Rules: httpproxy.Rules{List: []httpproxy.Rule{{Name: "none", Share: 0, Faults: reply(503)}}}}, 418, "scenario http:*", ""},
		{"rule_of_others", httpproxy.Arming{Rules: httpproxy.Rules{List: []httpproxy.Rule{{Name: "gets", Share: 1, Match: httpproxy.Match{Methods: []string{"GET"}}, Faults: reply(503)}}}}, 418, "scenario http:*", ""},
		{"spared_by_limit", httpproxy.Arming{Budget: httpproxy.NewBudget(0), Rules: httpproxy.Rules{List: []httpproxy.Rule{{Name: "all", Share: 1, Faults: reply(503)}}}}, 200, "all", ledger.SparedByLimit},
		{"no_key", httpproxy.Arming{Rules: httpproxy.Rules{Key: query, List: []httpproxy.Rule{{Name: "all", Share: 1, Faults: reply(503)}}}}, 418, "scenario http:*", ""},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			inFakeTime(t, hello, func(r *rig) {
				r.arm(row.arming)
				g := r.call(r.client, "/", carrying(t, fit.Rule{Point: "http:*", Fault: fit.Fault{Reply: fit.Reply{Status: 418}}}), "", patience)
				synctest.Wait()
				_, d := only[ledger.Decision](r)
				if g.status != row.want || d.Rule != row.rule || d.Spared != row.spared || d.Injected != (row.want != 200) {
					t.Errorf("got %d, decided %+v; want %d by rule %q, spared %q", g.status, d, row.want, row.rule, row.spared)
				}
				if n := row.arming.Budget.Used(); n != 0 {
					t.Errorf("the scenario drew %d from the budget of the rules", n)
				}
			}, httpproxy.WithScenarios(codec(t), everyone))
		})
	}
}

// Disarming rules lets no request of a scenario go; closing the proxy does.
func TestScenarios_held(t *testing.T) {
	t.Parallel()
	header := carrying(t, fit.Rule{Point: point, Fault: fit.Fault{Delay: 5 * time.Second}})
	inFakeTime(t, hello, func(r *rig) {
		armed := r.arm(httpproxy.Arming{})
		ended := make(chan got)
		go func() { ended <- r.call(r.client, "/", header, "", patience) }()
		time.Sleep(time.Second) // of fake time: the request is held by now
		armed.Disarm()
		if g := <-ended; g.status != 200 || g.took != 5*time.Second {
			t.Errorf("disarmed: %+v, want the answer after 5s all the same", g)
		}
		go func() { ended <- r.call(r.client, "/", header, "", patience) }()
		time.Sleep(time.Second) // of fake time
		if err := r.proxy.Shutdown(context.Background()); err != nil {
			t.Error(err)
		}
		if g := <-ended; g.status != 200 || g.took != time.Second {
			t.Errorf("shut down: %+v, want the answer at once", g)
		}
	}, httpproxy.WithScenarios(codec(t), everyone))
}

// A caller that gives up in the delay never reaches the upstream, its body read
// or not.
func TestScenarios_callerGivesUp(t *testing.T) {
	t.Parallel()
	var seen *ledger.Ledger
	inFakeTime(t, hello, func(r *rig) {
		seen = r.record()
		g := r.call(r.client, "/", carrying(t, fit.Rule{Point: point, Fault: fit.Fault{Delay: 5 * time.Second}}), "", time.Second)
		synctest.Wait()
		if !errors.Is(g.err, context.DeadlineExceeded) || g.took != time.Second || r.asked.Load() != 0 {
			t.Errorf("got %+v, upstream asked %d times; want a timeout after 1s and 0", g, r.asked.Load())
		}
		if _, x := only[ledger.Exchange](r); x.End != ledger.EndAbandoned || x.Took != time.Second {
			t.Errorf("on the wire %+v, want it abandoned after 1s", x)
		}
	}, httpproxy.WithScenarios(codec(t), everyone, httpproxy.RecordScenarios(recorder{&seen})))
}

// A reply leaves the connection alone: the next request uses it. A reset costs
// the connection in HTTP/1, and only its own stream in HTTP/2.
func TestScenarios_keepAlive(t *testing.T) {
	t.Parallel()
	replied := carrying(t, fit.Rule{Point: point, Fault: fit.Fault{Reply: fit.Reply{Status: 503, Body: "down"}}})
	aborted := carrying(t, fit.Rule{Point: point, Fault: fit.Fault{Abort: true}})
	rows := []struct {
		name, header string
		client       func(*rig) *http.Client
		reused       bool
	}{
		{"reply_http1", replied, func(r *rig) *http.Client { return r.client }, true},
		{"abort_http1", aborted, func(r *rig) *http.Client { return r.client }, false},
		{"reply_http2", replied, h2c, true},
		{"abort_http2", aborted, h2c, true},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			inFakeTime(t, hello, func(r *rig) {
				client := row.client(r)
				defer client.CloseIdleConnections()
				r.call(client, "/", row.header, "", patience)
				synctest.Wait()
				var reused bool
				req := mustRequest(r)
				req = req.WithContext(httptrace.WithClientTrace(req.Context(), &httptrace.ClientTrace{
					GotConn: func(c httptrace.GotConnInfo) { reused = c.Reused },
				}))
				resp, err := client.Do(req)
				if err != nil {
					t.Fatal(err)
				}
				resp.Body.Close()
				if resp.StatusCode != 200 || reused != row.reused {
					t.Errorf("the next call got %d over a connection used before: %v, want 200 and %v", resp.StatusCode, reused, row.reused)
				}
			}, httpproxy.WithScenarios(codec(t), everyone))
		})
	}
}

// Both ways at once: a stream with a scenario flows as one without, and starts
// as late as its delay says.
func TestScenarios_streaming(t *testing.T) {
	t.Parallel()
	var ticker http.HandlerFunc = func(w http.ResponseWriter, r *http.Request) {
		for range 3 {
			io.WriteString(w, "tick\n")
			http.NewResponseController(w).Flush()
			select {
			case <-time.After(time.Second):
			case <-r.Context().Done():
			}
		}
	}
	for name, client := range map[string]func(*rig) *http.Client{"http1": func(r *rig) *http.Client { return r.client }, "http2": h2c} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inFakeTime(t, ticker, func(r *rig) {
				client := client(r)
				defer client.CloseIdleConnections()
				req := mustRequest(r)
				req.Header.Set("Baggage", carrying(t, fit.Rule{Point: point, Fault: fit.Fault{Delay: 500 * ms}}))
				start := time.Now()
				resp, err := client.Do(req)
				if err != nil {
					t.Fatal(err)
				}
				defer resp.Body.Close()
				var at []string
				for in := bufio.NewScanner(resp.Body); in.Scan(); {
					at = append(at, time.Since(start).String())
				}
				if got, want := strings.Join(at, " "), "500ms 1.5s 2.5s"; got != want {
					t.Errorf("ticks came at %s, want %s", got, want)
				}
			}, httpproxy.WithScenarios(codec(t), everyone))
		})
	}
}

func TestProxy_Point(t *testing.T) {
	t.Parallel()
	for upstream, want := range map[string]string{
		"payments:8443": "http:payments:8443", "https://Payments.Internal:443": "http:payments.internal:443",
		"http://[::1]:80": "http:[::1]:80",
	} {
		s := httpproxy.DefaultSettings()
		s.Name, s.Upstream = "p", upstream
		p, err := httpproxy.New(s)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Point(); got != want {
			t.Errorf("the point of %s is %q, want %q", upstream, got, want)
		}
	}
}
