package main

import (
	"strings"
	"testing"
)

func TestPlay_refuses(t *testing.T) {
	t.Parallel()
	rows := []struct{ name, in, want string }{
		{"nothing", "", "no role is named"},
		{"unknown", "router 127.0.0.1:80", `there is no role "router"`},
		{"no_upstream", "bare", "the role bare needs the address of an upstream"},
		{"odd_upstream", "proxy nowhere", "upstream"},
		{"no_rounds", "load", "the role load needs a number of rounds"},
		{"odd_rounds", "fake many", "invalid syntax"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			if err := play(strings.Fields(row.in)); err == nil || !strings.Contains(err.Error(), row.want) {
				t.Errorf("play(%q) = %v, want an error with %q", row.in, err, row.want)
			}
		})
	}
}
