package toxic

import (
	"errors"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A toxic that does not hit is absent: the same bytes at the same times, and no
// place in the pipeline.
func TestSet_toxicity0(t *testing.T) {
	t.Parallel()
	for kind, toxics := range samples() {
		synctest.Test(t, func(t *testing.T) {
			r := newRig(t, Spec{Name: "a", Stream: Upstream, Toxic: toxics[0]})
			if n := len(r.link.Status().Upstream.Toxics); n != 0 {
				t.Errorf("%s: %d toxics are on the connection, want 0", kind, n)
			}
			if got, want := play(r, script{{0, strings.Repeat("x", 1000)}}, func() { halfClose(r.client) }), "0s x*1000, 0s EOF"; got != want {
				t.Errorf("%s: the server saw %s, want %s", kind, got, want)
			}
			if err := r.end(); err != nil {
				t.Errorf("%s: Run = %v", kind, err)
			}
		})
	}
}

// hits returns the ordinals of n connections that a Set's toxic hits.
func hits(t testing.TB, set *Set, n int) []uint64 {
	t.Helper()
	var got []uint64
	for range n {
		c, s := pair(t)
		l := set.NewLink(c)
		if len(l.Status().Upstream.Toxics) > 0 {
			got = append(got, l.Ordinal())
		}
		l.Close()
		s.Close()
	}
	return got
}

// The decisions are those of the seed, the names and the ordinals, and of nothing
// else.
func TestSet_decides(t *testing.T) {
	t.Parallel()
	decide := func(seed uint64, proxy, name string, toxicity float64) []uint64 {
		s := DefaultSettings()
		s.Seed, s.Name = seed, proxy
		set := newSet(t, s)
		add(t, set, Spec{Name: name, Stream: Upstream, Toxicity: toxicity, Toxic: &Noop{}})
		return hits(t, set, 200)
	}
	want := decide(42, "orders", "slow", 0.3)
	if len(want) < 40 || len(want) > 80 {
		t.Errorf("a toxicity of 0.3 hit %d of 200 connections", len(want))
	}
	if again := decide(42, "orders", "slow", 0.3); !slices.Equal(again, want) {
		t.Errorf("the same seed hit %v, then %v", want, again)
	}
	for name, got := range map[string][]uint64{
		"seed": decide(43, "orders", "slow", 0.3), "proxy": decide(42, "users", "slow", 0.3), "toxic": decide(42, "orders", "slower", 0.3),
	} {
		if slices.Equal(got, want) {
			t.Errorf("another %s hit the same connections", name)
		}
	}
	for _, n := range want {
		if !slices.Contains(decide(42, "orders", "slow", 0.6), n) {
			t.Errorf("a higher toxicity does not hit connection %d", n)
		}
	}
}

// A neighbour that comes, changes and goes re-decides nothing on open connections.
func TestSet_neighbours(t *testing.T) {
	t.Parallel()
	set := newSet(t, DefaultSettings())
	add(t, set, Spec{Name: "a", Stream: Upstream, Toxicity: 0.5, Toxic: &Noop{}})
	for range 24 {
		c, s := pair(t)
		l := set.NewLink(c)
		defer s.Close()
		defer l.Close()
	}
	members := func() (hit []uint64) {
		for _, l := range set.Links() {
			for _, toxic := range l.Status().Upstream.Toxics {
				if toxic.Toxic == "a" && toxic.Hit {
					hit = append(hit, l.Ordinal())
				}
			}
		}
		return hit
	}
	want := members()
	if len(want) == 0 || len(want) == 24 {
		t.Fatalf("%d of 24 are hit", len(want))
	}
	for name, change := range map[string]func() error{
		"add":    func() error { return set.Add(NewSpec("b", Upstream, &Noop{})) },
		"update": func() error { return set.Update(Spec{Name: "a", Stream: Upstream, Toxicity: 0.5, Toxic: &Noop{}}) },
	} {
		if err := change(); err != nil {
			t.Fatal(err)
		}
		if got := members(); !slices.Equal(got, want) {
			t.Errorf("after %s %v are hit, want %v", name, got, want)
		}
	}
	if err := set.Remove("b"); err != nil {
		t.Fatal(err)
	}
	if got := members(); !slices.Equal(got, want) {
		t.Errorf("after remove %v are hit, want %v", got, want)
	}
}

func TestSet_select(t *testing.T) {
	t.Parallel()
	prefix := netip.MustParsePrefix
	rows := []struct {
		name string
		in   Selection
		want []uint64 // of 10
	}{
		{"all", Selection{}, []uint64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}},
		{"first", Selection{Connections: Ordinals{First: 8}}, []uint64{8, 9, 10}},
		{"last", Selection{Connections: Ordinals{Last: 2}}, []uint64{1, 2}},
		{"every", Selection{Connections: Ordinals{Every: 4}}, []uint64{1, 5, 9}},
		{"range", Selection{Connections: Ordinals{First: 3, Last: 7, Every: 2}}, []uint64{3, 5, 7}},
		{"source", Selection{Source: prefix("127.0.0.0/8")}, []uint64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}},
		{"another_source", Selection{Source: prefix("10.0.0.0/8")}, nil},
		{"count", Selection{Count: 3}, []uint64{1, 2, 3}},
		{"together", Selection{Count: 2, Connections: Ordinals{First: 2, Every: 3}}, []uint64{2, 5}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			set := newSet(t, DefaultSettings())
			add(t, set, Spec{Name: "a", Stream: Upstream, Toxicity: 1, Select: row.in, Toxic: &Noop{}})
			if got := hits(t, set, 10); !slices.Equal(got, row.want) {
				t.Errorf("%+v hit %v, want %v", row.in, got, row.want)
			}
			if got := set.Toxics()[0].Hits; got != int64(len(row.want)) {
				t.Errorf("Hits = %d, want %d", got, len(row.want))
			}
		})
	}
}

// A toxic with after_bytes lets just those pass untouched, then begins.
func TestSet_afterBytes(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name string
		in   Toxic
		send script
		want string
		err  error
	}{
		{"latency", &Latency{Latency: 100 * ms}, script{{0, "abcde"}}, "0s abc, 100ms de, 100ms EOF", nil},
		{"reset", &ResetPeer{Timeout: 5 * ms}, script{{0, "ab"}, {ms, "c"}}, "0s ab, 1ms c, 6ms reset", ErrReset},
		{"limit", &LimitData{Bytes: 1}, script{{0, "abcde"}}, "0s abcd, 0s EOF", ErrClosed},
		{"not_reached", &ResetPeer{}, script{{0, "ab"}}, "0s ab, 0s EOF", nil},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, Spec{Name: "a", Stream: Upstream, Toxicity: 1, Select: Selection{AfterBytes: 3}, Toxic: row.in})
				if got := play(r, row.send, func() { halfClose(r.client) }); got != row.want {
					t.Errorf("the server saw %s, want %s", got, row.want)
				}
				hits := int64(1)
				if row.name == "not_reached" {
					hits = 0
				}
				if got := r.set.Toxics()[0].Hits; got != hits {
					t.Errorf("Hits = %d, want %d", got, hits)
				}
				if err := r.end(); !errors.Is(err, row.err) {
					t.Errorf("Run = %v, want %v", err, row.err)
				}
			})
		})
	}
}

// Counters are live, and a hit is told when it happens.
func TestSet_counts(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var told []Hit
		set, err := NewSet(DefaultSettings(), WithHitFunc(func(h Hit) { told = append(told, h) }))
		if err != nil {
			t.Fatal(err)
		}
		add(t, set, Spec{Name: "slow", Stream: Downstream, Toxicity: 1, Select: Selection{AfterBytes: 2}, Toxic: &Latency{Latency: time.Second}})
		r := connect(t, set)
		r.at(3*time.Second, func() { r.send(r.server, "abcde") })
		synctest.Wait()
		s := r.link.Status().Downstream
		if s.Read != 5 || s.Written != 2 || s.Toxics[0].Bytes != 0 || !s.Toxics[0].Hit || !s.Toxics[0].Begun.Equal(r.begin.Add(3*time.Second)) {
			t.Errorf("Status = %+v, want 5 read, 2 written, slow since 3s", s)
		}
		if len(told) != 1 || told[0].Toxic != "slow" || told[0].Stream != Downstream || told[0].Connection != 1 || !told[0].Time.Equal(r.begin.Add(3*time.Second)) {
			t.Errorf("told %+v, want a hit by slow on connection 1 at 3s", told)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if s := r.link.Status().Downstream; s.Written != 5 || s.Toxics[0].Bytes != 3 || s.Buffered != 0 {
			t.Errorf("Status = %+v, want 5 written, 3 by slow, nothing buffered", s)
		}
		if err := r.end(); err != nil && !errors.Is(err, ErrReset) {
			t.Errorf("Run = %v", err)
		}
		if n := len(set.Links()); n != 0 {
			t.Errorf("%d links are left", n)
		}
	})
}

func TestSet_errors(t *testing.T) {
	t.Parallel()
	set := newSet(t, DefaultSettings())
	add(t, set, NewSpec("a", Upstream, &Noop{}))
	rows := []struct {
		name string
		err  error
		want string
	}{
		{"exists", set.Add(NewSpec("a", Downstream, &Noop{})), `toxic already exists: "a"`},
		{"update_unknown", set.Update(NewSpec("b", Upstream, &Noop{})), `toxic not found: "b"`},
		{"remove_unknown", set.Remove("b"), `toxic not found: "b"`},
		{"stream_changed", set.Update(NewSpec("a", Downstream, &Noop{})), `stream: "downstream", must stay upstream`},
		{"spec", set.Add(Spec{Toxicity: 2, Select: Selection{AfterBytes: -1, Count: -1, Connections: Ordinals{First: 3, Last: 2}}}),
			"name: must not be empty\nstream: \"\", must be upstream or downstream\ntoxicity: 2, must be from 0 to 1\n" +
				"connections.last: 2, must be >= first, 3\nafter_bytes: -1, must be from 0 to 9007199254740991\ncount: -1, must be >= 0\ntype: must not be empty"},
		{"attributes", set.Update(NewSpec("a", Upstream, &Slicer{})), "average_size: 0, must be from 1 to 9007199254740991"},
		{"settings", CheckSettings(Settings{}), "toxic.buffer: 0, must be >= 1"},
	}
	for _, row := range rows {
		if row.err == nil || row.err.Error() != row.want {
			t.Errorf("%s: %v, want %s", row.name, row.err, row.want)
		}
	}
	if got := set.Toxics(); len(got) != 1 || got[0].Spec.Toxic.Kind() != "noop" {
		t.Errorf("Toxics = %+v, want the noop a", got)
	}
	if err := CheckSettings(DefaultSettings()); err != nil {
		t.Error(err)
	}
}
