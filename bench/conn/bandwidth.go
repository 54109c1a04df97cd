package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"github.com/brunt-go/brunt/bench/internal/figure"
)

// ratesKB are the rates of bandwidth toxics, in KB of 1000 bytes a second.
func ratesKB() []int { return []int{100, 10_000, 100_000} }

// bandwidths are how far rates lie from what was asked for, in percent: by
// target, rate and round.
type bandwidths struct {
	kinds []int
	of    [][][]float64
}

// measureBandwidth measures how exact bandwidth toxics are, in turns.
func measureBandwidth(ctx context.Context, l *lab, s Settings) (_ part, err error) {
	targets, stop, err := l.startAll(ctx, toxiproxy, brunt)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, stop()) }()
	out := &bandwidths{}
	for _, t := range targets {
		out.kinds = append(out.kinds, t.kind)
		out.of = append(out.of, make([][]float64, len(ratesKB())))
	}
	for round := range s.few() {
		fmt.Fprintf(l.stderr, "bandwidth, round %d of %d\n", round+1, s.few())
		for at, rate := range ratesKB() {
			for i, t := range targets {
				percent, err := measureRate(ctx, t, rate, s.times(3))
				if err != nil {
					return nil, fmt.Errorf("%s: %w", rateName(rate), t.failed(err))
				}
				out.of[i][at] = append(out.of[i][at], percent)
			}
		}
	}
	return out, nil
}

// measureRate fetches what takes about d at a rate, and returns how far it was
// off, in percent.
func measureRate(ctx context.Context, t *target, rate int, d time.Duration) (percent float64, err error) {
	slow := toxic{Name: "narrow", Type: "bandwidth", Attributes: map[string]int{"rate": rate}}
	f, err := open(ctx, t.addr, 1) // before the toxic: its echo is not to count
	if err != nil {
		return 0, err
	}
	defer f.close()
	if err := t.api.add(ctx, theProxy, slow); err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, t.api.remove(ctx, theProxy, slow.Name)) }()
	bytes := int(float64(rate) * 1000 * d.Seconds())
	elapsed, err := f.each(2*d, func(_ int, l *line, _ time.Time) error { return l.fetch(bytes) })
	if err != nil {
		return 0, err
	}
	return offBy(bytes, elapsed, rate), ctx.Err()
}

// offBy is how far bytes in a time are from a rate in KB/s, in percent.
func offBy(bytes int, in time.Duration, rate int) float64 {
	return 100 * (float64(bytes)/in.Seconds()/(float64(rate)*1000) - 1)
}

func rateName(rate int) string {
	if rate >= 1000 {
		return fmt.Sprintf("bandwidth %d MB/s", rate/1000)
	}
	return fmt.Sprintf("bandwidth %d KB/s", rate)
}

func (out *bandwidths) print(w io.Writer) {
	head := []string{"% from the rate asked for"}
	for _, k := range out.kinds {
		head = append(head, kinds()[k].name)
	}
	t := figure.Table{Head: head}
	for at, rate := range ratesKB() {
		row := []string{rateName(rate)}
		for i := range out.kinds {
			row = append(row, figure.Of(out.of[i][at]).Format(signed))
		}
		t.Add(row...)
	}
	t.Print(w)
	fmt.Fprintln(w)
}

func (out *bandwidths) checks() (all []check) {
	i := slices.Index(out.kinds, brunt)
	for at, rate := range ratesKB() {
		if i < 0 {
			continue
		}
		s := figure.Of(out.of[i][at])
		all = append(all, check{what: rateName(rate) + ": error", want: "within 1 %", got: s.Format(signed), met: math.Abs(s.Median) <= 1})
	}
	return all
}

func signed(x float64) string { return fmt.Sprintf("%+.2f", x) }
