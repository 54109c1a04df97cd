package httpproxy

import (
	"hash/maphash"
	"sync"
)

// attempts counts how often each key has come. It remembers at least the
// attemptKeys keys seen last, so that a proxy that runs for weeks stays small.
//
// It keeps a hash of 64 bits of each key, under a seed nobody knows, and not the
// key: strings would keep the garbage collector busy with every request that was.
// Two keys of one hash are as likely as a stray bit in memory.
type attempts struct {
	seed maphash.Seed

	mu            sync.Mutex
	recent, older map[uint64]int
}

func newAttempts() *attempts { return &attempts{seed: maphash.MakeSeed()} }

// attemptKeys is how many keys a generation holds: some 1 MB.
const attemptKeys = 1 << 15

// next returns which attempt of key this is, from 1.
func (a *attempts) next(key string) int {
	hash := maphash.String(a.seed, key)
	a.mu.Lock()
	defer a.mu.Unlock()
	n, ok := a.recent[hash]
	if !ok {
		n = a.older[hash]
	}
	if !ok && len(a.recent) >= attemptKeys || a.recent == nil {
		a.older, a.recent = a.recent, make(map[uint64]int)
	}
	a.recent[hash] = n + 1
	return n + 1
}
