package main

import (
	"strings"
	"testing"
)

func TestPrivateMemory(t *testing.T) {
	t.Parallel()
	const maps = "00400000-7ffd ---p 00000000 00:00 0 [rollup]\nRss:    9000 kB\nPss:    5000 kB\nPrivate_Clean:     12 kB\nPrivate_Dirty:   2036 kB\nAnonymous:  1 kB\n"
	if got, err := privateMemory([]byte(maps)); err != nil || got != 2<<20 {
		t.Errorf("privateMemory = %d, %v; want 2 MB", got, err)
	}
	if _, err := privateMemory([]byte("Rss: 9000 kB\n")); err == nil {
		t.Error("memory was found where none is named")
	}
	if _, err := privateMemory([]byte("Private_Clean: many\n")); err == nil {
		t.Error("words were read as a number")
	}
}

func TestGroupOf(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name, in   string
		pid, group int
		err        bool
	}{
		{"plain", "42 (socat) S 1 41 7 0", 42, 41, false},
		{"odd_name", "42 (a) S 9 (9) R 1 41 7 0", 42, 41, false},
		{"no_name", "42 socat S 1 41", 0, 0, true},
		{"cut", "42 (socat) S 1", 42, 0, true},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			pid, group, err := groupOf(row.in)
			if (err != nil) != row.err || err == nil && (pid != row.pid || group != row.group) {
				t.Errorf("groupOf(%q) = %d, %d, %v; want %d, %d", row.in, pid, group, err, row.pid, row.group)
			}
		})
	}
}

func TestMostWithin(t *testing.T) {
	t.Parallel()
	for limit, want := range map[uint64]int{0: 0, 300: 0, 1024: 362, 20_000: 9850, 1 << 20: 10_000, 1<<64 - 1: 10_000} {
		if got := mostWithin(10_000, limit); got != want {
			t.Errorf("mostWithin(10000, %d) = %d, want %d", limit, got, want)
		}
	}
}

func TestHAProxyConfig(t *testing.T) {
	t.Parallel()
	got := haproxyConfig("127.0.0.1:1", "127.0.0.1:2")
	if !strings.Contains(got, "bind 127.0.0.1:1\n") || !strings.Contains(got, "server one 127.0.0.1:2\n") {
		t.Errorf("the configuration reads\n%s", got)
	}
}

func TestFreePort(t *testing.T) {
	t.Parallel()
	port, err := freePort()
	if err != nil || len(port) != 5 || port < "15000" || port >= "30000" {
		t.Errorf("freePort = %q, %v", port, err)
	}
}
