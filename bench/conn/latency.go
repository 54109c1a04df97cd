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

// delay is a latency toxic under a load: some connections that send an echo each
// period, so that the machine is never busy.
type delay struct {
	ms     int
	conns  int
	period time.Duration
	length float64 // of a measurement, in times of the settings'
}

func delays() []delay {
	const ms = time.Millisecond
	return []delay{
		{1, 1, 6 * ms, 1}, {5, 1, 10 * ms, 1.5}, {20, 1, 25 * ms, 2}, {100, 1, 105 * ms, 5},
		{1, 100, 50 * ms, 1}, {5, 100, 50 * ms, 1}, {20, 100, 50 * ms, 1}, {100, 100, 200 * ms, 2},
	}
}

func (d delay) String() string {
	if d.conns == 1 {
		return fmt.Sprintf("latency %d ms, 1 connection", d.ms)
	}
	return fmt.Sprintf("latency %d ms, %d connections", d.ms, d.conns)
}

// delayed is one measurement: the echo without the toxic, at p50 and at p99, and
// how much longer than that and the toxic's latency it is with it, in ns.
type delayed struct{ base, worst, p50, p99 float64 }

// stalled is how long an echo without a toxic may take at p99, in ns: on a machine
// that keeps it waiting longer, errors of p99 are the machine's.
const stalled = 1e6

// stall is how long echoes without a toxic took at p99, in the worst load.
func (out *latencies) stall() (worst float64) {
	for _, of := range out.of {
		for _, rounds := range of {
			worst = max(worst, figure.Of(figure.Column(rounds, func(d delayed) float64 { return d.worst })).Median)
		}
	}
	return worst
}

// latencies are what was measured: by target, delay and round.
type latencies struct {
	kinds []int
	of    [][][]delayed
}

// measureLatency measures how exact latency toxics are, in turns.
func measureLatency(ctx context.Context, l *lab, s Settings) (_ part, err error) {
	targets, stop, err := l.startAll(ctx, toxiproxy, brunt)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, stop()) }()
	out := &latencies{}
	for _, t := range targets {
		out.kinds = append(out.kinds, t.kind)
		out.of = append(out.of, make([][]delayed, len(delays())))
	}
	for round := range s.few() {
		fmt.Fprintf(l.stderr, "latency, round %d of %d\n", round+1, s.few())
		for at, d := range delays() {
			for i, t := range targets {
				one, err := measureDelay(ctx, t, d, s.times(d.length))
				if err != nil {
					return nil, fmt.Errorf("%s: %w", d, t.failed(err))
				}
				out.of[i][at] = append(out.of[i][at], one)
			}
		}
	}
	return out, nil
}

// measureDelay measures the same echoes without the toxic and with it, one right
// after the other.
func measureDelay(ctx context.Context, t *target, d delay, length time.Duration) (one delayed, err error) {
	without, err := echoes(ctx, t, d, length)
	if err != nil {
		return one, err
	}
	slow := toxic{Name: "slow", Type: "latency", Attributes: map[string]int{"latency": d.ms}}
	if err := t.api.add(ctx, theProxy, slow); err != nil {
		return one, err
	}
	with, err := echoes(ctx, t, d, length)
	if err = errors.Join(err, t.api.remove(ctx, theProxy, slow.Name)); err != nil {
		return one, err
	}
	return delayedBy(without, with, d.ms), nil
}

// delayedBy compares echoes in order of length.
func delayedBy(without, with []time.Duration, ms int) delayed {
	latency := time.Duration(ms) * time.Millisecond
	off := func(p float64) float64 {
		return float64(figure.Percentile(with, p) - figure.Percentile(without, p) - latency)
	}
	return delayed{
		base: float64(figure.Percentile(without, 0.50)), worst: float64(figure.Percentile(without, 0.99)),
		p50: off(0.50), p99: off(0.99),
	}
}

// echoes sends the echoes of d and returns how long they took, in order.
func echoes(ctx context.Context, t *target, d delay, length time.Duration) ([]time.Duration, error) {
	f := idlers(d.conns)
	defer f.close()
	// The first echoes of all at once, for each takes as long as the toxic says.
	if _, err := f.each(0, func(i int, _ *line, _ time.Time) error {
		l, err := dialLine(ctx, t.addr)
		if err != nil {
			return err
		}
		f.lines[i] = l
		return l.echo()
	}); err != nil {
		return nil, err
	}
	took, err := f.paced(length, d.period)
	if err != nil {
		return nil, err
	}
	slices.Sort(took)
	return took, ctx.Err()
}

func baseOf(d delayed) float64   { return d.base }
func medianOf(d delayed) float64 { return d.p50 }
func tailOf(d delayed) float64   { return d.p99 }

func (out *latencies) print(w io.Writer) {
	head := []string{"ms more than asked for"}
	for _, k := range out.kinds {
		head = append(head, kinds()[k].name+": echo without", "p50", "p99")
	}
	t := figure.Table{Head: head}
	for at, d := range delays() {
		row := []string{d.String()}
		for i := range out.kinds {
			for _, of := range []func(delayed) float64{baseOf, medianOf, tailOf} {
				row = append(row, figure.Of(figure.Column(out.of[i][at], of)).Format(hundredths))
			}
		}
		t.Add(row...)
	}
	t.Print(w)
	if worst := out.stall(); worst > stalled {
		fmt.Fprintf(w, "WARNING: without a toxic an echo took %s ms at p99 (more than %s): errors of p99 are the machine's\n",
			hundredths(worst), hundredths(stalled))
	}
	fmt.Fprintln(w)
}

func (out *latencies) checks() (all []check) {
	const p50, p99 = 1e5, 3e5 // ns
	i := slices.Index(out.kinds, brunt)
	for at, d := range delays() {
		if i < 0 {
			continue
		}
		tail := within(d.String()+": error of p99", figure.Column(out.of[i][at], tailOf), p99)
		if out.stall() > stalled {
			tail.unsure = "noise"
		}
		all = append(all, within(d.String()+": error of p50", figure.Column(out.of[i][at], medianOf), p50), tail)
	}
	return all
}

// hundredths writes nanoseconds as milliseconds.
func hundredths(ns float64) string { return fmt.Sprintf("%.2f", ns/1e6) }
