package experiment

import (
	"math"
	"time"

	hdr "github.com/HdrHistogram/hdrhistogram-go"

	"github.com/brunt-go/brunt/judge/ledger"
)

// Latency is how long the calls of an arm took.
type Latency struct {
	P50, P90, P99, Max time.Duration
	// Bars is the distribution, from the shortest to the longest.
	Bars []Bar
}

// Bar is how many calls took from From up to To.
type Bar struct {
	From, To time.Duration
	Count    int64
}

// Latencies are kept in microseconds, to three digits, up to an hour.
const (
	longest = int64(time.Hour / time.Microsecond)
	digits  = 3
)

// measure reads the latencies out of a ledger.
func measure(entries []ledger.Entry) Latency {
	h := hdr.New(1, longest, digits)
	for _, call := range ledger.All[ledger.Call](entries) {
		// Only a value above the range is refused, and none is.
		_ = h.RecordValue(min(max(1, call.Took.Microseconds()), longest))
	}
	if h.TotalCount() == 0 {
		return Latency{}
	}
	at := func(percentile float64) time.Duration {
		return time.Duration(h.ValueAtPercentile(percentile)) * time.Microsecond
	}
	return Latency{P50: at(50), P90: at(90), P99: at(99), Max: time.Duration(h.Max()) * time.Microsecond, Bars: bars(h)}
}

// bars cuts the distribution at powers of the square root of 2: as many bars
// from 1 to 2 ms as from 100 to 200 ms.
func bars(h *hdr.Histogram) []Bar {
	var out []Bar
	for _, b := range h.Distribution() {
		if b.Count == 0 {
			continue
		}
		us := (b.From + b.To) / 2
		lo, hi := bounds(us)
		from, to := time.Duration(lo)*time.Microsecond, time.Duration(hi)*time.Microsecond
		if n := len(out); n > 0 && out[n-1].From == from {
			out[n-1].Count += b.Count
			continue
		}
		out = append(out, Bar{From: from, To: to, Count: b.Count})
	}
	return out
}

// bounds are the ends of the bar that us, in microseconds, falls into.
func bounds(us int64) (lo, hi int64) {
	step := math.Floor(2 * math.Log2(float64(max(1, us))))
	return int64(math.Round(math.Exp2(step / 2))), int64(math.Round(math.Exp2((step + 1) / 2)))
}
