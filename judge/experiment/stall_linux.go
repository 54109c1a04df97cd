package experiment

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// waits follows how long each thread of this process and of some process groups
// has waited for a processor, as the kernel counts it in /proc/PID/task/TID/schedstat.
//
// A thread cannot have waited longer between two looks than the time between
// them, unless a wait began before: a jump above that is one long wait.
type waits struct {
	groups  map[int]bool
	pids    []string // folders of the processes' threads
	threads map[string]*thread
	looks   int
}

type thread struct {
	file   *os.File
	waited time.Duration
	seen   bool // waited is known
}

// relist is how many looks pass until processes and threads are listed anew.
const relist = 10

func newWaits(groups []int) *waits {
	w := &waits{groups: map[int]bool{}, threads: map[string]*thread{}}
	for _, g := range groups {
		w.groups[g] = true
	}
	w.longest()
	return w
}

// longest returns the longest wait that ended since it was called before.
func (w *waits) longest() (worst time.Duration) {
	if len(w.groups) == 0 {
		return 0
	}
	if w.looks%relist == 0 {
		w.list()
	}
	w.looks++
	for name, t := range w.threads {
		waited, ok := t.read()
		if !ok {
			t.file.Close()
			delete(w.threads, name)
			continue
		}
		if t.seen {
			worst = max(worst, waited-t.waited)
		}
		t.waited, t.seen = waited, true
	}
	return worst
}

// list finds the threads of the groups' processes.
func (w *waits) list() {
	if w.looks%(relist*relist) == 0 {
		w.pids = append(w.pids[:0], "/proc/self/task")
		stats, _ := filepath.Glob("/proc/[0-9]*/stat") // fails for no pattern of ours
		for _, stat := range stats {
			if w.groups[groupOf(stat)] {
				w.pids = append(w.pids, filepath.Join(filepath.Dir(stat), "task"))
			}
		}
	}
	for _, dir := range w.pids {
		tids, err := os.ReadDir(dir)
		if err != nil {
			continue // the process has ended
		}
		for _, tid := range tids {
			name := filepath.Join(dir, tid.Name(), "schedstat")
			if w.threads[name] != nil {
				continue
			}
			if f, err := os.Open(name); err == nil {
				w.threads[name] = &thread{file: f}
			}
		}
	}
}

func (w *waits) close() {
	for _, t := range w.threads {
		t.file.Close()
	}
}

// read returns the second of the three numbers of schedstat: the time spent
// waiting on a run queue.
func (t *thread) read() (time.Duration, bool) {
	var buf [128]byte
	n, err := t.file.ReadAt(buf[:], 0)
	if n == 0 && err != nil {
		return 0, false
	}
	fields := strings.Fields(string(buf[:n]))
	if len(fields) < 2 {
		return 0, false
	}
	waited, err := strconv.ParseInt(fields[1], 10, 64)
	return time.Duration(waited), err == nil
}

// groupOf reads the process group out of /proc/PID/stat, or returns 0. The
// second field is a name in brackets that may hold anything.
func groupOf(stat string) int {
	data, err := os.ReadFile(stat)
	if err != nil {
		return 0
	}
	const afterName = 2 // state, parent, group
	fields := strings.Fields(string(data[strings.LastIndexByte(string(data), ')')+1:]))
	if len(fields) <= afterName {
		return 0
	}
	group, err := strconv.Atoi(fields[afterName])
	if err != nil {
		return 0
	}
	return group
}
