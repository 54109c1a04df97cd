package report_test

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/brunt-go/brunt/internal/sample"
	"github.com/brunt-go/brunt/judge/experiment"
	"github.com/brunt-go/brunt/judge/oracle"
	"github.com/brunt-go/brunt/network/memnet"
	"github.com/brunt-go/brunt/network/proxy/httpproxy"
)

// calibrated runs the loan experiment's variants in fake time.
func calibrated(t *testing.T) *experiment.Calibration {
	var c *experiment.Calibration
	synctest.Test(t, func(t *testing.T) {
		n := memnet.New()
		var err error
		if c, err = experiment.Calibrate(t.Context(), loan(n), experiment.WithNetwork(n)); err != nil {
			t.Fatal(err)
		}
	})
	return c
}

// ran runs one variant of the loan experiment in fake time.
func ran(t *testing.T, variant string) *experiment.Result {
	var result *experiment.Result
	synctest.Test(t, func(t *testing.T) {
		n := memnet.New()
		e := loan(n)
		for _, v := range e.Variants {
			if v.Name == variant {
				e = e.With(v)
			}
		}
		var err error
		if result, err = experiment.Run(t.Context(), e, experiment.WithNetwork(n)); err != nil {
			t.Fatal(err)
		}
	})
	result.Variant = variant
	return result
}

// loan is the published experiment over handlers of this process: 200 calls, 8
// at once, a fifth of the catalog's answers broken three ways.
func loan(n experiment.Network) experiment.Experiment {
	transport := &http.Transport{DialContext: n.DialContext, MaxIdleConnsPerHost: 8}
	desk := func(timeout time.Duration, fallback bool) map[string]experiment.Override {
		return map[string]experiment.Override{"loan": {Handler: func(names experiment.Names) http.Handler {
			s := sample.DefaultLoanSettings()
			s.Catalog = names.Proxies["catalog"].URL
			s.Timeout, s.Fallback = timeout, fallback
			s.Client = &http.Client{Transport: transport}
			return sample.Loan(s)
		}}}
	}
	key, err := httpproxy.ParseKey("query.index")
	if err != nil {
		panic(err)
	}
	fault := func(name string, f httpproxy.Fault) experiment.Fault {
		return experiment.Fault{Name: name, At: "catalog", Rule: httpproxy.Rule{Share: 0.20, Faults: []httpproxy.Fault{f}}}
	}
	noise := 0.05
	return experiment.Experiment{
		Name: "loan",
		Services: []experiment.Service{
			{Name: "catalog", Handler: func(experiment.Names) http.Handler {
				return sample.Catalog(sample.DefaultCatalogSettings())
			}},
			{Name: "loan", Handler: desk(100*time.Millisecond, true)["loan"].Handler},
		},
		Proxies: []experiment.Proxy{{Name: "catalog", Upstream: "{{.Services.catalog.Addr}}"}},
		Load: experiment.Load{
			Requests: 200, Concurrency: 8,
			URL: "{{.Services.loan.URL}}/lend?no=K-903&index={{.Index}}",
		},
		Outcomes: []experiment.Outcome{
			{Name: oracle.Full, Holds: func(a experiment.Answer) (bool, error) {
				body, _ := a.JSON().(map[string]any)
				return a.Status == 200 && body["status"] == "full", nil
			}},
			{Name: oracle.Degraded, Holds: func(a experiment.Answer) (bool, error) { return a.Status == 200, nil }},
		},
		Seed: 20260731,
		Key:  key,
		Faults: []experiment.Fault{
			fault("delay", &httpproxy.Delay{Header: 240 * time.Millisecond}),
			fault("error", &httpproxy.Reply{Status: 503}),
			fault("loss", &httpproxy.Hang{}),
		},
		Limits: experiment.Limits{MaxFaulted: 45},
		Judge: experiment.Judge{
			Noise: &noise,
			Require: []oracle.Oracle{
				oracle.FallbackEngaged{},
				oracle.Condition{Text: "dropped_share <= noise", Holds: func(f oracle.Figures, noise float64) (bool, error) {
					return f.Share(f.Dropped) <= noise, nil
				}},
			},
		},
		Variants: []experiment.Variant{
			{Name: "healthy", Healthy: true, Services: desk(100*time.Millisecond, true)},
			{Name: "loose", Services: desk(400*time.Millisecond, true)},
			{Name: "noFallback", Services: desk(100*time.Millisecond, false)},
		},
	}
}
