package httpproxy

import "sync/atomic"

// Budget bounds how many requests may be hit, over every proxy that shares it:
// the blast radius. It is safe for concurrent use. A nil Budget bounds nothing.
type Budget struct {
	max     int64
	used    atomic.Int64
	refused atomic.Int64
}

// NewBudget returns a Budget of most hits.
func NewBudget(most int) *Budget { return &Budget{max: int64(most)} }

// Used is how many requests have been hit. It never exceeds the bound.
func (b *Budget) Used() int {
	if b == nil {
		return 0
	}
	return int(b.used.Load())
}

// Refused is how many requests a rule chose and the budget spared.
func (b *Budget) Refused() int {
	if b == nil {
		return 0
	}
	return int(b.refused.Load())
}

// take draws one hit, if there is one left.
func (b *Budget) take() bool {
	if b == nil {
		return true
	}
	for {
		used := b.used.Load()
		if used >= b.max {
			b.refused.Add(1)
			return false
		}
		if b.used.CompareAndSwap(used, used+1) {
			return true
		}
	}
}
