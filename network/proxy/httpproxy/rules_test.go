package httpproxy_test

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/brunt-go/brunt/judge/ledger"
	"github.com/brunt-go/brunt/network/proxy/httpproxy"
)

// reply is a fault that is cheap to see.
func reply(status int) []httpproxy.Fault {
	return []httpproxy.Fault{&httpproxy.Reply{Status: status, Upstream: httpproxy.UpstreamSkip}}
}

func TestRules_match(t *testing.T) {
	t.Parallel()
	rules := []httpproxy.Rule{
		{Name: "writes", Share: 1, Match: httpproxy.Match{Methods: []string{"POST", "PUT"}}, Faults: reply(500)},
		{Name: "item", Share: 1, Match: httpproxy.Match{Path: "/orders/*/items"}, Faults: reply(501)},
		{Name: "below", Share: 1, Match: httpproxy.Match{Path: "/admin/..."}, Faults: reply(502)},
		{Name: "tenant", Share: 1, Match: httpproxy.Match{Header: map[string]string{"X-Tenant": "blue"}}, Faults: reply(503)},
		{Name: "second", Share: 1, Match: httpproxy.Match{Path: "/retry"}, Attempts: []int{2}, Faults: reply(504)},
	}
	rows := []struct {
		name, method, path, tenant string
		want                       int
	}{
		{"none", "GET", "/", "", 200},
		{"method", "POST", "/", "", 500},
		{"first_rule_wins", "PUT", "/orders/7/items", "", 500},
		{"path", "GET", "/orders/7/items", "", 501},
		{"path_one_segment_only", "GET", "/orders/7/8/items", "", 200},
		{"prefix", "GET", "/admin/users/7", "", 502},
		{"prefix_itself", "GET", "/admin", "", 502},
		{"prefix_whole_segments", "GET", "/administrator", "", 200},
		{"header", "GET", "/", "blue", 503},
		{"other_header_value", "GET", "/", "green", 200},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			inFakeTime(t, hello, func(r *rig) {
				r.arm(httpproxy.Arming{Rules: httpproxy.Rules{List: rules}})
				req, _ := http.NewRequest(row.method, proxyURL+row.path, nil)
				if row.tenant != "" {
					req.Header.Set("X-Tenant", row.tenant)
				}
				resp, err := r.client.Do(req)
				if err != nil {
					t.Fatal(err)
				}
				resp.Body.Close()
				if resp.StatusCode != row.want {
					t.Errorf("%s %s: %d, want %d", row.method, row.path, resp.StatusCode, row.want)
				}
			})
		})
	}
}

// The rule's attempts count the requests of one key, not of all.
func TestRules_attempts(t *testing.T) {
	t.Parallel()
	inFakeTime(t, hello, func(r *rig) {
		key, _ := httpproxy.ParseKey("header.X-Order")
		r.arm(httpproxy.Arming{Rules: httpproxy.Rules{Key: key, List: []httpproxy.Rule{{Name: "first_two", Share: 1, Attempts: []int{1, 2}, Faults: reply(503)}}}})
		var got []string
		for _, order := range []string{"a", "b", "a", "a", "b", "b", "a"} {
			req := mustRequest(r)
			req.Header.Set("X-Order", order)
			resp, err := r.client.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
			got = append(got, fmt.Sprint(order, resp.StatusCode))
		}
		if want := "a503 b503 a503 a200 b503 b200 a200"; strings.Join(got, " ") != want {
			t.Errorf("got %v, want %s", got, want)
		}
		attempts := ""
		for entry := range ledger.All[ledger.Decision](r.ledger.Entries()) {
			attempts += fmt.Sprint(entry.Attempt)
		}
		if attempts != "1123234" {
			t.Errorf("attempts in the ledger: %s, want 1123234", attempts)
		}
	})
}

// The same seed breaks the same requests, whatever the order and concurrency.
func TestRules_shareByIdentity(t *testing.T) {
	t.Parallel()
	key, _ := httpproxy.ParseKey("query.index")
	broken := func(seed uint64, workers int) (list string) {
		inFakeTime(t, hello, func(r *rig) {
			r.arm(httpproxy.Arming{Rules: httpproxy.Rules{Seed: seed, Key: key, List: []httpproxy.Rule{{Name: "fifth", Share: 0.2, Faults: reply(503)}}}})
			var statuses [200]int
			var wg sync.WaitGroup
			for w := range workers {
				wg.Go(func() {
					for i := 199 - w; i >= 0; i -= workers {
						statuses[i] = r.get(fmt.Sprintf("/?index=%d", i), patience).status
					}
				})
			}
			wg.Wait()
			for i, s := range statuses {
				if s == 503 {
					list += fmt.Sprintf("%d ", i)
				}
			}
		})
		return list
	}
	one, eight, other := broken(20260731, 1), broken(20260731, 8), broken(1, 8)
	if n := len(strings.Fields(one)); n != 45 {
		t.Errorf("%d of 200 broken, want the published 45", n)
	}
	if one != eight {
		t.Errorf("alone %s\nat 8   %s", one, eight)
	}
	if one == other {
		t.Error("another seed breaks the same requests")
	}
}

// The blast radius is never exceeded, and what it spared is counted.
func TestBudget_concurrent(t *testing.T) {
	t.Parallel()
	inFakeTime(t, hello, func(r *rig) {
		budget := httpproxy.NewBudget(10)
		r.arm(httpproxy.Arming{Budget: budget, Rules: httpproxy.Rules{List: []httpproxy.Rule{{Name: "all", Share: 1, Faults: reply(503)}}}})
		var wg sync.WaitGroup
		for range 50 {
			wg.Go(func() { r.get("/", patience) })
		}
		wg.Wait()
		injected, spared := 0, 0
		for _, d := range ledger.All[ledger.Decision](r.ledger.Entries()) {
			if d.Injected {
				injected++
			}
			if d.Spared == ledger.SparedByLimit {
				spared++
			}
		}
		if injected != 10 || spared != 40 || budget.Used() != 10 || budget.Refused() != 40 {
			t.Errorf("injected %d, spared %d, used %d, refused %d; want 10, 40, 10, 40", injected, spared, budget.Used(), budget.Refused())
		}
	})
}

// A request without the key is never broken: it has no identity to decide by.
func TestRules_noKey(t *testing.T) {
	t.Parallel()
	inFakeTime(t, hello, func(r *rig) {
		key, _ := httpproxy.ParseKey("query.index")
		r.arm(httpproxy.Arming{Rules: httpproxy.Rules{Key: key, List: []httpproxy.Rule{{Name: "all", Share: 1, Faults: reply(503)}}}})
		if g := r.get("/", patience); g.status != 200 {
			t.Errorf("got %d, want 200", g.status)
		}
		if _, d := only[ledger.Decision](r); d.Injected || d.Spared != ledger.SparedNoKey {
			t.Errorf("decision %+v, want spared: no key", d)
		}
	})
}

// Rules change under traffic without losing a request.
func TestProxy_armUnderTraffic(t *testing.T) {
	t.Parallel()
	inFakeTime(t, hello, func(r *rig) {
		ctx, stop := context.WithCancel(r.t.Context())
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				for ctx.Err() == nil {
					if g := r.get("/", patience); g.err != nil || g.status != 200 && g.status != 503 {
						t.Errorf("got %+v", g)
						return
					}
				}
			})
		}
		for range 200 {
			r.breakAll(reply(503)...).Disarm()
			r.breakAll(reply(503)...)
			r.arm(httpproxy.Arming{})
		}
		stop()
		wg.Wait()
		synctest.Wait()
	})
}

func TestCheckRules(t *testing.T) {
	t.Parallel()
	nan := math.NaN()
	rows := []struct {
		name string
		rule httpproxy.Rule
		want string
	}{
		{"good", httpproxy.Rule{Name: "r", Share: 0.5, Faults: reply(503)}, ""},
		{"no_name", httpproxy.Rule{Share: 1, Faults: reply(503)}, "rules[0].name: must not be empty"},
		{"share_above", httpproxy.Rule{Name: "r", Share: 1.5, Faults: reply(503)}, `rules["r"].share: 1.5, must be from 0 to 1`},
		{"share_below", httpproxy.Rule{Name: "r", Share: -1, Faults: reply(503)}, "share: -1"},
		{"share_nan", httpproxy.Rule{Name: "r", Share: nan, Faults: reply(503)}, "share: NaN"},
		{"attempt_zero", httpproxy.Rule{Name: "r", Share: 1, Attempts: []int{0}, Faults: reply(503)}, "attempts count from 1"},
		{"method_case", httpproxy.Rule{Name: "r", Share: 1, Match: httpproxy.Match{Methods: []string{"get"}}, Faults: reply(503)}, "upper case"},
		{"path", httpproxy.Rule{Name: "r", Share: 1, Match: httpproxy.Match{Path: "/[a"}, Faults: reply(503)}, "syntax error in pattern"},
		{"no_faults", httpproxy.Rule{Name: "r", Share: 1}, "faults: must not be empty"},
		{"bad_fault", httpproxy.Rule{Name: "r", Share: 1, Faults: reply(99)}, `rules["r"].reply: status 99, want one from 200 to 599`},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			err := httpproxy.CheckRules(httpproxy.Rules{List: []httpproxy.Rule{row.rule}})
			if row.want == "" && err != nil || row.want != "" && (err == nil || !strings.Contains(err.Error(), row.want)) {
				t.Errorf("CheckRules = %v, want %q", err, row.want)
			}
		})
	}
}
