package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// usage is what some processes use together.
type usage struct {
	cpu    time.Duration // how long they have kept processors busy
	memory int64         // bytes in memory that are theirs alone
	files  int           // open file descriptors
	procs  int
}

// usageOf reads what processes use from Linux's /proc. A process that ends
// meanwhile counts as none.
func usageOf(pids []int) (usage, error) {
	var sum usage
	for _, pid := range pids {
		u, err := usageOfOne(filepath.Join("/proc", strconv.Itoa(pid)))
		if errors.Is(err, fs.ErrNotExist) && len(pids) > 1 {
			continue
		}
		if err != nil {
			return usage{}, fmt.Errorf("what a process uses is read from /proc: %w", err)
		}
		sum.cpu += u.cpu
		sum.memory += u.memory
		sum.files += u.files
		sum.procs++
	}
	return sum, nil
}

func usageOfOne(folder string) (u usage, err error) {
	tasks, err := filepath.Glob(filepath.Join(folder, "task", "*", "schedstat"))
	if err != nil {
		return u, err
	}
	for _, task := range tasks {
		data, err := os.ReadFile(task)
		if errors.Is(err, fs.ErrNotExist) {
			continue // a thread that ended
		}
		if err != nil {
			return u, err
		}
		var ns int64
		if _, err := fmt.Sscan(string(data), &ns); err != nil {
			return u, err
		}
		u.cpu += time.Duration(ns)
	}
	maps, err := os.ReadFile(filepath.Join(folder, "smaps_rollup"))
	if err != nil {
		return u, err
	}
	if u.memory, err = privateMemory(maps); err != nil {
		return u, err
	}
	files, err := os.ReadDir(filepath.Join(folder, "fd"))
	u.files = len(files)
	return u, err
}

// privateMemory adds up what smaps_rollup says is in memory and no other
// process's.
func privateMemory(maps []byte) (sum int64, err error) {
	found := 0
	for row := range bytes.Lines(maps) {
		name, rest, _ := strings.Cut(string(row), ":")
		if name != "Private_Clean" && name != "Private_Dirty" {
			continue
		}
		var kb int64
		if _, err := fmt.Sscan(rest, &kb); err != nil {
			return 0, err
		}
		sum += kb << 10
		found++
	}
	if found != 2 {
		return 0, errors.New("smaps_rollup names no private memory")
	}
	return sum, nil
}

// groupMembers are the processes of a process group.
func groupMembers(group int) ([]int, error) {
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return nil, err
	}
	var members []int
	for _, path := range stats {
		data, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended
		}
		pid, of, err := groupOf(string(data))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if of == group {
			members = append(members, pid)
		}
	}
	return members, nil
}

// groupOf reads a process's number and its group's from a stat file: pid (name)
// state parent group. The name may hold anything.
func groupOf(stat string) (pid, group int, err error) {
	end := strings.LastIndexByte(stat, ')')
	if end < 0 {
		return 0, 0, errors.New("no name in brackets")
	}
	if _, err := fmt.Sscan(stat, &pid); err != nil {
		return 0, 0, err
	}
	var state string
	var parent int
	_, err = fmt.Sscan(stat[end+1:], &state, &parent, &group)
	return pid, group, err
}
