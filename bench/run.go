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

// printer is a part's figures.
type printer interface{ print(io.Writer) }

// run measures what args ask for, prints it on stdout, and returns the exit
// status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	const failed, misused = 1, 2
	s, err := parseSettings(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		fmt.Fprintf(stderr, "bench: %v\n", err)
		return misused
	}
	ctx, cancel := context.WithTimeoutCause(ctx, s.limit(), fmt.Errorf("not done within %v", s.limit()))
	defer cancel()
	begin := time.Now()
	figures, noise, err := measureAll(ctx, s, stderr)
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			err = cause // what else went wrong, went wrong because of that
		}
		fmt.Fprintf(stderr, "bench: %v\n", err)
		return failed
	}
	fmt.Fprintln(stdout, headline(s, runtime.Version(), runtime.GOOS+"/"+runtime.GOARCH, runtime.NumCPU()))
	if slices.Contains(s.Only, partHTTP) {
		fmt.Fprintln(stdout, "a proxy's CPU and allocs are its own process's, for one request")
	}
	if noise > noisy {
		fmt.Fprintln(stdout, warning(noise))
	}
	fmt.Fprintln(stdout)
	for _, f := range figures {
		f.print(stdout)
	}
	fmt.Fprintf(stderr, "took %v\n", time.Since(begin).Round(time.Second))
	return 0
}

// measureAll measures the parts, and says how noisy the machine was.
func measureAll(ctx context.Context, s Settings, stderr io.Writer) (figures []printer, noise float64, err error) {
	for _, part := range parts() {
		if !slices.Contains(s.Only, part) {
			continue
		}
		var f printer
		switch part {
		case partHTTP:
			var all readings
			all, err = measureProxies(ctx, s, stderr)
			noise = all.noise()
			f = all
		case partLoad:
			f, err = measureLoad(ctx, s, stderr)
		case partMemory:
			f, err = measureMemory(ctx, s, stderr)
		case partMatrix:
			f, err = measureMatrix(ctx, s, stderr)
		}
		if err != nil {
			return nil, 0, err
		}
		figures = append(figures, f)
	}
	return figures, noise, nil
}

// headline says what the figures stand on.
func headline(s Settings, version, system string, cores int) string {
	return fmt.Sprintf("brunt bench: %s %s, %d cores; median (lowest-highest) of %d rounds in turns, a proxy's of %v each",
		version, system, cores, s.Rounds, s.slice())
}

// warning says that the machine was not quiet.
func warning(noise float64) string {
	return fmt.Sprintf("WARNING: the machine was noisy, the direct rounds lie up to %.0f %% apart (more than %.0f %%): trust ratios of CPU, then of requests/s, and no single figure",
		100*noise, 100*noisy)
}
