package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
)

// idleConns is how many connections are kept open and idle.
const idleConns = 1000

// memoryRounds is how often that is measured: it hardly varies.
const memoryRounds = 3

// memory is the bytes an idle connection takes, by target and round.
type memory [][]float64

// memoryTargets are the targets it is measured of: those that differ while idle.
func memoryTargets() []target { return targets()[:3] }

// measureMemory measures what idle connections take, each time of a fresh
// process.
func measureMemory(ctx context.Context, s Settings, stderr io.Writer) (memory, error) {
	out, rounds := make(memory, len(memoryTargets())), min(s.Rounds, memoryRounds)
	for round := range rounds {
		fmt.Fprintf(stderr, "memory, round %d of %d\n", round+1, rounds)
		for i, t := range memoryTargets() {
			bytes, err := idleMemory(ctx, stderr, t)
			if err != nil {
				return nil, fmt.Errorf("memory of %s: %w", t.name, err)
			}
			out[i] = append(out[i], bytes)
		}
	}
	return out, nil
}

func idleMemory(ctx context.Context, stderr io.Writer, t target) (bytes float64, err error) {
	upstream, err := startServing(ctx, stderr, "", roleUpstream)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, upstream.stop()) }()
	via := upstream
	if t.role != "" {
		if via, err = startServing(ctx, stderr, "", t.role, upstream.addr); err != nil {
			return 0, err
		}
		defer func() { err = errors.Join(err, via.stop()) }()
	}
	// What the first request brings with it is no connection's.
	before, err := idle(ctx, via, 1)
	if err != nil {
		return 0, err
	}
	after, err := idle(ctx, via, idleConns)
	if err != nil {
		return 0, err
	}
	if before.Resident == 0 {
		return 0, errors.New("how much memory a process holds is read from /proc, which is not there")
	}
	return float64(after.Resident-before.Resident) / (idleConns - 1), nil
}

// idle opens connections, sends a request on each, and returns what the process
// holds while they are idle. They close afterwards.
func idle(ctx context.Context, via *child, conns int) (usage, error) {
	w, err := dial(ctx, via.addr, conns, cells()[0].size)
	if err != nil {
		return usage{}, err
	}
	defer w.close()
	if err := w.touch(); err != nil {
		return usage{}, err
	}
	return via.tell(tellSettle)
}

func (m memory) print(w io.Writer) {
	t := table{head: []string{fmt.Sprintf("%d idle keep-alive connections", idleConns), "KB a connection", "of bare"}}
	for i, target := range memoryTargets() {
		ofBare := ""
		if i > bare {
			ofBare = spanOf(ratios(m[i], m[bare])).format(ratio)
		}
		name := target.name
		if i == direct {
			name = "the upstream, a plain http.Server"
		}
		t.add(name, spanOf(slices.Clone(m[i])).format(kilobytes), ofBare)
	}
	t.print(w)
	fmt.Fprintln(w)
}

func kilobytes(b float64) string { return fmt.Sprintf("%.1f", b/(1<<10)) }
