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
	// compared with. Must be >= 1. Default: 5.
	Rounds int
	// Seconds is how long one measurement of throughput or of echoes is; the
	// others are in proportion. Must be > 0. Default: 0.3.
	Seconds float64
	// Only are the parts that are measured. Default: all of them.
	Only []string
}

// The parts, in the order they are measured and printed.
const (
	partRates     = "rates"
	partIdle      = "idle"
	partLatency   = "latency"
	partBandwidth = "bandwidth"
	partControl   = "control"
)

func parts() []string {
	return []string{partRates, partIdle, partLatency, partBandwidth, partControl}
}

// DefaultSettings returns the defaults, with which a run stays under 4 minutes.
func DefaultSettings() Settings { return Settings{Rounds: 5, Seconds: 0.3, Only: parts()} }

// quickSettings are those of -quick: some minute, and rough figures.
func quickSettings() Settings { return Settings{Rounds: 2, Seconds: 0.15, Only: parts()} }

// CheckSettings reports everything that is wrong with s, one problem a line.
func CheckSettings(s Settings) error {
	var errs []error
	if s.Rounds < 1 {
		errs = append(errs, fmt.Errorf("rounds: %d, must be >= 1", s.Rounds))
	}
	if !(s.Seconds > 0 && s.Seconds <= math.MaxInt16) { // so written that NaN fails
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
	s, quick := DefaultSettings(), quickSettings()
	flags := flag.NewFlagSet("conn", flag.ContinueOnError)
	flags.SetOutput(stderr)
	isQuick := flags.Bool("quick", false, fmt.Sprintf("be quick: -rounds %d -seconds %v unless they are given", quick.Rounds, quick.Seconds))
	flags.IntVar(&s.Rounds, "rounds", s.Rounds, "measure everything `N` times, in turns")
	flags.Float64Var(&s.Seconds, "seconds", s.Seconds, "`SECONDS` a measurement of throughput or echoes takes")
	only := flags.String("only", strings.Join(s.Only, ","), "measure these `PARTS` alone")
	if err := flags.Parse(args); err != nil {
		return s, err
	}
	if *isQuick {
		given := map[string]bool{}
		flags.Visit(func(f *flag.Flag) { given[f.Name] = true })
		if !given["rounds"] {
			s.Rounds = quick.Rounds
		}
		if !given["seconds"] {
			s.Seconds = quick.Seconds
		}
	}
	s.Only = strings.Split(*only, ",")
	err := CheckSettings(s)
	if flags.NArg() > 0 {
		err = errors.Join(err, fmt.Errorf("unexpected argument %q", flags.Arg(0)))
	}
	return s, err
}

// times is x times the length of one measurement.
func (s Settings) times(x float64) time.Duration {
	return time.Duration(x * s.Seconds * float64(time.Second))
}

// few is how often a thing is measured that hardly varies, or takes long.
func (s Settings) few() int { return min(s.Rounds, 3) }

// limit bounds the whole run, builds included: whatever is not done by then
// fails.
func (s Settings) limit() time.Duration {
	const builds, perRound = 120 * time.Second, 150
	return builds + time.Duration(s.Rounds)*s.times(perRound)
}
