package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/brunt-go/brunt/bench/internal/figure"
)

// How the control plane is tried.
const (
	populated = 1000            // proxies that are made at once
	held      = 1000            // connections that sit in a toxic
	deadline  = 3 * time.Second // of a control call; Toxiproxy's own is 25 s
	enough    = 2               // calls over the deadline, then it is clear
)

// controlFigures is what one target's control plane did.
type controlFigures struct {
	kind     int
	populate []float64 // ns, by round
	took     []time.Duration
	over     int // calls over the deadline
	example  string
}

type controls []controlFigures

// measureControl tries the control planes.
func measureControl(ctx context.Context, l *lab, s Settings) (part, error) {
	var out controls
	for _, k := range []int{toxiproxy, brunt} {
		fmt.Fprintf(l.stderr, "control of %s\n", kinds()[k].name)
		f := controlFigures{kind: k}
		for range s.few() {
			ns, err := measurePopulate(ctx, l, k)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", kinds()[k].name, err)
			}
			f.populate = append(f.populate, ns)
		}
		if err := f.measureCalls(ctx, l, s.times(5)); err != nil {
			return nil, fmt.Errorf("%s: %w", kinds()[k].name, err)
		}
		out = append(out, f)
	}
	return out, nil
}

// measurePopulate returns how long a fresh server takes for its proxies.
func measurePopulate(ctx context.Context, l *lab, k int) (ns float64, err error) {
	t, err := l.start(ctx, k)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, t.stop()) }()
	begin := time.Now()
	err = t.api.populate(ctx, populated, l.upstream.Addr)
	return float64(time.Since(begin)), err
}

// measureCalls makes control calls for d while connections sit in a toxic and
// one client asks for more than it ever reads.
func (f *controlFigures) measureCalls(ctx context.Context, l *lab, d time.Duration) (err error) {
	t, err := l.start(ctx, f.kind)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.stop()) }()
	held, err := holdAll(ctx, l, t)
	if err != nil {
		return err
	}
	defer held.close()
	begin := time.Now()
	for time.Since(begin) < d && f.over < enough {
		for _, c := range calls(l.upstream.Addr) {
			took, err := timed(ctx, func(ctx context.Context) error { return c.make(ctx, t.api) })
			f.took = append(f.took, took)
			switch {
			case ctx.Err() != nil:
				return context.Cause(ctx)
			case errors.Is(err, context.DeadlineExceeded):
				f.over++
				f.example = c.name
			case err != nil && f.over == 0: // after one that hung, anything may be left half done
				return fmt.Errorf("%s: %w", c.name, err)
			}
			if f.over >= enough {
				break
			}
		}
	}
	return nil
}

// holdAll opens connections that wait in a latency toxic of their proxy, and one
// through another proxy that never reads what it asked for.
func holdAll(ctx context.Context, l *lab, t *target) (*fleet, error) {
	f, err := open(ctx, t.addr, held)
	if err != nil {
		return nil, err
	}
	err = t.api.add(ctx, theProxy, toxic{Name: "minute", Type: "latency", Attributes: map[string]int{"latency": 60_000}})
	if err == nil {
		_, err = f.each(0, func(_ int, l *line, _ time.Time) error {
			_, err := l.conn.Write(append([]byte{askEcho}, l.frame[1:]...))
			return err
		})
	}
	var addr string
	if err == nil {
		addr, err = t.api.create(ctx, "greedy", l.upstream.Addr)
	}
	var greedy *line
	if err == nil {
		greedy, err = dialLine(ctx, addr)
	}
	if err == nil {
		f.lines = append(f.lines, greedy)
		const plenty = 1 << 40
		err = errors.Join(greedy.ask(plenty), sleep(ctx, time.Second/2)) // until every buffer is full
	}
	if err != nil {
		f.close()
		return nil, err
	}
	return f, nil
}

// controlCall is one call, in a round that leaves things as they were.
type controlCall struct {
	name string
	make func(context.Context, *api) error
}

func calls(upstream string) []controlCall {
	list := func(ctx context.Context, a *api) error {
		return a.call(ctx, http.MethodGet, "/proxies", nil, &map[string]any{})
	}
	slow := toxic{Name: "slow", Type: "latency", Attributes: map[string]int{"latency": 10}}
	var all []controlCall
	for _, of := range []string{"greedy", theProxy} {
		all = append(all,
			controlCall{"list all proxies", list},
			controlCall{"show proxy " + of, func(ctx context.Context, a *api) error {
				return a.call(ctx, http.MethodGet, "/proxies/"+of, nil, nil)
			}},
			controlCall{"add a toxic to " + of, func(ctx context.Context, a *api) error { return a.add(ctx, of, slow) }},
			controlCall{"change a toxic of " + of, func(ctx context.Context, a *api) error { return a.change(ctx, of, slow) }},
			controlCall{"remove a toxic of " + of, func(ctx context.Context, a *api) error { return a.remove(ctx, of, slow.Name) }},
		)
	}
	return append(all,
		controlCall{"create a proxy", func(ctx context.Context, a *api) error {
			_, err := a.create(ctx, "another", upstream)
			return err
		}},
		controlCall{"delete a proxy", func(ctx context.Context, a *api) error {
			return a.call(ctx, http.MethodDelete, "/proxies/another", nil, nil)
		}})
}

// timed makes a call under the deadline.
func timed(ctx context.Context, call func(context.Context) error) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	begin := time.Now()
	err := call(ctx)
	return time.Since(begin), err
}

func (out controls) print(w io.Writer) {
	t := figure.Table{Head: []string{"control calls", fmt.Sprintf("ms to make %d proxies", populated), "calls while all hang", "p50 ms", "p99 ms", "slowest ms", fmt.Sprintf("over %v", deadline)}}
	for _, f := range out {
		slices.Sort(f.took)
		at := func(p float64) string { return hundredths(float64(figure.Percentile(f.took, p))) }
		over := fmt.Sprint(f.over)
		if f.over > 0 {
			over += ", then stopped; such as: " + f.example
		}
		t.Add(kinds()[f.kind].name, figure.Of(f.populate).Format(figure.Millis), fmt.Sprint(len(f.took)), at(0.50), at(0.99), at(1), over)
	}
	t.Print(w)
	fmt.Fprintln(w)
}

func (out controls) checks() (all []check) {
	const populate, call = 200e6, 50e6 // ns
	for _, f := range out {
		if f.kind != brunt {
			continue
		}
		slices.Sort(f.took)
		all = append(all,
			atMost(fmt.Sprintf("%d proxies populated", populated), f.populate, populate, figure.Millis, "ms"),
			atMost("control call while all hang: p99", []float64{float64(figure.Percentile(f.took, 0.99))}, call, hundredths, "ms"))
	}
	return all
}
