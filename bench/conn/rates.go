package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/brunt-go/brunt/bench/internal/figure"
)

// load is what is done to a target at full speed.
type load struct {
	kind  string
	conns int
	size  int // of one fetch, in bulk
}

const (
	bulk  = "bulk"
	echo  = "echo"
	churn = "new connections"
)

func loads() []load {
	const mb = 1 << 20
	return []load{
		{bulk, 1, 8 * mb}, {bulk, 64, mb}, {bulk, 1000, mb / 16},
		{echo, 1, 0}, {echo, 64, 0}, {echo, 1000, 0},
		{churn, churners, 0},
	}
}

// churners is how many new connections are opened at a time.
const churners = 8

func (l load) String() string {
	switch {
	case l.kind == churn:
		return fmt.Sprintf("new connections, an echo on each, %d at a time", l.conns)
	case l.conns == 1:
		return l.kind + ", 1 connection"
	}
	return fmt.Sprintf("%s, %d connections", l.kind, l.conns)
}

// reading is one measurement of a target.
type reading struct {
	rate     float64 // bytes/s, echoes/s or connections/s
	p50, p99 float64 // ns of an echo
}

// rates are all measurements at full speed: by load, target and round.
type rates struct {
	kinds []int
	of    map[load][][]reading
	left  map[int]string // kinds left out, and why
}

// measureRates measures every target under every load, in turns.
func measureRates(ctx context.Context, l *lab, s Settings) (out *rates, err error) {
	targets, stop, err := l.startAll(ctx, direct, splice, toxiproxy, brunt, haproxy, socat)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, stop()) }()
	out = &rates{of: map[load][][]reading{}, left: l.missing}
	for _, t := range targets {
		out.kinds = append(out.kinds, t.kind)
	}
	for round := range s.Rounds {
		fmt.Fprintf(l.stderr, "rates, round %d of %d\n", round+1, s.Rounds)
		for _, group := range together(loads()) {
			if err := out.measure(ctx, targets, group, s.times(1), round); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// together groups loads of as many connections, which are opened once for all of
// the group. New connections are a group of their own.
func together(all []load) (groups [][]load) {
	at := map[load]int{}
	for _, ld := range all {
		key := load{conns: ld.conns}
		if ld.kind == churn {
			key.kind = churn
		}
		i, ok := at[key]
		if !ok {
			i = len(groups)
			at[key], groups = i, append(groups, nil)
		}
		groups[i] = append(groups[i], ld)
	}
	return groups
}

// measure measures every target under each load of a group.
func (r *rates) measure(ctx context.Context, targets []*target, group []load, d time.Duration, round int) error {
	fleets := make([]*fleet, len(targets))
	for i, t := range targets {
		fleets[i] = idlers(group[0].conns)
		if group[0].kind == churn {
			continue
		}
		var err error
		if fleets[i], err = open(ctx, t.addr, group[0].conns); err != nil {
			return fmt.Errorf("%s: %w", group[0], t.failed(err))
		}
		defer fleets[i].close()
	}
	for _, ld := range group {
		runs := make([]*targetRun, len(targets))
		for i, t := range targets {
			runs[i] = &targetRun{load: ld, target: t, fleet: fleets[i]}
		}
		if err := inTurns(ctx, runs, d, round); err != nil {
			return fmt.Errorf("%s: %w", ld, err)
		}
		if r.of[ld] == nil {
			r.of[ld] = make([][]reading, len(targets))
		}
		for i, one := range runs {
			r.of[ld][i] = append(r.of[ld][i], one.reading())
		}
	}
	return nil
}

// beat is how long a target is measured before the next one's turn: so short
// that what else goes on in the machine hits all of them.
const beat = 100 * time.Millisecond

// inTurns measures for d each, in turns.
func inTurns(ctx context.Context, runs []*targetRun, d time.Duration, round int) error {
	for left, turn := d, round; left > 0; left, turn = left-beat, turn+1 {
		for i := range runs {
			// Each has each place in the order, so that none has the best.
			r := runs[(i+turn)%len(runs)]
			if err := r.run(ctx, min(beat, left)); err != nil {
				return r.target.failed(err)
			}
		}
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
	}
	return nil
}

// targetRun is a measurement under way.
type targetRun struct {
	load    load
	target  *target
	fleet   *fleet
	took    []time.Duration
	elapsed time.Duration
}

// run measures for d more.
func (r *targetRun) run(ctx context.Context, d time.Duration) error {
	step := (*line).echo
	switch r.load.kind {
	case bulk:
		step = func(l *line) error { return l.fetch(r.load.size) }
	case churn:
		step = func(*line) error { return once(ctx, r.target.addr) }
	}
	took, elapsed, err := r.fleet.run(d, step)
	r.took = append(r.took, took...)
	r.elapsed += elapsed
	return err
}

// once opens a connection, sends an echo and closes it.
func once(ctx context.Context, addr string) error {
	l, err := dialLine(ctx, addr)
	if err != nil {
		return err
	}
	defer l.conn.Close()
	return l.echo()
}

// reading is what was measured in all.
func (r *targetRun) reading() reading {
	slices.Sort(r.took)
	done := float64(len(r.took))
	if r.load.kind == bulk {
		done *= float64(r.load.size)
	}
	return reading{
		rate: done / r.elapsed.Seconds(),
		p50:  float64(figure.Percentile(r.took, 0.50)), p99: float64(figure.Percentile(r.took, 0.99)),
	}
}

// noise is how far the direct rounds of the worst load lie apart.
func (r *rates) noise() (worst float64) {
	for _, by := range r.of {
		worst = max(worst, figure.Of(figure.Column(by[direct], rateOf)).Spread())
	}
	return worst
}

func rateOf(r reading) float64 { return r.rate }
func p50Of(r reading) float64  { return r.p50 }
func p99Of(r reading) float64  { return r.p99 }

// print writes a table for each load.
func (r *rates) print(w io.Writer) {
	for _, ld := range loads() {
		t := figure.Table{Head: append([]string{ld.String()}, ld.columns()...)}
		for i, k := range r.kinds {
			t.Add(append([]string{kinds()[k].name}, r.row(ld, i)...)...)
		}
		for k, name := range kinds() {
			if r.left[k] != "" {
				t.Add(name.name, "left out: "+r.left[k])
			}
		}
		t.Print(w)
		fmt.Fprintln(w)
	}
}

func (l load) columns() []string {
	switch l.kind {
	case bulk:
		return []string{"MB/s", "of direct", "of splicing"}
	case echo:
		return []string{"p50 µs", "of splicing", "p99 µs", "of splicing", "echoes/s", "of splicing"}
	}
	return []string{"connections/s", "of direct", "of splicing"}
}

// row writes the figures of the target at place i, and what they are of its
// peers'.
func (r *rates) row(ld load, i int) []string {
	span := func(of func(reading) float64) figure.Span { return figure.Of(figure.Column(r.of[ld][i], of)) }
	share := func(of func(reading) float64, peer int) string {
		at := slices.Index(r.kinds, peer)
		if i <= at {
			return ""
		}
		return figure.Of(r.ratios(ld, of, i, at)).Format(figure.Ratio)
	}
	switch ld.kind {
	case bulk:
		return []string{span(rateOf).Format(megabytes), share(rateOf, direct), share(rateOf, splice)}
	case echo:
		return []string{
			span(p50Of).Format(figure.Micros), share(p50Of, splice), span(p99Of).Format(figure.Micros), share(p99Of, splice),
			span(rateOf).Format(figure.Count), share(rateOf, splice),
		}
	}
	return []string{span(rateOf).Format(figure.Count), share(rateOf, direct), share(rateOf, splice)}
}

// ratios divides round by round the target at place i by the one at place peer.
func (r *rates) ratios(ld load, of func(reading) float64, i, peer int) []float64 {
	return figure.Ratios(figure.Column(r.of[ld][i], of), figure.Column(r.of[ld][peer], of))
}

func megabytes(b float64) string { return fmt.Sprintf("%.0f", b/1e6) }

func (r *rates) checks() (all []check) {
	at, peer, ha := slices.Index(r.kinds, brunt), slices.Index(r.kinds, splice), slices.Index(r.kinds, haproxy)
	for _, ld := range loads() {
		switch ld.kind {
		case bulk:
			all = append(all, ratioAtLeast(ld.String()+": MB/s", "splicing", r.ratios(ld, rateOf, at, peer), 1))
		case echo:
			all = append(all,
				ratioAtMost(ld.String()+": p50", "splicing", r.ratios(ld, p50Of, at, peer), 1),
				ratioAtMost(ld.String()+": p99", "splicing", r.ratios(ld, p99Of, at, peer), 1))
		case churn:
			if ha >= 0 {
				all = append(all, ratioAtLeast("new connections/s", "HAProxy", r.ratios(ld, rateOf, at, ha), 1))
			}
		}
	}
	return all
}
