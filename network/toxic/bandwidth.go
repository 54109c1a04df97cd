package toxic

import (
	"math"
	"math/bits"
	"sync"
	"time"
)

// Bandwidth limits the rate of bytes. They leave in slices of at most 10 ms.
type Bandwidth struct {
	// Rate is in KB/s, of 1000 bytes. 0 holds everything. From 0 to
	// 1,000,000,000. Default: 0.
	Rate int64
	// Burst is how many bytes may leave at once after a pause. From 0 to
	// MaxBytes. Default: 0.
	Burst int64
	// Scope says what shares the rate: each direction of a "connection", or
	// the whole "proxy", where connections take turns by the slice. Default:
	// connection.
	Scope string
}

var _ Toxic = (*Bandwidth)(nil)

const (
	maxRate = 1_000_000_000
	// slice is for how long a piece is on its way at most.
	slice = 10 * time.Millisecond

	scopeConnection = "connection"
	scopeProxy      = "proxy"
)

// Kind implements Toxic.
func (*Bandwidth) Kind() string { return "bandwidth" }

// Attributes implements Toxic.
func (b *Bandwidth) Attributes() []Attribute {
	return []Attribute{
		Int("rate", &b.Rate, 0, maxRate).In("KB/s"),
		Int("burst", &b.Burst, 0, MaxBytes).In("bytes"),
		Choice("scope", &b.Scope, scopeConnection, scopeProxy),
	}
}

// Arm implements Toxic.
func (b *Bandwidth) Arm() Start {
	if b.Rate == 0 {
		return func(Site) Stage {
			return StageFunc(func(Chunk) Step { return Step{Hold: true} })
		}
	}
	fresh := func() *bucket {
		return &bucket{rate: b.Rate * 1000, burst: took(b.Burst, b.Rate*1000)}
	}
	if b.Scope == scopeProxy {
		all := fresh()
		return func(Site) Stage { return all }
	}
	return func(Site) Stage { return fresh() }
}

// bucket lets bytes through at a rate. It remembers one time: when all it has
// let through would have left at the bare rate.
type bucket struct {
	rate  int64         // bytes a second
	burst time.Duration // how far bytes may run ahead of the rate

	mu   sync.Mutex // connections share it with scope proxy
	paid time.Time
}

// Next implements Stage.
func (b *bucket) Next(c Chunk) Step {
	n := int64(len(c.Data))
	if n == 0 {
		return Step{}
	}
	n = min(n, max(1, b.rate/int64(time.Second/slice)))
	b.mu.Lock()
	defer b.mu.Unlock()
	b.paid = later(b.paid, c.First()).Add(took(n, b.rate))
	return Step{Size: int(n), Due: b.paid.Add(-b.burst)}
}

// took is how long n bytes take at a rate in bytes a second, rounded up.
func took(n, rate int64) time.Duration {
	hi, lo := bits.Mul64(uint64(n), uint64(time.Second))
	if hi >= uint64(rate) {
		return math.MaxInt64
	}
	ns, rest := bits.Div64(hi, lo, uint64(rate))
	if rest > 0 {
		ns++
	}
	return time.Duration(min(ns, math.MaxInt64))
}
