// Command fault measures what failure injection costs a request, in one run:
//
//	go run ./bench/fault
//
// It exits with 1 when a figure is over its limit. Each figure is the fastest
// of many short rounds, so that a busy machine spoils rounds, not figures.
package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"

	"go.opentelemetry.io/otel/baggage"
	"go.opentelemetry.io/otel/trace"

	"github.com/brunt-go/brunt/fault"
	"github.com/brunt-go/brunt/fault/jsonscenario"
	"github.com/brunt-go/brunt/fit"
)

const point = "http:payments:8443"

// three is a scenario whose third rule decides about point.
var three = fit.Scenario{Rules: []fit.Rule{
	{Point: "kafka:orders", Fault: fit.Fault{Abort: true}},
	{Point: "grpc:payments.v1.Payments/*", Fault: fit.Fault{Delay: 250 * time.Millisecond}},
	{Point: point, Fault: fit.Fault{Abort: true}},
}}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	codec, err := jsonscenario.New("acme.fault")
	if err != nil {
		return err
	}
	settings := fault.DefaultSettings()
	settings.Decoder = codec
	faults, err := fault.New(settings)
	if err != nil {
		return err
	}
	none, err := request(0, nil, codec)
	if err != nil {
		return err
	}
	unrelated, err := request(10, nil, codec)
	if err != nil {
		return err
	}
	carrying, err := request(0, &three, codec)
	if err != nil {
		return err
	}
	decoded := faults.Remember(carrying)

	t := table{}
	fmt.Printf("%-58s %10s %10s %8s\n", "evaluating a point", "figure", "limit", "allocs")
	t.perCall("without a scenario, no baggage", 40, 0, func() { faults.Eval(none, point) })
	t.perCall("without a scenario, 10 unrelated members", 80, 0, func() { faults.Eval(unrelated, point) })
	t.perCall("scenario of 3 rules, decoded before, unsampled span", 150, 0, func() { faults.Eval(decoded, point) })
	t.perCall("scenario of 3 rules, first decode", 6000, -1, func() { faults.Eval(carrying, point) })
	t.scaling(func() { faults.Eval(decoded, point) })
	if err := t.http(faults, unrelated); err != nil {
		return err
	}
	return t.err()
}

// request is the context of a request in an unsampled trace, with n unrelated
// members in its baggage and, unless s is nil, a scenario.
func request(n int, s *fit.Scenario, codec jsonscenario.Codec) (context.Context, error) {
	sc := trace.NewSpanContext(trace.SpanContextConfig{TraceID: trace.TraceID{1}, SpanID: trace.SpanID{1}})
	ctx := trace.ContextWithSpanContext(context.Background(), sc)
	var b baggage.Baggage
	for i := range n {
		m, err := baggage.NewMemberRaw(fmt.Sprintf("member%d", i), "value")
		if err != nil {
			return nil, err
		}
		if b, err = b.SetMember(m); err != nil {
			return nil, err
		}
	}
	if n > 0 {
		ctx = baggage.ContextWithBaggage(ctx, b)
	}
	if s == nil {
		return ctx, nil
	}
	return fit.ContextWithScenario(ctx, codec, *s)
}

// table prints figures and keeps those over their limits.
type table struct{ over []string }

func (t *table) line(what, figure, limit, allocs string, ok bool) {
	mark := ""
	if !ok {
		mark = "  OVER"
		t.over = append(t.over, what)
	}
	fmt.Printf("%-58s %10s %10s %8s%s\n", what, figure, limit, allocs, mark)
}

func (t *table) err() error {
	if len(t.over) > 0 {
		return fmt.Errorf("over the limit: %q", t.over)
	}
	return nil
}

// perCall measures f in nanoseconds. Fewer than 0 allocations is no limit.
func (t *table) perCall(what string, limit float64, allocations int, f func()) {
	ns := fastest(f)
	n := allocs(f)
	t.line(what, fmt.Sprintf("%.0f ns", ns), fmt.Sprintf("%.0f ns", limit), fmt.Sprint(n), ns <= limit && (allocations < 0 || n <= allocations))
}

// scaling measures how the calls a second of 64 goroutines grow from one core
// to all, beside how those of plain arithmetic do in the same moment: what the
// machine has to give.
func (t *table) scaling(f func()) {
	cores := runtime.NumCPU()
	var eval, arithmetic [2]float64
	for range 20 {
		for i, n := range []int{1, cores} {
			eval[i] = max(eval[i], throughput(n, f))
			arithmetic[i] = max(arithmetic[i], throughput(n, spin))
		}
	}
	got, could := eval[1]/eval[0], arithmetic[1]/arithmetic[0]
	t.line(fmt.Sprintf("64 goroutines, calls a second on %d cores over 1 core", cores),
		fmt.Sprintf("%.2f x", got), fmt.Sprintf("%.2f x", 0.8*could), "", got >= 0.8*could)
}

// spin is arithmetic that takes about as long as an evaluation.
func spin() {
	x := uint32(1)
	for range 100 {
		x = x*0x85ebca6b + 1
	}
	if x == 0 {
		panic("100 steps from 1 do not end at 0")
	}
}

// throughput is how many calls a second 64 goroutines make on so many cores.
func throughput(cores int, f func()) float64 {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
	const goroutines, calls = 64, 20_000
	var wg sync.WaitGroup
	start := time.Now()
	for range goroutines {
		wg.Go(func() {
			for range calls {
				f()
			}
		})
	}
	wg.Wait()
	return goroutines * calls / time.Since(start).Seconds()
}

// fastest is the time of one call in the fastest of many short rounds.
func fastest(f func()) float64 {
	const rounds, calls = 400, 2_000
	best := time.Hour
	for range rounds {
		start := time.Now()
		for range calls {
			f()
		}
		best = min(best, time.Since(start))
	}
	return float64(best.Nanoseconds()) / calls
}

// allocs is the number of allocations of one call.
func allocs(f func()) int {
	const calls = 1000
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range calls {
		f()
	}
	runtime.ReadMemStats(&after)
	return int((after.Mallocs - before.Mallocs) / calls)
}
