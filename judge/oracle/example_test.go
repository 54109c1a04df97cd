package oracle_test

import (
	"fmt"
	"time"

	"github.com/brunt-go/brunt/judge/ledger"
	"github.com/brunt-go/brunt/judge/oracle"
)

// broken is one call that a delay broke, and how it ended.
func broken(outcome string, took time.Duration, end ledger.End) []ledger.Entry {
	return []ledger.Entry{
		{Key: "7", Point: "catalog", Attempt: 1, Event: ledger.Decision{Exchange: 1, Rule: "delay", Fault: "delay", Holds: true, Injected: true}},
		{Key: "7", Point: "catalog", Attempt: 1, Event: ledger.Exchange{ID: 1, Method: "GET", Path: "/record", Status: 200, Took: took, End: end}},
		{Key: "7", Event: ledger.Call{Index: 7, Outcome: outcome, Status: 200, Took: took}},
	}
}

// A ledger alone is enough to judge: here a call waited out a delay.
func ExampleFallbackEngaged() {
	entries := broken(oracle.Full, 241*time.Millisecond, ledger.EndAnswered)
	for _, f := range (oracle.FallbackEngaged{}).Check(oracle.Evidence{Arm: "delay", Entries: entries}) {
		fmt.Printf("%s: %s\n  got %s, want %s\n  %s\n", f.Guard, f.Message, f.Got, f.Want, f.Example.Wire[0])
	}
	// Output:
	// timeout: the timeout did not engage: 1 of 1 broken calls waited the fault out and came back full, so no fallback had to answer
	//   got 0 degraded answers, want 1, one for each broken call
	//   GET /record at catalog, attempt 1, broken by delay: answered 200 after 241ms
}

func ExampleTimeoutEngaged() {
	declared := oracle.TimeoutEngaged{Point: "catalog", Timeout: 100 * time.Millisecond, Slack: 20 * time.Millisecond}
	for _, took := range []time.Duration{103 * time.Millisecond, 160 * time.Millisecond} {
		entries := broken(oracle.Degraded, took, ledger.EndAbandoned)
		findings := declared.Check(oracle.Evidence{Arm: "delay", Entries: entries})
		fmt.Println(took, len(findings) == 0)
	}
	// Output:
	// 103ms true
	// 160ms false
}

func ExampleCoverage() {
	baseline := []ledger.Entry{{Key: "7", Event: ledger.Call{Index: 7, Outcome: oracle.Full}}}
	for _, f := range (oracle.Coverage{Point: "catalog"}).Check(oracle.Evidence{Arm: "delay", Baseline: baseline}) {
		fmt.Println(f.Message)
	}
	// Output: 1 of 1 calls were answered in full without passing catalog: a client somewhere goes around it
}

func ExampleCondition() {
	condition := oracle.Condition{Text: "dropped_share <= noise", Holds: func(f oracle.Figures, noise float64) (bool, error) {
		return f.Share(f.Dropped) <= noise, nil
	}}
	entries := broken(oracle.Dropped, time.Second, ledger.EndAnswered)
	for _, f := range condition.Check(oracle.Evidence{Arm: "delay", Entries: entries, Noise: 0.05}) {
		fmt.Println(f.Message)
	}
	// Output: dropped_share <= noise does not hold
}
