// Package role makes a command start itself again, so that what is measured is a
// process of its own. A role reads what it is told from standard input, a line at
// a time, answers each line with one of JSON, and ends when its input does: it
// never outlives the process that started it.
package role

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"strings"
)

// Word is the first argument that makes a command play a role of a run.
const Word = "role"

// profileVar, in a role's environment, is the folder its CPU profile goes to.
const profileVar = "BRUNT_BENCH_PROFILE"

// Play plays the role args name until it has nothing left to do, and returns the
// exit status.
func Play(args []string, play func(args []string) error) int {
	if err := play(args); err != nil {
		fmt.Fprintf(os.Stderr, "bench: role %s: %v\n", strings.Join(args, " "), err)
		return 1
	}
	return 0
}

// Telling plays a role that says one thing and ends. Like a serving one it never
// outlives the process that started it, and held its input open.
func Telling(say func() error) error {
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin) // however it ends, nobody listens any more
		os.Exit(0)
	}()
	return say()
}

// What a serving role is told, each on a line of its own.
const (
	TellBegin  = "begin"  // a measurement begins: start from nothing
	TellUsage  = "usage"  // say what you have used
	TellSettle = "settle" // give back the memory you don't need, then say
)

// Hello is the first line of a serving role.
type Hello struct {
	// Addr is where the role serves.
	Addr string `json:"addr"`
}

// Serving is a role that serves until its input ends, so that it never outlives
// the process that started it.
type Serving struct {
	// Serve serves the role's listener.
	Serve func(net.Listener) error
	// Begin is called when a measurement begins.
	Begin func() error
}

// Play serves a port of loopback, and does what it is told.
func (s *Serving) Play(args []string) error {
	if folder := os.Getenv(profileVar); folder != "" {
		f, err := os.Create(filepath.Join(folder, args[0]+".pprof"))
		if err != nil {
			return err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	l, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // a port of loopback is there at once
	if err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(l) }()
	told := make(chan error, 1)
	go func() { told <- s.obey(l.Addr().String()) }()
	select {
	case err := <-ended:
		return err
	case err := <-told:
		return err
	}
}

// obey does what standard input tells, and answers each line with one.
func (s *Serving) obey(addr string) error {
	out := json.NewEncoder(os.Stdout)
	if err := out.Encode(Hello{addr}); err != nil {
		return err
	}
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		switch in.Text() {
		case TellBegin:
			if err := s.Begin(); err != nil {
				return err
			}
			runtime.GC()
		case TellSettle:
			debug.FreeOSMemory()
		}
		u, err := UsageNow()
		if err != nil {
			return err
		}
		if err := out.Encode(u); err != nil {
			return err
		}
	}
	return in.Err()
}
