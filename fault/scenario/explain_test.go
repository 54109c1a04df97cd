package scenario_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brunt-go/brunt/fault/scenario"
	"github.com/brunt-go/brunt/fit"
)

// of returns the scenario of rules in words.
func of(t *testing.T, rules ...string) fit.Scenario {
	t.Helper()
	var s fit.Scenario
	for _, text := range rules {
		r, err := scenario.ParseRule(text)
		if err != nil {
			t.Fatal(err)
		}
		s.Rules = append(s.Rules, r)
	}
	return s
}

func TestExplain(t *testing.T) {
	t.Parallel()
	s := of(t,
		"http:payments:8443 attempts=1-2 reply=503 body=down",
		"http:payments:* share=5% seed=7 abort",
		"http:* delay=250ms",
		"http:ledger:* abort",
		"kafka:* attempts=2 lost",
		"grpc:* attempts=3- grpc=14 delay=1s",
		"db",
		"redis:* share=100% abort",
		"redis:sessions lost",
	)
	rows := map[string][]string{
		"http:payments:8443": {
			`rule 0 (http:payments:8443): answer HTTP 503 with "down", on attempts 1 to 2`,
			`rule 1 (http:payments:*): fail without sending, for 5% of the traces (seed 7)`,
			`rule 2 (http:*): wait 250ms, then go on`,
		},
		"http:ledger:8443": {`rule 2 (http:*): wait 250ms, then go on`},
		"kafka:orders":     {`rule 4 (kafka:*): send and lose the answer, on attempt 2`},
		"grpc:a/b":         {`rule 5 (grpc:*): wait 1s, then answer gRPC code 14, from attempt 3 on`},
		"db":               {`rule 6 (db): spared on purpose`},
		"redis:sessions":   {`rule 7 (redis:*): fail without sending`},
		"memcached:carts":  nil,
	}
	for point, want := range rows {
		var got []string
		for _, m := range scenario.Explain(s, point) {
			got = append(got, m.String())
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("Explain(%q) (-want +got):\n%s", point, diff)
		}
	}
}

// What is explained is what is decided.
func TestExplain_agreesWithDecide(t *testing.T) {
	t.Parallel()
	s := of(t, "a attempts=1-2 abort", "a attempts=4- lost", "* delay=1s")
	want := []int{0, 0, 2, 1, 1}
	for i, index := range want {
		if got := s.Decide(fit.ContextWithAttempt(t.Context(), i+1), "a"); got != index {
			t.Errorf("attempt %d: rule %d decides, want %d", i+1, got, index)
		}
	}
	if all := scenario.Explain(s, "a"); len(all) != 3 || all[2].When != "" {
		t.Errorf("Explain = %v, want all three rules", all)
	}
	if got := s.Decide(t.Context(), "b"); got != 2 {
		t.Errorf("rule %d decides about b, want 2", got)
	}
	if got := (fit.Scenario{}).Decide(t.Context(), "b"); got != -1 {
		t.Errorf("rule %d of none decides", got)
	}
}
