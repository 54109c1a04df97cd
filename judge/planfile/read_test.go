package planfile

import (
	"net/http"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/brunt-go/brunt/judge/experiment"
	"github.com/brunt-go/brunt/judge/oracle"
	"github.com/brunt-go/brunt/network/proxy/httpproxy"
)

// sameExperiment compares experiments but for what conditions do.
var sameExperiment = cmp.Options{
	cmp.FilterPath(func(p cmp.Path) bool { return p.Last().Type().Kind() == reflect.Func }, cmp.Ignore()),
	cmp.Comparer(func(a, b httpproxy.Key) bool { return a == b }),
}

// The published file, as it stands.
func TestRead_loan(t *testing.T) {
	t.Parallel()
	got, err := Read("testdata/loan.yaml")
	if err != nil {
		t.Fatal(err)
	}
	key, err := httpproxy.ParseKey("query.index")
	if err != nil {
		t.Fatal(err)
	}
	noise := 0.05
	fault := func(name string, f httpproxy.Fault) experiment.Fault {
		return experiment.Fault{Name: name, At: "catalog", Rule: httpproxy.Rule{Name: name, Share: 0.2, Faults: []httpproxy.Fault{f}}}
	}
	variant := func(name string, healthy bool, args ...string) experiment.Variant {
		return experiment.Variant{Name: name, Healthy: healthy, Services: map[string]experiment.Override{"loan": {Args: args}}}
	}
	want := experiment.Experiment{
		Name: "loan",
		Services: []experiment.Service{
			{Name: "catalog", Exec: []string{"brunt", "sample", "catalog"}, Listen: "127.0.0.1:9001", Ready: "http://127.0.0.1:9001/healthz"},
			{Name: "loan", Exec: []string{"brunt", "sample", "loan", "--catalog=http://127.0.0.1:9100"}, Listen: "127.0.0.1:9000", Ready: "http://127.0.0.1:9000/healthz"},
		},
		Proxies: []experiment.Proxy{{Name: "catalog", Listen: "127.0.0.1:9100", Upstream: "127.0.0.1:9001"}},
		Load: experiment.Load{
			Requests: 200, Concurrency: 8, Method: http.MethodGet,
			URL: "http://127.0.0.1:9000/lend?no=K-903&index={{.Index}}",
		},
		Outcomes: []experiment.Outcome{{Name: oracle.Full}, {Name: oracle.Degraded}},
		Seed:     20260731,
		Key:      key,
		Faults: []experiment.Fault{
			fault("delay", &httpproxy.Delay{Header: 240 * time.Millisecond}),
			fault("error", &httpproxy.Reply{Status: 503}),
			fault("loss", &httpproxy.Hang{}),
		},
		Limits: experiment.Limits{MaxFaulted: 45, AbortWhen: &experiment.Abort{Text: "dropped_share > 0.5"}, Lease: 30 * time.Second},
		Judge: experiment.Judge{
			Noise:   &noise,
			Require: []oracle.Oracle{oracle.FallbackEngaged{}, oracle.Condition{Text: "dropped_share <= noise"}},
		},
		Variants: []experiment.Variant{
			variant("healthy", true, "--timeout=100ms"),
			variant("loose", false, "--timeout=400ms"),
			variant("noFallback", false, "--timeout=100ms", "--no-fallback"),
		},
	}
	if diff := cmp.Diff(want, got, sameExperiment); diff != "" {
		t.Errorf("Read (-want +got):\n%s", diff)
	}
}

// Its conditions do what they say.
func TestRead_loanConditions(t *testing.T) {
	t.Parallel()
	e, err := Read("testdata/loan.yaml")
	if err != nil {
		t.Fatal(err)
	}
	holds := func(name string, got bool, err error, want bool) {
		t.Helper()
		if got != want || err != nil {
			t.Errorf("%s = %v, %v, want %v", name, got, err, want)
		}
	}
	full := experiment.Answer{Status: 200, Body: []byte(`{"status":"full"}`)}
	degraded := experiment.Answer{Status: 200, Body: []byte(`{"status":"degraded"}`)}
	broken := experiment.Answer{Status: 502}
	for _, row := range []struct {
		name           string
		answer         experiment.Answer
		full, degraded bool
	}{{"full", full, true, true}, {"degraded", degraded, false, true}, {"broken", broken, false, false}} {
		ok, err := e.Outcomes[0].Holds(row.answer)
		holds("full of "+row.name, ok, err, row.full)
		ok, err = e.Outcomes[1].Holds(row.answer)
		holds("degraded of "+row.name, ok, err, row.degraded)
	}
	ok, err := e.Limits.AbortWhen.Holds(experiment.Shares{Dropped: 0.51, Requests: 100})
	holds("abort_when at 0.51", ok, err, true)
	ok, err = e.Limits.AbortWhen.Holds(experiment.Shares{Dropped: 0.5, Requests: 100})
	holds("abort_when at 0.5", ok, err, false)
	condition, isCondition := e.Judge.Require[1].(oracle.Condition)
	if !isCondition {
		t.Fatalf("require[1] is a %T", e.Judge.Require[1])
	}
	ok, err = condition.Holds(oracle.Figures{Requests: 200, Full: 190, Dropped: 10}, 0.05)
	holds("require at 5 %", ok, err, true)
	ok, err = condition.Holds(oracle.Figures{Requests: 200, Full: 189, Dropped: 11}, 0.05)
	holds("require at 5.5 %", ok, err, false)
}
