package experiment_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/brunt-go/brunt/internal/sample"
	"github.com/brunt-go/brunt/judge/experiment"
	"github.com/brunt-go/brunt/network/memnet"
	"github.com/brunt-go/brunt/network/proxy/httpproxy"
)

func keyOf(t *testing.T, name string) httpproxy.Key {
	t.Helper()
	key, err := httpproxy.ParseKey(name)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// A key that calls share is named as what it is, whatever the seed makes of it,
// and nothing else is said of the arm.
func TestRun_sharedKey(t *testing.T) {
	t.Parallel()
	const one = `plan.key: query.no has one value, "K-903", in all 200 calls, so they break together or not at all: choose a key that differs from call to call, such as query.index`
	rows := []struct {
		name   string
		change func(*testing.T, *memnet.Network, *experiment.Experiment)
		why    string
	}{
		{"none_break", func(t *testing.T, _ *memnet.Network, e *experiment.Experiment) {
			e.Key, e.Seed = keyOf(t, "query.no"), 7
		}, one},
		{"all_break", func(t *testing.T, _ *memnet.Network, e *experiment.Experiment) {
			e.Key, e.Seed = keyOf(t, "query.no"), 9
		}, one},
		{"all_break_and_no_trace_is_passed_on", func(t *testing.T, n *memnet.Network, e *experiment.Experiment) {
			e.Key, e.Seed = keyOf(t, "query.no"), 9
			e.Services[1].Handler = loanWith(n, func(_ experiment.Names, s *sample.LoanSettings) { s.Client.Transport = anonymous(n) })
		}, one},
		{"first_attempts", func(t *testing.T, _ *memnet.Network, e *experiment.Experiment) {
			e.Key = keyOf(t, "query.no")
			e.Faults[0].Rule.Share, e.Faults[0].Rule.Attempts = 1, []int{1}
		}, `plan.key: query.no has one value, "K-903", in all 200 calls, so they count as attempts of one call: `},
		{"every_call_and_no_trace_is_passed_on", func(t *testing.T, n *memnet.Network, e *experiment.Experiment) {
			e.Key = keyOf(t, "query.no")
			e.Faults[0].Rule.Share = 1
			e.Services[1].Handler = loanWith(n, func(_ experiment.Names, s *sample.LoanSettings) { s.Client.Transport = anonymous(n) })
		}, `plan.key: query.no has one value, "K-903", in all 200 calls, so nothing says which request belongs to which of them: `},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			inFakeTime(t, func(n *memnet.Network, e *experiment.Experiment) {
				e.Limits = experiment.Limits{}
				row.change(t, n, e)
			}, func(t *testing.T, r *experiment.Result) {
				if r.Verdict != experiment.Invalid || !strings.HasPrefix(r.Why, row.why) {
					t.Errorf("%s: %s\nwant INVALID: %s", r.Verdict, r.Why, row.why)
				}
				if len(r.Problems) != 1 || len(r.Findings) != 0 {
					t.Errorf("problems %+v and findings %+v, want the key alone", r.Problems, r.Findings)
				}
			})
		})
	}
}

// A system may give its requests keys of its own, whatever the load's have.
func TestRun_sharedKey_ofTheLoadAlone(t *testing.T) {
	t.Parallel()
	inFakeTime(t, func(n *memnet.Network, e *experiment.Experiment) {
		e.Key, e.Limits = keyOf(t, "header.X-Request-Id"), experiment.Limits{}
		e.Load.Header = map[string]string{"X-Request-Id": "load"}
		e.Services[1].Handler = loanWith(n, func(_ experiment.Names, s *sample.LoanSettings) {
			transport := s.Client.Transport
			s.Client.Transport = tripper(func(r *http.Request) (*http.Response, error) {
				r = r.Clone(r.Context())
				r.Header.Set("X-Request-Id", r.URL.Query().Get("index"))
				return transport.RoundTrip(r)
			})
		})
	}, func(t *testing.T, r *experiment.Result) {
		if r.Verdict != experiment.Pass {
			t.Errorf("%s: %s, want PASS", r.Verdict, r.Why)
		}
	})
}

func TestForesee_warning(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name   string
		change func(*testing.T, *experiment.Experiment)
		broken int
		want   string
	}{
		{"none", func(*testing.T, *experiment.Experiment) {}, 45, ""},
		{"one_key", func(t *testing.T, e *experiment.Experiment) { e.Key, e.Seed = keyOf(t, "query.no"), 9 }, 200,
			`plan.key: query.no has one value, "K-903", in all 200 calls, so they break together or not at all: choose a key that differs from call to call, such as query.index`},
		{"one_key_and_a_header_that_differs", func(t *testing.T, e *experiment.Experiment) {
			e.Key, e.Seed, e.Load.URL = keyOf(t, "query.no"), 7, "http://x/?no=1"
			e.Load.Header = map[string]string{"X-A": "a", "X-Call": "call-{{.Index}}"}
		}, 0, `plan.key: query.no has one value, "1", in all 200 calls, so they break together or not at all: choose a key that differs from call to call, such as header.X-Call`},
		{"one_key_and_nothing_that_differs", func(t *testing.T, e *experiment.Experiment) {
			e.Key, e.Seed, e.Load.URL = keyOf(t, "query.no"), 7, "http://x/?no=1"
		}, 0, `plan.key: query.no has one value, "1", in all 200 calls, so they break together or not at all: choose a key that differs from call to call, such as query.index with index={{.Index}} in load.http.url`},
		{"one_trace", func(_ *testing.T, e *experiment.Experiment) {
			e.Key, e.Seed = httpproxy.Key{}, 1
			e.Load.Header = map[string]string{"Traceparent": "00-0123456789abcdef0123456789abcdef-0123456789abcdef-01"}
		}, 0, `plan.key: trace has one value, "0123456789abcdef0123456789abcdef", in all 200 calls, so they break together or not at all: choose a key that differs from call to call, such as query.index`},
		{"one_key_and_every_call_breaks", func(t *testing.T, e *experiment.Experiment) {
			e.Key, e.Faults[0].Rule.Share = keyOf(t, "query.no"), 1
		}, 200, ""},
		{"one_key_behind_a_match", func(t *testing.T, e *experiment.Experiment) {
			e.Key, e.Faults[0].Rule.Match.Path = keyOf(t, "query.no"), "/record"
		}, -1, `plan.key: query.no has one value, "K-903", in all 200 calls, so they break together or not at all: choose a key that differs from call to call, such as query.index`},
		{"one_call", func(t *testing.T, e *experiment.Experiment) {
			e.Key, e.Seed, e.Load.Requests = keyOf(t, "query.no"), 7, 1
		}, 0, "a share of 20% hits none of the 1 calls under seed 7: raise the share, send more calls, or change the seed"},
		{"share_hits_none", func(_ *testing.T, e *experiment.Experiment) { e.Faults[0].Rule.Share = 0.0001 }, 0,
			"a share of 0.01% hits none of the 200 calls under seed 20260731: raise the share, send more calls, or change the seed"},
		{"share_hits_all", func(_ *testing.T, e *experiment.Experiment) { e.Faults[0].Rule.Share = 0.9999 }, 200,
			"a share of 99.99% hits all 200 calls under seed 20260731: lower the share, send more calls, or change the seed"},
		{"key_that_the_load_does_not_have", func(t *testing.T, e *experiment.Experiment) { e.Key = keyOf(t, "header.X-Order") }, -1, ""},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			e := loan(memnet.New())
			e.Faults, e.Limits = e.Faults[:1], experiment.Limits{}
			row.change(t, &e)
			forecasts, err := experiment.Foresee(e)
			if err != nil {
				t.Fatal(err)
			}
			if got := forecasts[0]; got.Warning != row.want || got.Broken != row.broken {
				t.Errorf("%d will break, warning %q\nwant %d, %q", got.Broken, got.Warning, row.broken, row.want)
			}
		})
	}
}
