package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/brunt-go/brunt/bench/internal/figure"
	"github.com/brunt-go/brunt/bench/internal/role"
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
	upstream, err := role.StartServing(ctx, stderr, "", roleUpstream)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, upstream.Stop()) }()
	via := upstream
	if t.role != "" {
		if via, err = role.StartServing(ctx, stderr, "", t.role, upstream.Addr); err != nil {
			return 0, err
		}
		defer func() { err = errors.Join(err, via.Stop()) }()
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
func idle(ctx context.Context, via *role.Child, conns int) (role.Usage, error) {
	w, err := dial(ctx, via.Addr, conns, cells()[0].size)
	if err != nil {
		return role.Usage{}, err
	}
	defer w.close()
	if err := w.touch(); err != nil {
		return role.Usage{}, err
	}
	return via.Tell(role.TellSettle)
}

func (m memory) print(w io.Writer) {
	t := figure.Table{Head: []string{fmt.Sprintf("%d idle keep-alive connections", idleConns), "KB a connection", "of bare"}}
	for i, target := range memoryTargets() {
		ofBare := ""
		if i > bare {
			ofBare = figure.Of(figure.Ratios(m[i], m[bare])).Format(figure.Ratio)
		}
		name := target.name
		if i == direct {
			name = "the upstream, a plain http.Server"
		}
		t.Add(name, figure.Of(slices.Clone(m[i])).Format(figure.Kilobytes), ofBare)
	}
	t.Print(w)
	fmt.Fprintln(w)
}
