package httpproxy

import "sync"

// attempts counts how often each key has come. It remembers at least the
// attemptKeys keys seen last, so that a proxy that runs for weeks stays small.
type attempts struct {
	mu            sync.Mutex
	recent, older map[string]int
}

// attemptKeys is how many keys a generation holds: some 4 MB of trace ids.
const attemptKeys = 1 << 15

// next returns which attempt of key this is, from 1.
func (a *attempts) next(key string) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	n, ok := a.recent[key]
	if !ok {
		n = a.older[key]
	}
	if !ok && len(a.recent) >= attemptKeys || a.recent == nil {
		a.older, a.recent = a.recent, make(map[string]int)
	}
	a.recent[key] = n + 1
	return n + 1
}
