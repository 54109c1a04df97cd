package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime"
	"slices"
	"time"
)

// noisy is the spread of the direct rounds above which the figures are not to
// be quoted.
const noisy = 0.25

// part is a part's figures.
type part interface {
	print(w io.Writer)
	checks() []check
}

// run measures what args ask for, prints it on stdout, and returns the exit
// status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	const failed, misused = 1, 2
	s, err := parseSettings(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		fmt.Fprintf(stderr, "conn: %v\n", err)
		return misused
	}
	ctx, cancel := context.WithTimeoutCause(ctx, s.limit(), fmt.Errorf("not done within %v", s.limit()))
	defer cancel()
	begin := time.Now()
	l, err := newLab(ctx, stderr)
	if err == nil {
		err = measureAll(ctx, l, s, stdout)
		err = errors.Join(err, l.close())
	}
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			err = cause // what else went wrong, went wrong because of that
		}
		fmt.Fprintf(stderr, "conn: %v\n", err)
		return failed
	}
	fmt.Fprintf(stderr, "took %v\n", time.Since(begin).Round(time.Second))
	return 0
}

// measureAll measures the parts and prints each as it comes, so that a run that
// is stopped has said something.
func measureAll(ctx context.Context, l *lab, s Settings, stdout io.Writer) error {
	fmt.Fprintf(stdout, "%s\n\n", headline(s, runtime.Version(), runtime.GOOS+"/"+runtime.GOARCH, runtime.NumCPU()))
	var checks []check
	for _, p := range []struct {
		name    string
		measure func(context.Context, *lab, Settings) (part, error)
	}{
		{partRates, func(ctx context.Context, l *lab, s Settings) (part, error) {
			r, err := measureRates(ctx, l, s)
			if err == nil && r.noise() > noisy {
				fmt.Fprintf(stdout, "%s\n\n", warning(r.noise()))
			}
			return r, err
		}},
		{partIdle, measureIdle},
		{partLatency, measureLatency},
		{partBandwidth, measureBandwidth},
		{partControl, measureControl},
	} {
		if !slices.Contains(s.Only, p.name) {
			continue
		}
		found, err := p.measure(ctx, l, s)
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		found.print(stdout)
		checks = append(checks, found.checks()...)
	}
	printChecks(stdout, checks)
	return nil
}

// headline says what the figures stand on.
func headline(s Settings, version, system string, cores int) string {
	return fmt.Sprintf("connections: %s %s, %d cores; median (lowest-highest) of up to %d rounds in turns",
		version, system, cores, s.Rounds)
}

// warning says that the machine was not quiet.
func warning(noise float64) string {
	return fmt.Sprintf("WARNING: the machine was noisy, the direct rounds lie up to %.0f %% apart (more than %.0f %%): trust ratios, and no single figure",
		100*noise, 100*noisy)
}

// sleep waits for d, or until ctx is done.
func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
