package experiment

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/brunt-go/brunt/judge/ledger"
)

func TestMeasure(t *testing.T) {
	t.Parallel()
	var entries []ledger.Entry
	for i := range 100 {
		entries = append(entries, ledger.Entry{Event: ledger.Call{Took: time.Duration(i+1) * time.Millisecond}})
	}
	l := measure(entries)
	near := func(name string, got, want time.Duration) {
		// Three digits are kept: a value may be off by a thousandth.
		if d := got - want; d < -want/1000 || d > want/500 {
			t.Errorf("%s = %v, want %v", name, got, want)
		}
	}
	near("P50", l.P50, 50*time.Millisecond)
	near("P90", l.P90, 90*time.Millisecond)
	near("P99", l.P99, 99*time.Millisecond)
	near("Max", l.Max, 100*time.Millisecond)
	var sum int64
	for i, b := range l.Bars {
		sum += b.Count
		if b.From >= b.To || i > 0 && l.Bars[i-1].To > b.From {
			t.Errorf("bar %d is %+v after %+v", i, b, l.Bars[max(0, i-1)])
		}
	}
	if sum != 100 {
		t.Errorf("the bars hold %d calls, want 100", sum)
	}
}

func TestMeasure_edges(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff(Latency{}, measure(nil)); diff != "" {
		t.Errorf("of nothing: %s", diff)
	}
	l := measure([]ledger.Entry{{Event: ledger.Call{Took: 0}}, {Event: ledger.Call{Took: 30 * time.Hour}}})
	if l.P50 != time.Microsecond || l.Max < time.Hour-4*time.Second {
		t.Errorf("0s and 30h are kept as %v and %v, want 1µs and about the bound of 1h", l.P50, l.Max)
	}
}
