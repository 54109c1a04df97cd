package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/brunt-go/brunt/bench/internal/figure"
)

// How many connections are kept open and idle: restful while the processors are
// watched, many for memory, and most through brunt alone.
const (
	restful = 1000
	many    = 2000
	most    = 10000
	warm    = 10 // what the first connections bring with them is no connection's
)

// idleFigures is what idle connections of one target take.
type idleFigures struct {
	kind       int
	conns      int
	memory     float64 // bytes a connection
	files      float64 // file descriptors a connection
	goroutines float64 // a connection, or -1 where it can't be seen
	busy       float64 // of one core with restful connections, or -1 where not measured
}

type idle []idleFigures

// measureIdle measures fresh processes of every kind: first all of them at rest,
// each with as many connections, then each with more.
func measureIdle(ctx context.Context, l *lab, s Settings) (_ part, err error) {
	fmt.Fprintln(l.stderr, "idle connections")
	targets, stop, err := l.startAll(ctx, splice, toxiproxy, brunt, haproxy, socat)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, stop()) }()
	resters := make([]*rester, len(targets))
	for i, t := range targets {
		resters[i] = &rester{target: t, fleet: &fleet{}}
		defer resters[i].fleet.close()
		if err := resters[i].begin(ctx); err != nil {
			return nil, t.failed(err)
		}
	}
	busy, err := watch(ctx, targets, s.times(8))
	if err != nil {
		return nil, err
	}
	var out idle
	for i, r := range resters {
		f, err := r.end(ctx, many)
		if err != nil {
			return nil, targets[i].failed(err)
		}
		f.busy = busy[i]
		out = append(out, f)
		r.fleet.close()
	}
	f, err := measureMost(ctx, l)
	if err != nil {
		return nil, err
	}
	return append(out, f), nil
}

// measureMost measures a fresh brunt with as many connections as there may be.
func measureMost(ctx context.Context, l *lab) (f idleFigures, err error) {
	t, err := l.start(ctx, brunt)
	if err != nil {
		return f, err
	}
	defer func() { err = errors.Join(err, t.stop()) }()
	r := &rester{target: t, fleet: &fleet{}}
	defer r.fleet.close()
	if err := r.begin(ctx); err != nil {
		return f, err
	}
	n := mostWithin(most, fileLimit())
	if f, err = r.end(ctx, n); err != nil {
		return f, fmt.Errorf("%d connections: %w", n, t.failed(err))
	}
	f.busy = -1
	return f, nil
}

// mostWithin is how many connections a proxy can carry under a limit of file
// descriptors, each of which takes two.
func mostWithin(want int, limit uint64) int {
	const others = 300 // listeners, pipes and what else a process has open
	return min(want, max(0, int(min(limit, 1<<30))-others)/2)
}

// watch returns how busy the targets' processes are, of one core, while nobody
// uses them.
func watch(ctx context.Context, targets []*target, d time.Duration) ([]float64, error) {
	const settle = time.Second
	if err := sleep(ctx, settle); err != nil {
		return nil, err
	}
	usages := func() (all []usage, err error) {
		for _, t := range targets {
			u, err := t.usage()
			if err != nil {
				return nil, err
			}
			all = append(all, u)
		}
		return all, nil
	}
	before, err := usages()
	if err != nil {
		return nil, err
	}
	begin := time.Now()
	if err := sleep(ctx, d); err != nil {
		return nil, err
	}
	elapsed := time.Since(begin)
	after, err := usages()
	if err != nil {
		return nil, err
	}
	busy := make([]float64, len(targets))
	for i := range busy {
		busy[i] = float64(after[i].cpu-before[i].cpu) / float64(elapsed)
	}
	return busy, nil
}

// rester keeps idle connections through one target.
type rester struct {
	target     *target
	fleet      *fleet
	before     usage
	goroutines int
}

// begin opens restful connections, and notes what the process had before.
func (r *rester) begin(ctx context.Context) (err error) {
	if err := r.fleet.grow(ctx, r.target.addr, warm); err != nil {
		return err
	}
	if r.before, err = r.target.usage(); err != nil {
		return err
	}
	r.goroutines, _ = r.seen(ctx)
	return r.fleet.grow(ctx, r.target.addr, restful)
}

// end opens connections until there are n besides the first, and returns what
// each takes.
func (r *rester) end(ctx context.Context, n int) (idleFigures, error) {
	if err := r.fleet.grow(ctx, r.target.addr, n-restful); err != nil {
		return idleFigures{}, err
	}
	const settle = 500 * time.Millisecond
	if err := sleep(ctx, settle); err != nil {
		return idleFigures{}, err
	}
	after, err := r.target.usage()
	f := idleFigures{
		kind: r.target.kind, conns: n, goroutines: -1,
		memory: float64(after.memory-r.before.memory) / float64(n),
		files:  float64(after.files-r.before.files) / float64(n),
	}
	if now, ok := r.seen(ctx); ok {
		f.goroutines = float64(now-r.goroutines) / float64(n)
	}
	return f, err
}

// seen is how many goroutines the target says it has.
func (r *rester) seen(ctx context.Context) (int, bool) {
	if r.target.api == nil {
		return 0, false
	}
	return r.target.api.goroutines(ctx)
}

func (out idle) print(w io.Writer) {
	t := figure.Table{Head: []string{"idle connections", "connections", "KB each", "descriptors each", "goroutines each", fmt.Sprintf("%% of a core, %d idle", restful)}}
	orNone := func(x float64, format string) string {
		if x < 0 {
			return ""
		}
		return fmt.Sprintf(format, x)
	}
	for _, f := range out {
		t.Add(kinds()[f.kind].name, fmt.Sprint(f.conns), figure.Kilobytes(f.memory), figure.Tenths(f.files),
			orNone(f.goroutines, "%.1f"), orNone(100*f.busy, "%.2f"))
	}
	t.Print(w)
	fmt.Fprintln(w)
}

func (out idle) checks() (all []check) {
	for _, f := range out {
		if f.kind != brunt {
			continue
		}
		what := fmt.Sprintf("%d idle connections", f.conns)
		const kb = 1 << 10
		all = append(all,
			atMost(what+": memory each", []float64{f.memory}, 8*kb, figure.Kilobytes, "KB"),
			// A few pipes wait for bytes of whoever sends next: they are no connection's.
			atMost(what+": descriptors each", []float64{math.Round(10*f.files) / 10}, 2, figure.Tenths, ""))
		if f.conns > many {
			c := check{what: "connections at once", want: fmt.Sprint(most), got: fmt.Sprint(f.conns), met: f.conns >= most}
			if !c.met {
				c.unsure = "no more tried" // than there may be descriptors here
			}
			all = append(all, c)
		}
		if f.busy >= 0 {
			// What the Go runtime itself does in a process at rest is below this.
			const nothing = 0.001
			all = append(all, atMost(fmt.Sprintf("%d idle connections: share of a core", restful), []float64{f.busy}, nothing, thousandths, ""))
		}
	}
	return all
}

func thousandths(x float64) string { return fmt.Sprintf("%.4f", x) }
