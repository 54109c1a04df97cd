package experiment

import (
	"strings"
	"testing"

	"github.com/brunt-go/brunt/judge/oracle"
	"github.com/brunt-go/brunt/network/proxy/httpproxy"
)

// Faults that went before their arm was over were not delivered as planned,
// however the arm looked.
func TestResult_leaseRanOut(t *testing.T) {
	t.Parallel()
	noise := 0.05
	f := Fault{Name: "delay", At: "catalog", Rule: httpproxy.Rule{Faults: []httpproxy.Fault{&httpproxy.Hang{}}}}
	e := Experiment{Faults: []Fault{f}, Judge: Judge{Noise: &noise}}
	figures := oracle.Figures{Requests: 100, Full: 100, Injected: 20, Exchanges: 100}
	r := &Result{Arms: []Arm{
		{Name: Baseline, Phase: PhaseBefore, Figures: oracle.Figures{Requests: 100, Full: 100}},
		{Name: "delay", Phase: PhaseFault, At: "catalog", Figures: figures, Expired: "catalog"},
	}}
	e.judge(r)
	for _, p := range r.Problems {
		if p.Verdict == Invalid && p.Hop == "proxy catalog" && strings.Contains(p.Message, "the lease of its faults ran out before arm delay was over") {
			return
		}
	}
	t.Errorf("%s, problems %+v; want INVALID: the lease", r.Verdict, r.Problems)
}
