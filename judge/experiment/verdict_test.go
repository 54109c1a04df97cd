package experiment_test

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/brunt-go/brunt/internal/sample"
	"github.com/brunt-go/brunt/judge/experiment"
	"github.com/brunt-go/brunt/judge/ledger"
	"github.com/brunt-go/brunt/judge/oracle"
	"github.com/brunt-go/brunt/network/memnet"
	"github.com/brunt-go/brunt/network/proxy/httpproxy"
)

// inFakeTime runs the loan experiment, changed by change, over a network of its
// own in fake time.
func inFakeTime(t *testing.T, change func(*memnet.Network, *experiment.Experiment), look func(*testing.T, *experiment.Result)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		n := memnet.New()
		e := loan(n)
		e.Faults = e.Faults[:1] // the delay alone
		change(n, &e)
		result, err := experiment.Run(t.Context(), e, experiment.WithNetwork(n))
		if err != nil {
			t.Fatal(err)
		}
		look(t, result)
	})
}

// loanWith is the loan desk with its settings changed.
func loanWith(n *memnet.Network, change func(experiment.Names, *sample.LoanSettings)) func(experiment.Names) http.Handler {
	return func(names experiment.Names) http.Handler {
		s := sample.DefaultLoanSettings()
		s.Catalog = names.Proxies["catalog"].URL
		s.Client = &http.Client{Transport: &http.Transport{DialContext: n.DialContext}}
		change(names, &s)
		return sample.Loan(s)
	}
}

// anonymous is a transport that passes on nothing a call could be told by.
func anonymous(n *memnet.Network) http.RoundTripper {
	transport := &http.Transport{DialContext: n.DialContext}
	return tripper(func(r *http.Request) (*http.Response, error) {
		r = r.Clone(r.Context())
		r.Header.Del("Traceparent")
		return transport.RoundTrip(r)
	})
}

type tripper func(*http.Request) (*http.Response, error)

func (f tripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// someAround is a desk one half of whose calls go past the proxy.
func someAround(n *memnet.Network) func(experiment.Names) http.Handler {
	return func(names experiment.Names) http.Handler {
		through := loanWith(n, func(experiment.Names, *sample.LoanSettings) {})(names)
		past := loanWith(n, func(names experiment.Names, s *sample.LoanSettings) { s.Catalog = names.Services["catalog"].URL })(names)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if i, err := strconv.Atoi(r.URL.Query().Get("index")); err == nil && i%2 == 0 {
				past.ServeHTTP(w, r)
				return
			}
			through.ServeHTTP(w, r)
		})
	}
}

// withBreaker is a desk that no longer asks a catalog which failed it twenty
// times, for a second.
func withBreaker(n *memnet.Network) func(experiment.Names) http.Handler {
	return loanWith(n, func(_ experiment.Names, s *sample.LoanSettings) {
		var (
			transport = s.Client.Transport
			mu        sync.Mutex
			failures  int
			opened    time.Time
		)
		s.Client.Transport = tripper(func(r *http.Request) (*http.Response, error) {
			mu.Lock()
			open := failures >= 20 && time.Since(opened) < time.Second
			mu.Unlock()
			if open {
				return nil, errors.New("the breaker is open")
			}
			resp, err := transport.RoundTrip(r)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
			case failures >= 20 && time.Since(opened) >= time.Second:
				failures = 1
			default:
				failures, opened = failures+1, time.Now()
			}
			return resp, err
		})
	})
}

// Each way a run can end, with the part and the figure its report must name.
func TestRun_verdicts(t *testing.T) {
	t.Parallel()
	share := func(v float64) *float64 { return &v }
	rows := []struct {
		name    string
		change  func(*memnet.Network, *experiment.Experiment)
		verdict experiment.Verdict
		hop     string // of the first problem, or the guard of the first finding
		why     string // part of its message
	}{
		{"healthy", func(*memnet.Network, *experiment.Experiment) {}, experiment.Pass, "", "45 requests were broken, the wire shows the same 45"},
		{"no_fallback", func(n *memnet.Network, e *experiment.Experiment) {
			e.Services[1].Handler = loanWith(n, func(_ experiment.Names, s *sample.LoanSettings) { s.Fallback = false })
		}, experiment.Fail, "fallback", "45 of 45 broken calls were dropped"},
		{"loose_timeout", func(n *memnet.Network, e *experiment.Experiment) {
			e.Services[1].Handler = loanWith(n, func(_ experiment.Names, s *sample.LoanSettings) { s.Timeout = 400 * time.Millisecond })
		}, experiment.Fail, "timeout", "45 of 45 broken calls waited the fault out"},
		{"no_identity", func(n *memnet.Network, e *experiment.Experiment) {
			e.Key = httpproxy.Key{}
			e.Services[1].Handler = loanWith(n, func(_ experiment.Names, s *sample.LoanSettings) { s.Client.Transport = anonymous(n) })
			e.Faults[0].Rule.Share, e.Limits = 0.3, experiment.Limits{}
		}, experiment.Pass, "", "requests were broken, the wire shows the same"},
		{"no_identity_no_fallback", func(n *memnet.Network, e *experiment.Experiment) {
			e.Key, e.Limits = httpproxy.Key{}, experiment.Limits{}
			e.Services[1].Handler = loanWith(n, func(_ experiment.Names, s *sample.LoanSettings) {
				s.Fallback, s.Client.Transport = false, anonymous(n)
			})
		}, experiment.Fail, "fallback", "0 calls were degraded and"},
		{"no_identity_loose_timeout", func(n *memnet.Network, e *experiment.Experiment) {
			e.Key, e.Limits = httpproxy.Key{}, experiment.Limits{}
			e.Services[1].Handler = loanWith(n, func(_ experiment.Names, s *sample.LoanSettings) {
				s.Timeout, s.Client.Transport = 400*time.Millisecond, anonymous(n)
			})
		}, experiment.Fail, "timeout", "0 calls degraded, the others waited the fault out and came back full"},
		{"no_identity_timeout_declared", func(n *memnet.Network, e *experiment.Experiment) {
			e.Key, e.Limits = httpproxy.Key{}, experiment.Limits{}
			e.Judge.Require = []oracle.Oracle{oracle.TimeoutEngaged{Timeout: 100 * time.Millisecond}}
			e.Services[1].Handler = loanWith(n, func(_ experiment.Names, s *sample.LoanSettings) {
				s.Timeout, s.Client.Transport = 400*time.Millisecond, anonymous(n)
			})
		}, experiment.Fail, "timeout", "the caller waited 240ms until the fault was over"},
		{"some_go_around_the_proxy", func(n *memnet.Network, e *experiment.Experiment) {
			e.Services[1].Handler = someAround(n)
		}, experiment.Invalid, "proxy catalog", "23 of 45 planned calls were broken: without any fault too, 192 of 400 calls are answered in full without passing it"},
		{"some_go_around_the_proxy_and_coverage_is_demanded", func(n *memnet.Network, e *experiment.Experiment) {
			e.Services[1].Handler = someAround(n)
			e.Judge.Require = append(e.Judge.Require, oracle.Coverage{Point: "catalog"})
		}, experiment.Fail, "injection point", "96 of 200 calls were answered in full without passing catalog"},
		{"a_breaker_keeps_calls_away", func(n *memnet.Network, e *experiment.Experiment) {
			e.Services[0].Handler = func(experiment.Names) http.Handler { return sample.Catalog(sample.CatalogSettings{}) }
			e.Services[1].Handler = withBreaker(n)
			e.Judge.Require, e.Judge.Lag = e.Judge.Require[1:], time.Second
		}, experiment.Pass, "", "requests were broken, the wire shows the same 2"},
		{"a_retry_needs_no_fallback", func(n *memnet.Network, e *experiment.Experiment) {
			e.Faults[0].Rule = httpproxy.Rule{Share: 1, Attempts: []int{1}, Faults: []httpproxy.Fault{&httpproxy.Reply{Status: 503}}}
			e.Limits = experiment.Limits{}
			e.Services[1].Handler = loanWith(n, func(_ experiment.Names, s *sample.LoanSettings) {
				transport := s.Client.Transport
				s.Client.Transport = tripper(func(r *http.Request) (*http.Response, error) {
					resp, err := transport.RoundTrip(r)
					if err != nil || resp.StatusCode < 500 {
						return resp, err
					}
					resp.Body.Close()
					return transport.RoundTrip(r)
				})
			})
		}, experiment.Fail, "fallback", "the fallback had nothing to do: 190 of 200 broken calls came back full by another attempt"},
		{"share_hits_nothing", func(_ *memnet.Network, e *experiment.Experiment) { e.Faults[0].Rule.Share = 0.0001 },
			experiment.Invalid, "proxy catalog", "a share of 0.01% hits none of the 200 calls under seed 20260731"},
		{"goes_around_the_proxy", func(n *memnet.Network, e *experiment.Experiment) {
			e.Services[1].Handler = loanWith(n, func(names experiment.Names, s *sample.LoanSettings) { s.Catalog = names.Services["catalog"].URL })
		}, experiment.Invalid, "proxy catalog", "no request passed it in the baseline, while the load made 200 calls: the system goes around it"},
		{"upstream_down", func(_ *memnet.Network, e *experiment.Experiment) { e.Proxies[0].Upstream = "nobody:80" },
			experiment.Invalid, "proxy catalog", "its upstream failed 200 of 200 requests in the baseline: dial tcp nobody:80: connect: connection refused"},
		{"no_key", func(_ *memnet.Network, e *experiment.Experiment) { e.Key, _ = httpproxy.ParseKey("header.X-Order") },
			experiment.Invalid, "proxy catalog", "none of its 200 requests has the key header.X-Order"},
		{"matches_nothing", func(_ *memnet.Network, e *experiment.Experiment) { e.Faults[0].Rule.Match.Path = "/records" },
			experiment.Invalid, "proxy catalog", "delay broke nothing: none of the 200 requests that passed met its methods, path, headers, attempts and share: see GET /record"},
		{"baseline_broken", func(_ *memnet.Network, e *experiment.Experiment) { e.Judge.Noise = share(0.02) },
			experiment.Invalid, "steady state", "the baseline already breaks it: 10 of 200 calls were degraded or dropped, 5% where 2% is allowed"},
		{"blast_radius_calls", func(_ *memnet.Network, e *experiment.Experiment) { e.Limits.MaxFaulted = 10 },
			experiment.Invalid, "blast radius", "45 requests were to break and the limit let 10"},
		{"blast_radius_share", func(_ *memnet.Network, e *experiment.Experiment) {
			e.Limits = experiment.Limits{MaxShare: 0.2}
		}, experiment.Invalid, "blast radius", "45 requests were to break and the limit let 40"},
		{"too_few_calls", func(_ *memnet.Network, e *experiment.Experiment) {
			e.Load.Requests, e.Faults[0].Rule.Share = 5, 1
		}, experiment.Inconclusive, "load", "5 calls cannot show a share of 5%: at least 20 are needed"},
		{"aborted", func(n *memnet.Network, e *experiment.Experiment) {
			e.Services[1].Handler = loanWith(n, func(_ experiment.Names, s *sample.LoanSettings) { s.Fallback = false })
			e.Faults[0].Rule.Share = 1
			e.Limits = experiment.Limits{AbortWhen: &experiment.Abort{Text: "dropped_share > 0.5", Holds: func(s experiment.Shares) (bool, error) { return s.Dropped > 0.5, nil }}}
		}, experiment.Inconclusive, "abort condition", "arm delay was ended early: dropped_share > 0.5 held after 11 calls"},
		{"abort_condition_broken", func(_ *memnet.Network, e *experiment.Experiment) {
			e.Limits.AbortWhen = &experiment.Abort{Text: "1 / 0 > 1", Holds: func(experiment.Shares) (bool, error) { return false, errors.New("division by zero") }}
		}, experiment.Inconclusive, "abort condition", "1 / 0 > 1 held after 1 calls"},
		{"noise_from_baselines", func(_ *memnet.Network, e *experiment.Experiment) { e.Judge.Noise = nil }, experiment.Pass, "", "45 requests were broken"},
		{"noise_too_high_to_be_noise", func(_ *memnet.Network, e *experiment.Experiment) {
			e.Judge.Noise = nil
			e.Services[0].Handler = func(experiment.Names) http.Handler {
				return sample.Catalog(sample.CatalogSettings{StallShare: 0.4, Stall: time.Second, Seed: 1})
			}
		}, experiment.Invalid, "steady state", "where 10% is allowed"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			inFakeTime(t, row.change, func(t *testing.T, r *experiment.Result) {
				hop, message := "", r.Why
				switch {
				case len(r.Problems) > 0:
					hop, message = r.Problems[0].Hop, r.Problems[0].Message
				case len(r.Findings) > 0:
					hop, message = r.Findings[0].Guard, r.Findings[0].Message
				}
				if r.Verdict != row.verdict || hop != row.hop || !strings.Contains(message, row.why) {
					t.Errorf("%s: %s: %s\nwant %s: %s: %s", r.Verdict, hop, message, row.verdict, row.hop, row.why)
				}
				for _, rec := range r.Receipts {
					for _, arm := range r.Arms {
						if arm.Name == rec.Arm && arm.Planned != rec.Planned {
							t.Errorf("arm %s has %d calls planned, its receipt %d", arm.Name, arm.Planned, rec.Planned)
						}
					}
				}
				if !strings.Contains(r.Why, row.why) {
					t.Errorf("why = %q, want it to say %q", r.Why, row.why)
				}
			})
		})
	}
}

// When the abort condition holds, nothing more is broken, from that call on.
func TestRun_abortStopsInjection(t *testing.T) {
	t.Parallel()
	inFakeTime(t, func(n *memnet.Network, e *experiment.Experiment) {
		e.Services[1].Handler = loanWith(n, func(_ experiment.Names, s *sample.LoanSettings) { s.Fallback = false })
		e.Faults[0].Rule.Share = 1
		e.Limits = experiment.Limits{AbortWhen: &experiment.Abort{Text: "dropped_share > 0.5", Holds: func(s experiment.Shares) (bool, error) { return s.Dropped > 0.5, nil }}}
	}, func(t *testing.T, r *experiment.Result) {
		arm := r.Arms[len(r.Arms)-1]
		aborted, after := false, 0
		for _, entry := range arm.Entries {
			switch e := entry.Event.(type) {
			case ledger.Note:
				aborted = aborted || e.What == ledger.NoteAborted
			case ledger.Decision:
				if aborted && e.Injected {
					after++
				}
			}
		}
		if !aborted || after > 0 || arm.Figures.Requests >= 200 {
			t.Errorf("aborted %v, %d broken after it, %d calls in all", aborted, after, arm.Figures.Requests)
		}
	})
}

// The blast radius holds on the wire too, not only in the injector's count.
func TestRun_blastRadiusOnTheWire(t *testing.T) {
	t.Parallel()
	var broken atomic.Int64
	inFakeTime(t, func(n *memnet.Network, e *experiment.Experiment) {
		e.Limits.MaxFaulted = 10
		e.Faults[0].Rule = httpproxy.Rule{Share: 1, Faults: []httpproxy.Fault{&httpproxy.Reply{Status: 503}}}
		whole := loanWith(n, func(_ experiment.Names, s *sample.LoanSettings) { s.Fallback = false })
		e.Services[1].Handler = func(names experiment.Names) http.Handler {
			h := whole(names)
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				h.ServeHTTP(&counting{w, &broken}, r)
			})
		}
		e.Judge.Noise = func(v float64) *float64 { return &v }(0.5)
		e.Services[0].Handler = func(experiment.Names) http.Handler { return sample.Catalog(sample.CatalogSettings{}) }
	}, func(t *testing.T, _ *experiment.Result) {
		if n := broken.Load(); n != 10 {
			t.Errorf("%d calls were broken, want the limit of 10", n)
		}
	})
}

// counting counts answers of 503.
type counting struct {
	http.ResponseWriter
	n *atomic.Int64
}

func (c *counting) WriteHeader(status int) {
	if status == http.StatusServiceUnavailable {
		c.n.Add(1)
	}
	c.ResponseWriter.WriteHeader(status)
}

// A run that is told to stop removes its faults, stops its services, and says
// that it could not tell.
func TestRun_interrupted(t *testing.T) {
	t.Parallel()
	for _, after := range []time.Duration{time.Nanosecond, 100 * time.Millisecond, 700 * time.Millisecond, 1500 * time.Millisecond} {
		t.Run(after.String(), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				n := memnet.New()
				ctx, cancel := context.WithTimeout(t.Context(), after)
				defer cancel()
				start := time.Now()
				r, err := experiment.Run(ctx, loan(n), experiment.WithNetwork(n))
				if err != nil {
					t.Fatal(err)
				}
				if r.Verdict != experiment.Inconclusive || !strings.Contains(r.Why, "interrupted") {
					t.Errorf("%s: %s, want INCONCLUSIVE: interrupted", r.Verdict, r.Why)
				}
				if late := time.Since(start) - after; late > 10*time.Second {
					t.Errorf("it took another %v to stop", late)
				}
				for _, arm := range r.Arms {
					for _, call := range ledger.All[ledger.Call](arm.Entries) {
						if call.Outcome == oracle.Dropped {
							t.Errorf("an interrupted call counts as dropped: %+v", call)
						}
					}
				}
			})
		})
	}
}

// A system that stays broken when the fault is gone fails, however well it bore
// the fault.
func TestRun_recovery(t *testing.T) {
	t.Parallel()
	inFakeTime(t, func(n *memnet.Network, e *experiment.Experiment) {
		whole := loanWith(n, func(experiment.Names, *sample.LoanSettings) {})
		e.Services[1].Handler = func(names experiment.Names) http.Handler {
			h := whole(names)
			var failures atomic.Int64
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				start := time.Now()
				if failures.Load() > 40 && r.URL.Path == "/lend" {
					w.WriteHeader(http.StatusServiceUnavailable)
					return
				}
				h.ServeHTTP(w, r)
				if time.Since(start) >= 100*time.Millisecond {
					failures.Add(1)
				}
			})
		}
	}, func(t *testing.T, r *experiment.Result) {
		last := r.Findings[len(r.Findings)-1]
		if r.Verdict != experiment.Fail || last.Oracle != "recovery" || last.Example == nil {
			t.Errorf("%s %+v, want a finding of recovery with an example", r.Verdict, last)
		}
	})
}

// What was broken before the faults came has nothing to come back to: the run
// says that, and nothing of recovery.
func TestRun_recovery_ofABrokenBaseline(t *testing.T) {
	t.Parallel()
	inFakeTime(t, func(_ *memnet.Network, e *experiment.Experiment) {
		e.Services[0].Handler = func(experiment.Names) http.Handler { return http.NotFoundHandler() }
	}, func(t *testing.T, r *experiment.Result) {
		if r.Verdict != experiment.Invalid || !strings.HasPrefix(r.Why, "steady state: the baseline already breaks it: 200 of 200 calls") {
			t.Errorf("%s: %s, want INVALID: steady state", r.Verdict, r.Why)
		}
		for _, f := range r.Findings {
			if f.Oracle == "recovery" {
				t.Errorf("%+v, want no finding of recovery", f)
			}
		}
	})
}

// Traffic that is not the load's must not pass for it.
func TestRun_foreignTraffic(t *testing.T) {
	t.Parallel()
	inFakeTime(t, func(n *memnet.Network, e *experiment.Experiment) {
		whole := loanWith(n, func(experiment.Names, *sample.LoanSettings) {})
		e.Services[1].Handler = func(names experiment.Names) http.Handler {
			h := whole(names)
			client := &http.Client{Transport: &http.Transport{DialContext: n.DialContext}, Timeout: 10 * time.Millisecond}
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				h.ServeHTTP(w, r)
				// Somebody else asks the catalog too, with an identity of its own.
				resp, err := client.Get(names.Proxies["catalog"].URL + "/record?no=K-903&index=other-" + r.URL.Query().Get("index"))
				if err == nil {
					resp.Body.Close()
				}
			})
		}
		e.Limits = experiment.Limits{}
	}, func(t *testing.T, r *experiment.Result) {
		if r.Verdict != experiment.Invalid || !strings.Contains(r.Why, "belong to no call of the load") {
			t.Errorf("%s: %s, want INVALID: foreign traffic", r.Verdict, r.Why)
		}
	})
}

// An arm may last longer than the lease: the run renews it.
func TestRun_leaseIsRenewed(t *testing.T) {
	t.Parallel()
	inFakeTime(t, func(_ *memnet.Network, e *experiment.Experiment) {
		e.Limits.Lease = 200 * time.Millisecond
	}, func(t *testing.T, r *experiment.Result) {
		if r.Verdict != experiment.Pass {
			t.Errorf("%s: %s, want PASS", r.Verdict, r.Why)
		}
	})
}

// The same seed gives the same run: the same traces, and the same ones broken.
func TestRun_replays(t *testing.T) {
	t.Parallel()
	broken := func(seed uint64) (list map[string]bool) {
		inFakeTime(t, func(_ *memnet.Network, e *experiment.Experiment) {
			e.Seed, e.Key, e.Limits = seed, httpproxy.Key{}, experiment.Limits{}
		}, func(_ *testing.T, r *experiment.Result) {
			list = map[string]bool{}
			for _, arm := range r.Arms {
				for entry, d := range ledger.All[ledger.Decision](arm.Entries) {
					if d.Injected {
						list[entry.Trace] = true
					}
				}
			}
		})
		return list
	}
	one, again, other := broken(7), broken(7), broken(8)
	if len(one) < 20 || len(one) > 60 {
		t.Errorf("%d of 200 traces broken at a share of 20%%", len(one))
	}
	for trace := range one {
		if len(trace) != 32 || !again[trace] {
			t.Fatalf("trace %q broken in one run and not in its replay", trace)
		}
		if other[trace] {
			t.Fatalf("trace %q broken under another seed too", trace)
		}
	}
}
