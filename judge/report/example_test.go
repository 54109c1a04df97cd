package report_test

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/brunt-go/brunt/judge/experiment"
	"github.com/brunt-go/brunt/judge/oracle"
	"github.com/brunt-go/brunt/judge/report"
)

// payments is what a run of a small experiment returned: a timeout that is
// longer than the fault.
func payments() *experiment.Result {
	return &experiment.Result{
		Judged: []string{"fallback_engaged", "coverage"},
		Name:   "payments", Seed: 7, Started: time.Date(2026, 7, 31, 9, 30, 0, 0, time.UTC), Took: 2 * time.Second,
		Verdict: experiment.Fail, Why: "delay: the timeout did not engage",
		Noise: experiment.Noise{Threshold: 0.05, FromPlan: true},
		Arms: []experiment.Arm{
			{Name: "none", Phase: experiment.PhaseBefore, Figures: oracle.Figures{Requests: 50, Full: 50}, Latency: experiment.Latency{P50: time.Millisecond, P99: 4 * time.Millisecond, Max: 5 * time.Millisecond}},
			{Name: "delay", Phase: experiment.PhaseFault, At: "ledger", Fault: "delay", Planned: 12, Figures: oracle.Figures{Requests: 50, Full: 50, Injected: 12}, Latency: experiment.Latency{P50: time.Millisecond, P99: 241 * time.Millisecond, Max: 242 * time.Millisecond}},
		},
		Receipts: []experiment.Receipt{{Arm: "delay", Point: "ledger", Planned: 12, Injected: 12, Witnessed: 12, Calls: 12, Agree: true}},
		Findings: []oracle.Finding{{
			Oracle: "fallback_engaged", Arm: "delay", Point: "ledger", Guard: "timeout",
			Message: "the timeout did not engage: 12 of 12 broken calls came back full", Got: "0 degraded answers", Want: "12",
			Example: &oracle.Example{Index: 3, Outcome: "full", Status: 200, Took: 241 * time.Millisecond, Fault: "delay", Wire: []string{"GET /pay at ledger, attempt 1, broken by delay: answered 200 after 240ms"}},
		}},
	}
}

func ExampleReport_Text() {
	r := report.Run(payments(), "0.1.0")
	if err := r.Text(os.Stdout, report.Style{}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// arm    phase   injected  witnessed  full  degraded  dropped  timeouts  p50    p99    max
	// none   before         0          -    50         0        0         0  1ms    4ms    5ms
	// delay  fault         12         12    50         0        0         0  1ms  241ms  242ms
	//
	// Noise: e = 5%, from the plan; the baseline had 0% of its calls less than full.
	//
	// Receipts: the injector's count, and what the wire shows of it
	// fault  point   planned  injected  witnessed  calls  agree
	// delay  ledger       12        12         12     12  yes
	//
	// Findings
	// 1. fallback_engaged in delay at ledger, guard timeout
	//    the timeout did not engage: 12 of 12 broken calls came back full
	//    got  0 degraded answers
	//    want 12
	//    for example call 3: full after 241ms, status 200, broken by delay
	//      GET /pay at ledger, attempt 1, broken by delay: answered 200 after 240ms
	//
	// FAIL  payments: delay: the timeout did not engage
	// seed 7 replays this run; started 2026-07-31 09:30:00 UTC, took 2s; brunt 0.1.0
}

func ExampleReport_JUnit() {
	r := report.Run(payments(), "0.1.0")
	var b strings.Builder
	if err := r.JUnit(&b); err != nil {
		fmt.Println(err)
	}
	for line := range strings.Lines(b.String()) {
		if strings.Contains(line, "<testcase") {
			fmt.Println(strings.TrimSpace(line))
		}
	}
	// Output:
	// <testcase classname="brunt.payments" name="none: steady state" time="0.000"></testcase>
	// <testcase classname="brunt.payments" name="delay: delivered" time="0.000"></testcase>
	// <testcase classname="brunt.payments" name="delay: fallback_engaged" time="0.000">
	// <testcase classname="brunt.payments" name="delay: coverage" time="0.000"></testcase>
	// <testcase classname="brunt.payments" name="run" time="2.000"></testcase>
}

func ExampleReport_Markdown() {
	r := report.Run(&experiment.Result{
		Name: "payments", Seed: 7, Started: time.Date(2026, 7, 31, 9, 30, 0, 0, time.UTC), Took: time.Second,
		Verdict: experiment.Invalid, Why: "proxy ledger: no request passed it",
		Problems: []experiment.Problem{{Verdict: experiment.Invalid, Hop: "proxy ledger", Message: "no request passed it: the system goes around it"}},
	}, "0.1.0")
	if err := r.Markdown(os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// <!-- brunt-report -->
	// ### ⚠️ INVALID: payments
	//
	// proxy ledger: no request passed it
	//
	//
	// **INVALID** proxy ledger: no request passed it: the system goes around it
	//
	// <sub>seed 7 replays this run; started 2026-07-31 09:30:00 UTC, took 1s; brunt 0.1.0</sub>
}
