package oracle_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/brunt-go/brunt/internal/golden"
	"github.com/brunt-go/brunt/internal/sample"
	"github.com/brunt-go/brunt/judge/experiment"
	"github.com/brunt-go/brunt/judge/oracle"
	"github.com/brunt-go/brunt/network/memnet"
	"github.com/brunt-go/brunt/network/proxy/httpproxy"
)

const ms = time.Millisecond

// system is a loan desk that asks a catalog, healthy or with one defect.
type system struct {
	name    string
	defect  string // "" for a healthy twin
	handler func(n *memnet.Network, names experiment.Names) http.Handler
}

// desk is the sample loan desk with its settings changed.
func desk(change func(*sample.LoanSettings)) func(*memnet.Network, experiment.Names) http.Handler {
	return func(n *memnet.Network, names experiment.Names) http.Handler {
		s := sample.DefaultLoanSettings()
		s.Catalog = names.Proxies["catalog"].URL
		s.Client = &http.Client{Transport: &http.Transport{DialContext: n.DialContext}}
		change(&s)
		return sample.Loan(s)
	}
}

func unchanged(*sample.LoanSettings) {}

// hiding answers every third call by the fallback, whatever the catalog says.
func hiding(n *memnet.Network, names experiment.Names) http.Handler {
	whole := desk(unchanged)(n, names)
	calls := 0
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if calls++; calls%3 == 0 && r.URL.Path == "/lend" {
			json.NewEncoder(w).Encode(sample.Receipt{Status: "degraded"})
			return
		}
		whole.ServeHTTP(w, r)
	})
}

// forgetful answers in time and forgets to end the call underneath.
func forgetful(n *memnet.Network, names experiment.Names) http.Handler {
	whole := desk(func(s *sample.LoanSettings) { s.Timeout = time.Hour })(n, names)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := make(chan *buffered, 1)
		go func() {
			b := &buffered{header: http.Header{}}
			whole.ServeHTTP(b, r.WithContext(context.WithoutCancel(r.Context())))
			answer <- b
		}()
		select {
		case b := <-answer:
			w.Write(b.body)
		case <-time.After(100 * ms):
			json.NewEncoder(w).Encode(sample.Receipt{Status: "degraded"})
		}
	})
}

// forever waits as long as it takes, even when its own caller has gone.
func forever(n *memnet.Network, names experiment.Names) http.Handler {
	whole := desk(func(s *sample.LoanSettings) { s.Timeout = 24 * time.Hour })(n, names)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		whole.ServeHTTP(w, r.WithContext(context.WithoutCancel(r.Context())))
	})
}

// perRead gives each read of an answer its whole timeout anew.
func perRead(n *memnet.Network, names experiment.Names) http.Handler {
	patient := &http.Client{Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
		ctx, cancel := context.WithCancel(r.Context())
		idle := time.AfterFunc(100*ms, cancel)
		t := &http.Transport{DialContext: n.DialContext, DisableKeepAlives: true}
		resp, err := t.RoundTrip(r.WithContext(ctx))
		if err == nil {
			idle.Reset(100 * ms)
			resp.Body = &resetting{resp.Body, idle}
		}
		return resp, err
	})}
	return desk(func(s *sample.LoanSettings) { s.Timeout, s.Client = time.Hour, patient })(n, names)
}

// around sends every tenth call of the catalog past the proxy.
func around(n *memnet.Network, names experiment.Names) http.Handler {
	through := desk(unchanged)(n, names)
	past := desk(func(s *sample.LoanSettings) { s.Catalog = names.Services["catalog"].URL })(n, names)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Query().Get("index"), "7") {
			past.ServeHTTP(w, r)
			return
		}
		through.ServeHTTP(w, r)
	})
}

// Each oracle fails each of its mutants and passes each healthy twin, over a
// whole experiment in fake time. The table of the docs is made here.
func TestOracles_mutants(t *testing.T) {
	t.Parallel()
	healthy := desk(unchanged)
	timeout := oracle.TimeoutEngaged{Point: "catalog", Timeout: 100 * ms}
	delay := &httpproxy.Delay{Header: 240 * ms}
	trickle := &httpproxy.Delay{Header: 80 * ms, Body: 80 * ms, AfterBytes: 1}
	rows := []struct {
		oracle oracle.Oracle
		fault  httpproxy.Fault
		system system
	}{
		{oracle.FallbackEngaged{}, delay, system{"fallback after 100 ms", "", healthy}},
		{oracle.FallbackEngaged{}, &httpproxy.Reply{Status: 503}, system{"fallback for errors", "", healthy}},
		{oracle.FallbackEngaged{}, &httpproxy.Hang{}, system{"fallback for silence", "", healthy}},
		{oracle.FallbackEngaged{}, delay, system{"no fallback", "fallback", desk(func(s *sample.LoanSettings) { s.Fallback = false })}},
		{oracle.FallbackEngaged{}, delay, system{"timeout above the delay", "timeout", desk(func(s *sample.LoanSettings) { s.Timeout = 400 * ms })}},
		{oracle.FallbackEngaged{}, &httpproxy.Hang{}, system{"no timeout at all", "timeout", forever}},
		{oracle.FallbackEngaged{}, &httpproxy.Lost{Then: httpproxy.ThenHang}, system{"no timeout at all, answers lost", "timeout", forever}},
		{oracle.FallbackEngaged{}, delay, system{"fallback hides healthy answers", "fallback", hiding}},
		{timeout, delay, system{"timeout of 100 ms", "", healthy}},
		{timeout, &httpproxy.Hang{}, system{"timeout of 100 ms, nothing comes", "", healthy}},
		{timeout, trickle, system{"timeout of 100 ms, a trickle", "", healthy}},
		{timeout, &httpproxy.Lost{Then: httpproxy.ThenHang}, system{"timeout of 100 ms, answers lost", "", healthy}},
		{timeout, &httpproxy.Hang{}, system{"no timeout at all", "timeout", forever}},
		{timeout, &httpproxy.Lost{Then: httpproxy.ThenHang}, system{"no timeout at all, answers lost", "timeout", forever}},
		{timeout, delay, system{"timeout above the delay", "timeout", desk(func(s *sample.LoanSettings) { s.Timeout = 400 * ms })}},
		{timeout, delay, system{"timeout below the declared", "timeout", desk(func(s *sample.LoanSettings) { s.Timeout = 60 * ms })}},
		{timeout, delay, system{"timeout not passed down a layer", "timeout", forgetful}},
		{timeout, trickle, system{"timeout for each read, not for the call", "timeout", perRead}},
		{oracle.Coverage{Point: "catalog"}, delay, system{"every call through the proxy", "", healthy}},
		{oracle.Coverage{Point: "catalog"}, delay, system{"a client built without the injection point", "injection point", around}},
	}
	table := "| oracle | system | truth | judged | |\n|---|---|---|---|---|\n"
	falsePass, falseFail := 0, 0
	for _, row := range rows {
		findings := judged(t, row.oracle, row.fault, row.system)
		truth, judgement, note := "healthy", "passes", ""
		if row.system.defect != "" {
			truth = "defective"
		}
		if len(findings) > 0 {
			judgement = "fails"
			note = findings[0].Message
			if findings[0].Guard != row.system.defect {
				t.Errorf("%s on %q blames %q, want %q: %+v", row.oracle.Name(), row.system.name, findings[0].Guard, row.system.defect, findings)
			}
			if findings[0].Example == nil || findings[0].Got == "" || findings[0].Want == "" {
				t.Errorf("%s on %q: the finding lacks its figure or example: %+v", row.oracle.Name(), row.system.name, findings[0])
			}
		}
		switch {
		case truth == "healthy" && len(findings) > 0:
			falseFail++
			t.Errorf("%s fails the healthy %q: %+v", row.oracle.Name(), row.system.name, findings)
		case truth == "defective" && len(findings) == 0:
			falsePass++
			t.Errorf("%s passes the mutant %q", row.oracle.Name(), row.system.name)
		}
		table += fmt.Sprintf("| `%s` | %s | %s | %s | %s |\n", row.oracle.Name(), row.system.name, truth, judgement, note)
	}
	table += fmt.Sprintf("\nFalse passes: %d. False fails: %d.\n", falsePass, falseFail)
	golden.CheckSection(t, "../../docs/reference/oracles.md", "mutants", table)
}

// judged runs one arm of 100 calls on a system and returns the findings.
func judged(t *testing.T, o oracle.Oracle, fault httpproxy.Fault, s system) (findings []oracle.Finding) {
	t.Helper()
	key, err := httpproxy.ParseKey("query.index")
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		n := memnet.New()
		noise := 0.05
		quiet := sample.CatalogSettings{}
		result, err := experiment.Run(t.Context(), experiment.Experiment{
			Name: s.name,
			Services: []experiment.Service{
				{Name: "catalog", Handler: func(experiment.Names) http.Handler { return sample.Catalog(quiet) }},
				{Name: "loan", Handler: func(names experiment.Names) http.Handler { return s.handler(n, names) }},
			},
			Proxies: []experiment.Proxy{{Name: "catalog", Upstream: "{{.Services.catalog.Addr}}"}},
			Load:    experiment.Load{Requests: 100, URL: "{{.Services.loan.URL}}/lend?no=K-903&index={{.Index}}"},
			Outcomes: []experiment.Outcome{
				{Name: oracle.Full, Holds: func(a experiment.Answer) (bool, error) {
					return a.Status == 200 && strings.Contains(string(a.Body), `"status":"full"`), nil
				}},
				{Name: oracle.Degraded, Holds: func(a experiment.Answer) (bool, error) { return a.Status == 200, nil }},
			},
			Seed: 1, Key: key,
			Faults: []experiment.Fault{{Name: "broken", At: "catalog", Rule: httpproxy.Rule{Share: 0.3, Faults: []httpproxy.Fault{fault}}}},
			Judge:  experiment.Judge{Noise: &noise, Require: []oracle.Oracle{o}},
		}, experiment.WithNetwork(n))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range result.Findings {
			if f.Oracle == o.Name() {
				findings = append(findings, f)
			}
		}
		for _, r := range result.Receipts {
			if !r.Agree || r.Injected == 0 {
				t.Errorf("%s: receipt %+v: the fault was not delivered", s.name, r)
			}
		}
	})
	return findings
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// buffered is an answer that waits to be sent.
type buffered struct {
	header http.Header
	body   []byte
}

func (b *buffered) Header() http.Header { return b.header }
func (b *buffered) WriteHeader(int)     {}
func (b *buffered) Write(p []byte) (int, error) {
	b.body = append(b.body, p...)
	return len(p), nil
}

// resetting gives each read its time anew.
type resetting struct {
	body io.ReadCloser
	idle *time.Timer
}

func (r *resetting) Read(p []byte) (int, error) {
	n, err := r.body.Read(p)
	if err == nil {
		r.idle.Reset(100 * ms)
	}
	return n, err
}

func (r *resetting) Close() error {
	r.idle.Stop()
	return r.body.Close()
}
