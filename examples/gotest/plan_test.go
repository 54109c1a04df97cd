package main

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/brunt-go/brunt/judge/experiment"
	"github.com/brunt-go/brunt/judge/planfile"
	"github.com/brunt-go/brunt/judge/report"
	"github.com/brunt-go/brunt/network/memnet"
)

func TestPage_bearsReviewsThatFail(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		result := run(t, Page{Timeout: 200 * time.Millisecond, Fallback: true})
		if result.Verdict != experiment.Pass {
			t.Errorf("%s: %s", result.Verdict, result.Why)
			_ = report.Run(result, "test").Text(t.Output(), report.Style{})
		}
	})
}

// A test of guards is worth what it catches.
func TestPage_defectsAreCaught(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name  string
		page  Page
		guard string
	}{
		{"timeout_above_the_delay", Page{Timeout: time.Second, Fallback: true}, "timeout"},
		{"no_fallback", Page{Timeout: 200 * time.Millisecond}, "fallback"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				result := run(t, row.page)
				if result.Verdict != experiment.Fail || result.Findings[0].Guard != row.guard {
					t.Errorf("%s: %s, want FAIL for the %s", result.Verdict, result.Why, row.guard)
				}
			})
		})
	}
}

// run runs plan.yaml in fake time, over an in-memory network, with handlers in
// place of the plan's commands.
func run(t *testing.T, page Page) *experiment.Result {
	t.Helper()
	plan, err := planfile.Read("plan.yaml")
	if err != nil {
		t.Fatal(err)
	}
	network := memnet.New()
	plan.Services = []experiment.Service{
		{Name: "reviews", Handler: func(experiment.Names) http.Handler { return http.HandlerFunc(Reviews) }},
		{Name: "page", Handler: func(names experiment.Names) http.Handler {
			page.Reviews = names.Proxies["reviews"].URL
			page.Client = &http.Client{Transport: &http.Transport{DialContext: network.DialContext}}
			return page
		}},
	}
	result, err := experiment.Run(t.Context(), plan, experiment.WithNetwork(network))
	if err != nil {
		t.Fatal(err)
	}
	return result
}
