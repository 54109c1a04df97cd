package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"
)

// Settings say what is measured, and for how long.
type Settings struct {
	// Rounds is how often each thing is measured, in turns with what it is
	// compared with. Must be >= 1. Default: 7.
	Rounds int
	// Seconds is how long one measurement of a proxy is. Must be > 0.
	// Default: 0.4.
	Seconds float64
	// Only are the parts that are measured. Default: all of them.
	Only []string
	// Profile is a folder in which each proxy leaves a CPU profile. Default:
	// none is taken.
	Profile string
}

// The parts, in the order they are measured and printed.
const (
	partHTTP   = "http"
	partLoad   = "load"
	partMemory = "memory"
	partMatrix = "matrix"
)

func parts() []string { return []string{partHTTP, partLoad, partMemory, partMatrix} }

// DefaultSettings returns the defaults, with which a run stays under 2 minutes.
func DefaultSettings() Settings { return Settings{Rounds: 7, Seconds: 0.4, Only: parts()} }

// CheckSettings reports everything that is wrong with s, one problem a line.
func CheckSettings(s Settings) error {
	var errs []error
	if s.Rounds < 1 {
		errs = append(errs, fmt.Errorf("rounds: %d, must be >= 1", s.Rounds))
	}
	if !(s.Seconds > 0 && s.Seconds <= math.MaxInt32) { // so written that NaN fails
		errs = append(errs, fmt.Errorf("seconds: %v, must be > 0", s.Seconds))
	}
	for _, part := range s.Only {
		if !slices.Contains(parts(), part) {
			errs = append(errs, fmt.Errorf("only: %q, want some of %s", part, strings.Join(parts(), ",")))
		}
	}
	return errors.Join(errs...)
}

// parseSettings reads the command line. Its usage and complaints go to stderr.
func parseSettings(args []string, stderr io.Writer) (Settings, error) {
	s := DefaultSettings()
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.IntVar(&s.Rounds, "rounds", s.Rounds, "measure everything `N` times, in turns")
	flags.Float64Var(&s.Seconds, "seconds", s.Seconds, "`SECONDS` a measurement of a proxy takes")
	only := flags.String("only", strings.Join(s.Only, ","), "measure these `PARTS` alone")
	flags.StringVar(&s.Profile, "profile", s.Profile, "leave a CPU profile of each proxy in `FOLDER`")
	if err := flags.Parse(args); err != nil {
		return s, err
	}
	s.Only = strings.Split(*only, ",")
	err := CheckSettings(s)
	if flags.NArg() > 0 {
		err = errors.Join(err, fmt.Errorf("unexpected argument %q", flags.Arg(0)))
	}
	return s, err
}

// slice is how long one measurement of a proxy is.
func (s Settings) slice() time.Duration { return time.Duration(s.Seconds * float64(time.Second)) }

// limit bounds the whole run: whatever is not done by then fails.
func (s Settings) limit() time.Duration {
	const rest = 50 * time.Second // for the parts that are no proxies
	http := time.Duration(s.Rounds*len(cells())*len(targets())) * s.slice()
	return rest + http*5/4
}
