package experiment_test

import (
	"context"
	"fmt"
	"io"
	"net/http"

	"github.com/brunt-go/brunt/judge/experiment"
	"github.com/brunt-go/brunt/judge/oracle"
	"github.com/brunt-go/brunt/network/memnet"
	"github.com/brunt-go/brunt/network/proxy/httpproxy"
)

// shop is a shop that asks for stock, and answers without a count when it gets
// none; careful says whether it has that fallback.
func shop(n *memnet.Network, careful bool) experiment.Experiment {
	client := &http.Client{Transport: &http.Transport{DialContext: n.DialContext}}
	noise := 0.05
	return experiment.Experiment{
		Name: "shop",
		Services: []experiment.Service{
			{Name: "stock", Handler: func(experiment.Names) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "7 left") })
			}},
			{Name: "shop", Handler: func(names experiment.Names) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					resp, err := client.Get(names.Proxies["stock"].URL + "/?" + r.URL.RawQuery)
					if err == nil {
						defer resp.Body.Close()
					}
					switch {
					case err == nil && resp.StatusCode == http.StatusOK:
						io.Copy(w, resp.Body)
					case careful:
						io.WriteString(w, "for sale")
					default:
						w.WriteHeader(http.StatusInternalServerError)
					}
				})
			}},
		},
		Proxies: []experiment.Proxy{{Name: "stock", Upstream: "{{.Services.stock.Addr}}"}},
		Load:    experiment.Load{Requests: 100, Concurrency: 4, URL: "{{.Services.shop.URL}}/?call={{.Index}}"},
		Outcomes: []experiment.Outcome{
			{Name: oracle.Full, Holds: func(a experiment.Answer) (bool, error) { return string(a.Body) == "7 left", nil }},
			{Name: oracle.Degraded, Holds: func(a experiment.Answer) (bool, error) { return a.Status == 200, nil }},
		},
		Seed: 7,
		Key:  mustKey("query.call"),
		Faults: []experiment.Fault{{Name: "error", At: "stock", Rule: httpproxy.Rule{
			Share: 0.2, Faults: []httpproxy.Fault{&httpproxy.Reply{Status: 503}},
		}}},
		Judge: experiment.Judge{Noise: &noise, Require: []oracle.Oracle{oracle.FallbackEngaged{}}},
	}
}

func mustKey(s string) httpproxy.Key {
	k, err := httpproxy.ParseKey(s)
	if err != nil {
		panic(err)
	}
	return k
}

// A system of two handlers, in this process, is broken and judged.
func ExampleRun() {
	for _, careful := range []bool{true, false} {
		n := memnet.New()
		result, err := experiment.Run(context.Background(), shop(n, careful), experiment.WithNetwork(n))
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(result.Verdict, "-", result.Why)
	}
	// Output:
	// PASS - 18 requests were broken, the wire shows the same 18, and every guard engaged
	// FAIL - error: the fallback did not engage: 18 of 18 broken calls were dropped
}

// Two systems whose truth is known tell which rule tells them apart.
func ExampleCalibrate() {
	n := memnet.New()
	e := shop(n, true)
	e.Variants = []experiment.Variant{
		{Name: "careful", Healthy: true},
		{Name: "careless", Services: map[string]experiment.Override{"shop": {Handler: shop(n, false).Services[1].Handler}}},
	}
	c, err := experiment.Calibrate(context.Background(), e, experiment.WithNetwork(n))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, row := range c.Scan {
		fmt.Printf("e = %.0f%%, rule %s: passes %v, false passes %d, false fails %d\n", 100*row.Threshold, row.Rule, row.Passing, row.FalsePass, row.FalseFail)
	}
	fmt.Printf("recommended: rule %s at %.0f%%\n", c.Recommended.Rule, 100*c.Recommended.Threshold)
	// Output:
	// e = 0%, rule A: passes [careful], false passes 0, false fails 0
	// e = 0%, rule B: passes [careful], false passes 0, false fails 0
	// e = 2%, rule A: passes [careful], false passes 0, false fails 0
	// e = 2%, rule B: passes [careful], false passes 0, false fails 0
	// e = 5%, rule A: passes [careful], false passes 0, false fails 0
	// e = 5%, rule B: passes [careful], false passes 0, false fails 0
	// e = 10%, rule A: passes [careful], false passes 0, false fails 0
	// e = 10%, rule B: passes [careful], false passes 0, false fails 0
	// e = 30%, rule A: passes [careful careless], false passes 1, false fails 0
	// e = 30%, rule B: passes [careful], false passes 0, false fails 0
	// recommended: rule B at 0%
}

// What a plan will break is known before anything runs.
func ExampleForesee() {
	forecasts, err := experiment.Foresee(shop(memnet.New(), true))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range forecasts {
		fmt.Printf("%s: %d of %d calls will break\n", f.Fault, f.Broken, f.Calls)
	}
	// Output: error: 18 of 100 calls will break
}

// An experiment that makes no sense is refused with everything that is wrong.
func ExampleCheck() {
	e := shop(memnet.New(), true)
	e.Faults[0].At = "stok"
	e.Load.Requests = 0
	fmt.Println(experiment.Check(e))
	// Output:
	// load: needs requests (closed loop), or rate and duration (open loop)
	// faults.error.at: "stok" is no proxy of this plan
}

// Half of the attempts reset, twenty calls of up to four tries, none may be
// dropped: such a test is red more often than green, whatever the system does.
func ExampleFlakeProbability() {
	fmt.Printf("%.0f%%\n", 100*experiment.FlakeProbability(0.5, 20, 4, 0))
	// Output: 72%
}
