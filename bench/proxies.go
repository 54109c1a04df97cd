package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/brunt-go/brunt/bench/internal/figure"
	"github.com/brunt-go/brunt/bench/internal/role"
)

// target is one way from the client to the upstream.
type target struct {
	name string
	role string // "" goes to the upstream itself
}

// The places of the targets that others are compared with.
const (
	direct = 0
	bare   = 1
)

func targets() []target {
	return []target{
		direct: {"direct", ""},
		bare:   {"bare ReverseProxy", roleBare},
		2:      {"httpproxy", roleProxy},
		3:      {"httpproxy, recording", roleRecording},
		4:      {"httpproxy, rule of share 0", roleRule},
	}
}

// cell is a kind of load.
type cell struct{ size, conns int }

func cells() []cell {
	const small, large = 1 << 10, 64 << 10
	return []cell{{small, 1}, {small, 64}, {large, 1}, {large, 64}}
}

func (c cell) String() string {
	s := fmt.Sprintf("%d KB, %d connection", c.size>>10, c.conns)
	if c.conns != 1 {
		s += "s"
	}
	return s
}

// reading is one measurement of a target.
type reading struct {
	rate     float64       // requests/s
	p50, p99 time.Duration // of a request
	cpu      float64       // ns the target's process was busy, a request
	allocs   float64       // objects it allocated, a request
}

// readings are all measurements of the proxies: by cell, target and round.
type readings map[cell]cellReadings

// measureProxies measures every target under every load, in turns.
func measureProxies(ctx context.Context, s Settings, stderr io.Writer) (all readings, err error) {
	upstream, err := role.StartServing(ctx, stderr, s.Profile, roleUpstream)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, upstream.Stop()) }()
	via := make([]*role.Child, len(targets()))
	for i, t := range targets() {
		via[i] = upstream
		if t.role == "" {
			continue
		}
		if via[i], err = role.StartServing(ctx, stderr, s.Profile, t.role, upstream.Addr); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, via[i].Stop()) }()
	}
	all = readings{}
	for _, c := range cells() {
		all[c] = make(cellReadings, len(via))
	}
	for round := range s.Rounds {
		fmt.Fprintf(stderr, "proxies, round %d of %d\n", round+1, s.Rounds)
		for _, c := range cells() {
			ones, err := measureCell(ctx, via, c, s.slice(), round)
			if err != nil {
				return nil, err
			}
			for at, one := range ones {
				all[c][at] = append(all[c][at], one)
			}
		}
	}
	return all, nil
}

// beat is how long a target is measured before the next one's turn: so short
// that what else goes on in the machine hits all of them.
const beat = 50 * time.Millisecond

// measureCell measures every target under one load for d each, in turns.
func measureCell(ctx context.Context, via []*role.Child, c cell, d time.Duration, round int) ([]reading, error) {
	runs := make([]targetRun, len(via))
	for at := range runs {
		runs[at].via = via[at]
		if err := runs[at].open(ctx, c); err != nil {
			return nil, fmt.Errorf("%s, %s: %w", targets()[at].name, c, err)
		}
		defer runs[at].wire.close()
	}
	for left, turn := d, round; left > 0; left, turn = left-beat, turn+1 {
		for i := range runs {
			// Each has each place in the order, so that none has the best.
			at := (i + turn) % len(runs)
			if err := runs[at].run(min(beat, left)); err != nil {
				return nil, fmt.Errorf("%s, %s: %w", targets()[at].name, c, err)
			}
		}
	}
	out := make([]reading, len(runs))
	for at := range runs {
		out[at] = runs[at].reading()
	}
	return out, nil
}

// targetRun is a measurement under way.
type targetRun struct {
	via     *role.Child
	wire    *wire
	took    []time.Duration
	elapsed time.Duration
	cpu     time.Duration
	mallocs uint64
}

// open connects, warms up and starts from nothing.
func (r *targetRun) open(ctx context.Context, c cell) (err error) {
	if r.wire, err = dial(ctx, r.via.Addr, c.conns, c.size); err != nil {
		return err
	}
	if _, _, err = r.wire.run(beat); err == nil {
		_, err = r.via.Tell(role.TellBegin)
	}
	if err != nil {
		r.wire.close()
	}
	return err
}

// run measures for d more.
func (r *targetRun) run(d time.Duration) error {
	before, err := r.via.Tell(role.TellUsage)
	if err != nil {
		return err
	}
	took, elapsed, err := r.wire.run(d)
	if err != nil {
		return err
	}
	after, err := r.via.Tell(role.TellUsage)
	r.took = append(r.took, took...)
	r.elapsed += elapsed
	r.cpu += after.CPU - before.CPU
	r.mallocs += after.Mallocs - before.Mallocs
	return err
}

// reading is what was measured in all.
func (r *targetRun) reading() reading {
	slices.Sort(r.took)
	n := float64(len(r.took))
	return reading{
		rate: n / r.elapsed.Seconds(), p50: figure.Percentile(r.took, 0.50), p99: figure.Percentile(r.took, 0.99),
		cpu: float64(r.cpu) / n, allocs: float64(r.mallocs) / n,
	}
}

// noise is how far the direct rounds of the worst load lie apart.
func (all readings) noise() (worst float64) {
	for _, by := range all {
		worst = max(worst, figure.Of(figure.Column(by[direct], rateOf)).Spread())
	}
	return worst
}

// print writes a table for each load.
func (all readings) print(w io.Writer) {
	for _, c := range cells() {
		t := figure.Table{Head: []string{c.String(), "requests/s", "of direct", "of bare", "p50 µs", "p99 µs", "CPU µs", "of bare", "allocs"}}
		for at, target := range targets() {
			t.Add(append([]string{target.name}, all[c].row(at)...)...)
		}
		t.Print(w)
		fmt.Fprintln(w)
	}
}

// cellReadings are the measurements under one load: by target and round.
type cellReadings [][]reading

// row writes the figures of one target, and what they are of its peers'. What the
// upstream itself uses is left out: it is no proxy.
func (by cellReadings) row(at int) []string {
	span := func(of func(reading) float64) figure.Span { return figure.Of(figure.Column(by[at], of)) }
	share := func(of func(reading) float64, peer int) string {
		if at <= peer {
			return ""
		}
		return figure.Of(figure.Ratios(figure.Column(by[at], of), figure.Column(by[peer], of))).Format(figure.Ratio)
	}
	cells := []string{
		span(rateOf).Format(figure.Count), share(rateOf, direct), share(rateOf, bare),
		span(func(r reading) float64 { return float64(r.p50) }).Format(figure.Micros),
		span(func(r reading) float64 { return float64(r.p99) }).Format(figure.Micros),
		"", "", "",
	}
	if at != direct {
		cells[5] = figure.Tenths(span(cpuOf).Median / 1e3)
		cells[6] = share(cpuOf, bare)
		cells[7] = figure.Tenths(span(func(r reading) float64 { return r.allocs }).Median)
	}
	return cells
}

func rateOf(r reading) float64 { return r.rate }
func cpuOf(r reading) float64  { return r.cpu }
