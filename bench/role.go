package main

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/brunt-go/brunt/bench/internal/role"
)

// play plays the role args name until it has nothing left to do.
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
			return role.Telling(func() error { return playLoad(rounds) })
		}
		return role.Telling(func() error { return playFake(rounds) })
	case roleLoopback:
		return role.Telling(playLoopback)
	}
	s, err := newServing(args)
	if err != nil {
		return err
	}
	return s.Play(args)
}

func roundsOf(args []string) (int, error) {
	if len(args) != 2 {
		return 0, fmt.Errorf("the role %s needs a number of rounds", args[0])
	}
	return strconv.Atoi(args[1])
}
