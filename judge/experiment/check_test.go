package experiment_test

import (
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/brunt-go/brunt/judge/experiment"
	"github.com/brunt-go/brunt/network/proxy/httpproxy"
)

func TestCheck(t *testing.T) {
	t.Parallel()
	type x = experiment.Experiment
	share := func(v float64) *float64 { return &v }
	ordinal, err := httpproxy.ParseKey("ordinal")
	if err != nil {
		t.Fatal(err)
	}
	rows := []struct {
		name   string
		change func(*x)
		want   string // a line of the error
	}{
		{"name", func(e *x) { e.Name = "" }, "name: must not be empty"},
		{"service_twice", func(e *x) { e.Services = append(e.Services, e.Services[0]) }, "services.catalog: the name is taken"},
		{"service_without_command", func(e *x) { e.Services[0].Handler = nil }, "services.catalog: needs exec: a command to start"},
		{"service_with_both", func(e *x) { e.Services[0].Exec = []string{"true"} }, "services.catalog: has a command and a handler, want one"},
		{"service_text", func(e *x) { e.Services[0].Args = []string{"{{.Proxies.kat.Addr}}"} }, `services.catalog.args[0]: "{{.Proxies.kat.Addr}}": map has no entry for key "kat"`},
		{"service_word", func(e *x) { e.Services[0].Handler, e.Services[0].Exec = nil, []string{"x", "{{range 3}}y{{end}}"} }, `services.catalog.exec[1]: "{{range 3}}y{{end}}": {{range 3}}y{{end}} is no reference, want one such as {{.Services.catalog.Addr}}`},
		{"variant_word", func(e *x) {
			e.Variants[0].Services = map[string]experiment.Override{"loan": {Args: []string{"a", "{{.Index}}"}}}
		}, `variants.healthy.services.loan.args[1]: "{{.Index}}": can't evaluate field Index`},
		{"listen", func(e *x) { e.Services[0].Listen = "9001" }, `services.catalog.listen: "9001", want host:port, port 0 for any free one`},
		{"upstream", func(e *x) { e.Proxies[0].Upstream = "ftp://x:1" }, `proxies.catalog: upstream: "ftp://x:1" has the scheme ftp, want host:port, http://host:port or https://host:port`},
		{"no_upstream", func(e *x) { e.Proxies[0].Upstream = "" }, "proxies.catalog: upstream: \"\""},
		{"proxy_twice", func(e *x) { e.Proxies = append(e.Proxies, e.Proxies[0]) }, "proxies.catalog: needs a name of its own"},
		{"no_load", func(e *x) { e.Load.Requests = 0 }, "load: needs requests (closed loop), or rate and duration (open loop)"},
		{"both_loads", func(e *x) { e.Load.Rate, e.Load.Duration = 1, time.Second }, "load: has requests and rate or duration"},
		{"negative_requests", func(e *x) { e.Load.Requests = -1 }, "load.requests: -1, must be >= 1"},
		{"rate_without_duration", func(e *x) { e.Load.Requests, e.Load.Rate = 0, 5 }, "load: an open loop needs a rate and a duration"},
		{"not_one_call", func(e *x) { e.Load.Requests, e.Load.Rate, e.Load.Duration = 0, 1, time.Millisecond }, "load.duration: 1ms at 1/s is not one call"},
		{"concurrency", func(e *x) { e.Load.Concurrency = 20_000 }, "load.concurrency: 20000, must be from 1 to 10000"},
		{"timeout", func(e *x) { e.Load.Timeout = -1 }, "load.timeout: -1ns, must be > 0"},
		{"url", func(e *x) { e.Load.URL = "" }, "load.http.url: must not be empty"},
		{"url_text", func(e *x) { e.Load.URL = "{{.Nope}}" }, "load.http: load.http.url: \"{{.Nope}}\": can't evaluate field Nope"},
		{"url_broken", func(e *x) { e.Load.URL = "http://[x" }, "load.http:"},
		{"method", func(e *x) { e.Load.Method = "GET IT" }, `load.http: load.http: net/http: invalid method "GET IT"`},
		{"outcome_name", func(e *x) { e.Outcomes[1].Name = "so-so" }, "outcomes.so-so: want full or degraded"},
		{"no_full", func(e *x) { e.Outcomes = e.Outcomes[1:] }, "outcomes: needs full"},
		{"no_faults", func(e *x) { e.Faults = nil }, "faults: must not be empty: nothing would be tried"},
		{"fault_named_none", func(e *x) { e.Faults[0].Name = "none" }, `faults.none: needs a name of its own, other than "none"`},
		{"fault_at", func(e *x) { e.Faults[0].At = "kat" }, `faults.delay.at: "kat" is no proxy of this plan`},
		{"fault_share", func(e *x) { e.Faults[0].Rule.Share = 2 }, `faults.delay: rules["delay"].share: 2, must be from 0 to 1`},
		{"fault_share_0", func(e *x) { e.Faults[0].Rule.Share = 0 }, "faults.delay.share: 0, must be > 0"},
		{"max_share", func(e *x) { e.Limits.MaxShare = 0.1 }, "faults.delay.share: 0.2 is above limits.max_share 0.1"},
		{"max_delay", func(e *x) { e.Limits.MaxDelay = 100 * time.Millisecond }, "faults.delay: holds requests for 240ms, above limits.max_delay 100ms"},
		{"limits_negative", func(e *x) { e.Limits.MaxFaulted = -1 }, "limits.max_faulted: -1, must be >= 1"},
		{"limits_share", func(e *x) { e.Limits.MaxShare = 2 }, "limits.max_share: 2, must be from 0 to 1"},
		{"lease", func(e *x) { e.Limits.Lease = -1 }, "limits: max_delay 0s and lease -1ns must be > 0"},
		{"flake_limit", func(e *x) { e.Limits.Flake = 2 }, "limits.flake: 2, must be from 0 to 1"},
		{"flaky", func(e *x) { e.Key, e.Tries, e.Faults[0].Rule.Share = ordinal, 4, 0.5 }, "faults.delay: a correct system would fail this arm in 71% of its runs: 50% of the attempts break"},
		{"tries", func(e *x) { e.Tries = -1 }, "plan.tries: -1, must be >= 1"},
		{"noise", func(e *x) { e.Judge.Noise = share(1) }, "verdict.noise: 1, must be from 0 to below 1"},
		{"lag", func(e *x) { e.Judge.Lag = -1 }, "verdict.lag: -1ns, must be >= 0"},
		{"nothing_required", func(e *x) { e.Judge.Require = nil }, "verdict.require: must not be empty"},
		{"scan", func(e *x) { e.Judge.Scan = []float64{2} }, "verdict.scan: 2, must be from 0 to 1"},
		{"variant_twice", func(e *x) { e.Variants = append(e.Variants, e.Variants[0]) }, "variants.healthy: needs a name of its own"},
		{"variant_service", func(e *x) { e.Variants[0].Services = map[string]experiment.Override{"lone": {}} }, "variants.healthy.services.lone: is no service of this plan"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			e := loan(&net.Dialer{})
			row.change(&e)
			err := experiment.Check(e)
			if err == nil || !strings.Contains("\n"+err.Error(), "\n"+row.want) {
				t.Fatalf("Check = %v\nwant a line %q", err, row.want)
			}
			var field *experiment.FieldError
			if !errors.As(err, &field) {
				t.Errorf("%v holds no FieldError", err)
			}
			if _, runErr := experiment.Run(t.Context(), e); runErr == nil || runErr.Error() != err.Error() {
				t.Errorf("Run = %v, want it refused", runErr)
			}
		})
	}
}

func TestCheck_reportsEverything(t *testing.T) {
	t.Parallel()
	err := experiment.Check(experiment.Experiment{})
	for _, want := range []string{"name:", "load:", "load.http.url:", "outcomes:", "faults:", "verdict.require:"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Check of nothing = %v, want it to speak of %s", err, want)
		}
	}
	if err := experiment.Check(loan(&net.Dialer{})); err != nil {
		t.Errorf("Check of the loan experiment = %v", err)
	}
	if _, err := experiment.Calibrate(t.Context(), withoutVariants()); err == nil || !strings.Contains(err.Error(), "variants: must not be empty") {
		t.Errorf("Calibrate without variants = %v", err)
	}
}

func withoutVariants() experiment.Experiment {
	e := loan(&net.Dialer{})
	e.Variants = nil
	return e
}
