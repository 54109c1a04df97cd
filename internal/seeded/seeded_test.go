package seeded

import (
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// The published run: 200 requests, injection seed 20260731 at 20 %, noise seed
// 19870415 at 3 %.
func TestUnit_publishedRun(t *testing.T) {
	t.Parallel()
	var broken, stalled, either, both int
	for i := range uint32(200) {
		b, s := Unit(20260731, i) < 0.20, Unit(19870415, i) < 0.03
		if b {
			broken++
		}
		if s {
			stalled++
		}
		if b || s {
			either++
		}
		if b && s {
			both++
		}
	}
	if broken != 45 || stalled != 10 || either != 52 || both != 3 {
		t.Errorf("broken, stalled, either, both = %d, %d, %d, %d, want 45, 10, 52, 3", broken, stalled, either, both)
	}
}

func TestUnitKey_ordinalsAndStrings(t *testing.T) {
	t.Parallel()
	if UnitKey(7, "17") != Unit(7, 17) {
		t.Error("the key \"17\" must be decided as ordinal 17")
	}
	// These look like numbers and are not ordinals: they must not collide with one.
	for _, key := range []string{"017", "+17", " 17", "17.0", "4294967313", "-1", ""} {
		if UnitKey(7, key) == Unit(7, 17) {
			t.Errorf("UnitKey(7, %q) is that of ordinal 17", key)
		}
	}
}

func TestUnitKey_share(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint32().Draw(t, "seed")
		share := rapid.Float64Range(0.05, 0.95).Draw(t, "share")
		hits := 0
		for i := range 20_000 {
			u := UnitKey(seed, "order-"+strconv.Itoa(i))
			if u < 0 || u >= 1 {
				t.Fatalf("UnitKey = %v, want it in [0, 1)", u)
			}
			if u < share {
				hits++
			}
		}
		// Six standard deviations of 20,000 fair draws are at most 0.0213.
		if got := float64(hits) / 20_000; got < share-0.022 || got > share+0.022 {
			t.Errorf("seed %d: share %v hits %v of the keys", seed, share, got)
		}
	})
}

func TestDerive(t *testing.T) {
	t.Parallel()
	if Derive(5) != 5 {
		t.Error("Derive without parts must keep the seed")
	}
	seen := map[uint32][]string{}
	for _, parts := range [][]string{{"a"}, {"b"}, {"a", "b"}, {"b", "a"}, {"ab"}, {"", "ab"}} {
		d := Derive(5, parts...)
		if other, ok := seen[d]; ok {
			t.Errorf("Derive(5, %q) = Derive(5, %q)", parts, other)
		}
		seen[d] = parts
	}
}

func TestSeed(t *testing.T) {
	t.Parallel()
	if got := Seed(20260731); got != 20260731 {
		t.Errorf("Seed(20260731) = %d, want it unchanged", got)
	}
	if Seed(1<<32+5) == Seed(5) {
		t.Error("the upper half of a seed must count")
	}
}

func TestTrace(t *testing.T) {
	t.Parallel()
	seen := map[[16]byte]bool{}
	for i := range uint32(10_000) {
		id := Trace(20260731, i)
		if seen[id] {
			t.Fatalf("trace id of %d came twice", i)
		}
		seen[id] = true
		if id != Trace(20260731, i) {
			t.Fatalf("trace id of %d differs on a replay", i)
		}
	}
}

func BenchmarkUnitKey(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		UnitKey(20260731, "4bf92f3577b34da6a3ce929d0e0e4736")
	}
}
