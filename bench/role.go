package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"strconv"
	"strings"
)

// roleWord, as the first argument, makes the command play a role of a run.
const roleWord = "role"

// profileVar, in a role's environment, is the folder its CPU profile goes to.
const profileVar = "BRUNT_BENCH_PROFILE"

// playRole plays the role args name until it has nothing left to do, and returns
// the exit status.
func playRole(args []string) int {
	if err := play(args); err != nil {
		fmt.Fprintf(os.Stderr, "bench: role %s: %v\n", strings.Join(args, " "), err)
		return 1
	}
	return 0
}

func play(args []string) error {
	if len(args) == 0 {
		return errors.New("no role is named")
	}
	switch args[0] {
	case roleLoad, roleFake:
		rounds, err := roundsOf(args)
		if err != nil {
			return err
		}
		if args[0] == roleLoad {
			return telling(func() error { return playLoad(rounds) })
		}
		return telling(func() error { return playFake(rounds) })
	case roleLoopback:
		return telling(playLoopback)
	}
	s, err := newServing(args)
	if err != nil {
		return err
	}
	return s.play(args)
}

func roundsOf(args []string) (int, error) {
	if len(args) != 2 {
		return 0, fmt.Errorf("the role %s needs a number of rounds", args[0])
	}
	return strconv.Atoi(args[1])
}

// telling plays a role that says one thing and ends. Like a serving one it never
// outlives the process that started it, and held its input open.
func telling(say func() error) error {
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin) // however it ends, nobody listens any more
		os.Exit(0)
	}()
	return say()
}

// What a serving role is told, each on a line of its own.
const (
	tellBegin  = "begin"  // a measurement begins: start from nothing
	tellUsage  = "usage"  // say what you have used
	tellSettle = "settle" // give back the memory you don't need, then say
)

// hello is the first line of a serving role.
type hello struct {
	Addr string `json:"addr"`
}

// serving is a role that serves until its input ends, so that it never outlives
// the process that started it.
type serving struct {
	serve func(net.Listener) error
	begin func() error
}

func (s *serving) play(args []string) error {
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
	go func() { ended <- s.serve(l) }()
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
func (s *serving) obey(addr string) error {
	out := json.NewEncoder(os.Stdout)
	if err := out.Encode(hello{addr}); err != nil {
		return err
	}
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		switch in.Text() {
		case tellBegin:
			if err := s.begin(); err != nil {
				return err
			}
			runtime.GC()
		case tellSettle:
			debug.FreeOSMemory()
		}
		u, err := usageNow()
		if err != nil {
			return err
		}
		if err := out.Encode(u); err != nil {
			return err
		}
	}
	return in.Err()
}
