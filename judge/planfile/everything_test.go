package planfile

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/brunt-go/brunt/judge/experiment"
	"github.com/brunt-go/brunt/judge/oracle"
	"github.com/brunt-go/brunt/network/proxy/httpproxy"
)

func everything(t *testing.T) experiment.Experiment {
	t.Helper()
	key, err := httpproxy.ParseKey("header.x-request-id")
	if err != nil {
		t.Fatal(err)
	}
	noise := 0.05
	fault := func(name, at string, share float64, faults ...httpproxy.Fault) experiment.Fault {
		return experiment.Fault{Name: name, At: at, Rule: httpproxy.Rule{Name: name, Share: share, Faults: faults}}
	}
	narrow := fault("slow_error", "catalog", 0.125,
		&httpproxy.Reply{Status: 503, Header: map[string]string{"Retry-After": "1"}, Body: "busy", Upstream: httpproxy.UpstreamSkip},
		&httpproxy.Delay{Header: 10 * time.Millisecond, Body: 1500 * time.Millisecond, AfterBytes: 100})
	narrow.Rule.Attempts = []int{1, 2}
	narrow.Rule.Match = httpproxy.Match{Methods: []string{"POST"}, Path: "/records/...", Header: map[string]string{"X-Tenant": "7"}}
	return experiment.Experiment{
		Name: "everything",
		Services: []experiment.Service{
			{
				Name: "catalog",
				Exec: []string{"./catalog", "--listen={{.Services.catalog.Addr}}", "9", "true"},
				Args: []string{"--verbose"},
				Env:  map[string]string{"CACHE": "off", "SIZE": "64"},
				Dir:  "services", Listen: "127.0.0.1:9001", Ready: "{{.Services.catalog.URL}}/healthz", ReadyTimeout: 5 * time.Second,
			},
			{
				Name: "loan-desk",
				Exec: []string{"/opt/loan desk"},
				Env:  map[string]string{"CATALOG_URL": "{{.Proxies.catalog.URL}}", "PEER": `{{(index .Services "loan-desk").Host}}`},
				Dir:  "/srv",
			},
		},
		Proxies: []experiment.Proxy{
			{Name: "catalog", Listen: "[::1]:0", Upstream: "{{.Services.catalog.Addr}}"},
			{Name: "mirror", Upstream: "https://127.0.0.1:9443"},
		},
		Load: experiment.Load{
			Rate: 50, Duration: 14 * time.Second, MaxInFlight: 64, Timeout: 1500 * time.Millisecond,
			Method: "POST",
			URL:    `{{(index .Services "loan-desk").URL}}/lend?index={{ .Index }}`,
			Header: map[string]string{"Content-Type": "application/json", "X-Trace": "{{.Trace}}", "X-Version": "3"},
			Body:   "{\"no\": \"K-{{.Index}}\"}\n",
		},
		Outcomes: []experiment.Outcome{{Name: oracle.Degraded}, {Name: oracle.Full}},
		Seed:     math.MaxUint64,
		Key:      key,
		Tries:    3,
		Faults: []experiment.Fault{
			narrow,
			fault("reset", "catalog", 1, &httpproxy.Reset{}),
			fault("hang", "mirror", 1, &httpproxy.Hang{}),
			fault("cut", "catalog", 0.25, &httpproxy.Truncate{AfterBytes: 1}),
			fault("cut_later", "catalog", 1, &httpproxy.Truncate{AfterBytes: 200}),
			fault("gone", "catalog", 1, &httpproxy.Lost{}),
			fault("gone_quietly", "catalog", 1, &httpproxy.Lost{Then: httpproxy.ThenHang}, &httpproxy.Delay{Header: 5 * time.Millisecond}),
		},
		Limits: experiment.Limits{
			MaxFaulted: 100, MaxShare: 1, MaxDelay: 2 * time.Second,
			AbortWhen: &experiment.Abort{Text: "dropped_share > 0.5 && requests >= 20 && injected > 0"},
			Lease:     90 * time.Second, Flake: 0.05,
		},
		Judge: experiment.Judge{
			Noise: &noise,
			Lag:   2 * time.Second,
			Scan:  []float64{0, 0.01, 0.05},
			Require: []oracle.Oracle{
				oracle.FallbackEngaged{},
				oracle.FallbackEngaged{},
				oracle.TimeoutEngaged{Point: "catalog", Timeout: 100 * time.Millisecond, Slack: 30 * time.Millisecond},
				oracle.TimeoutEngaged{Timeout: time.Second, Slack: DefaultSlack},
				oracle.Coverage{Point: "catalog"},
				oracle.Condition{Text: "degraded_share + 0.01 >= double(injected) / double(requests)"},
			},
		},
		Variants: []experiment.Variant{
			{Name: "as_it_is", Healthy: true},
			{Name: "broken", Services: map[string]experiment.Override{
				"catalog": {Args: []string{"--slow"}, Env: map[string]string{"CACHE": "on"}},
			}},
		},
	}
}

func TestRead_everything(t *testing.T) {
	t.Parallel()
	got, err := Read("testdata/everything.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(everything(t), got, sameExperiment); diff != "" {
		t.Errorf("Read (-want +got):\n%s", diff)
	}
}
