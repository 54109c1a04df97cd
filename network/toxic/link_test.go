package toxic

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/netip"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// samples are toxics of each kind, in two settings each.
func samples() map[string][2]Toxic {
	return map[string][2]Toxic{
		"latency":    {&Latency{Latency: 15 * ms, Jitter: 10 * ms}, &Latency{Latency: 5 * ms}},
		"bandwidth":  {&Bandwidth{Rate: 2}, &Bandwidth{Rate: 7, Burst: 100}},
		"slow_close": {&SlowClose{Delay: 40 * ms}, &SlowClose{Delay: 10 * ms}},
		"timeout":    {&Timeout{}, &Timeout{Timeout: time.Hour}},
		"blackhole":  {&Blackhole{}, &Blackhole{}},
		"reset_peer": {&ResetPeer{AfterBytes: 150, Timeout: ms}, &ResetPeer{AfterBytes: 120, Timeout: ms}},
		"slicer":     {&Slicer{AverageSize: 7, SizeVariation: 3, Delay: ms}, &Slicer{AverageSize: 2}},
		"limit_data": {&LimitData{Bytes: 200}, &LimitData{Bytes: 150}},
		"corrupt":    {&Corrupt{Rate: 0.1}, &Corrupt{Offsets: []int64{3, 77, 500}}},
		"noop":       {&Noop{}, &Noop{}},
	}
}

// Every ordered pair of toxics is added, changed and removed while bytes flow.
// Whatever should pass does, in order, once.
func TestLink_everyPair(t *testing.T) {
	t.Parallel()
	if got, want := len(samples()), len(Kinds()); got != want {
		t.Fatalf("%d kinds are tried, there are %d", got, want)
	}
	for _, first := range Kinds() {
		for _, second := range Kinds() {
			t.Run(first+"_"+second, func(t *testing.T) {
				t.Parallel()
				for _, firstLeaves := range []bool{true, false} {
					synctest.Test(t, func(t *testing.T) { everyPair(t, first, second, firstLeaves) })
				}
			})
		}
	}
}

func everyPair(t *testing.T, first, second string, firstLeaves bool) {
	r := newRig(t)
	a, b := samples()[first], samples()[second]
	do := func(at time.Duration, f func() error) {
		r.at(at, func() {
			if err := f(); err != nil {
				t.Error(err)
			}
		})
	}
	changed := make(chan struct{})
	go func() {
		defer close(changed)
		do(3*ms, func() error { return r.set.Add(NewSpec("a", Upstream, a[0])) })
		do(17*ms, func() error { return r.set.Add(NewSpec("b", Upstream, b[0])) })
		do(31*ms, func() error { return r.set.Update(NewSpec("a", Upstream, a[1])) })
		do(45*ms, func() error { return r.set.Update(NewSpec("b", Upstream, b[1])) })
		leave := []string{"a", "b"}
		if !firstLeaves {
			slices.Reverse(leave)
		}
		do(60*ms, func() error { return r.set.Remove(leave[0]) })
		do(75*ms, func() error { return r.set.Remove(leave[1]) })
	}()
	var sent []byte
	written := make(chan struct{})
	go func() {
		defer close(written)
		for i := range 100 {
			chunk := bytes.Repeat([]byte{byte(i)}, i%13+1)
			if _, err := r.client.Write(chunk); err != nil {
				return
			}
			sent = append(sent, chunk...)
			time.Sleep(ms)
		}
		halfClose(r.client)
	}()
	got, err := io.ReadAll(r.server)
	status := r.link.Status().Upstream
	<-written
	<-changed
	switch kinds := first + " " + second; {
	case strings.Contains(kinds, "reset_peer") || strings.Contains(kinds, "limit_data"):
		if !strings.Contains(kinds, "blackhole") && !strings.Contains(kinds, "corrupt") && !bytes.HasPrefix(sent, got) {
			t.Errorf("received %v, want the beginning of %v", got, sent)
		}
	case err != nil:
		t.Errorf("the server's read: %v", err)
	case strings.Contains(kinds, "blackhole"):
		if int64(len(got)) != status.Written || status.Written+status.Dropped != int64(len(sent)) {
			t.Errorf("received %d, written %d, dropped %d of %d bytes", len(got), status.Written, status.Dropped, len(sent))
		}
	case strings.Contains(kinds, "corrupt"):
		if len(got) != len(sent) {
			t.Errorf("received %d bytes of %d", len(got), len(sent))
		}
	case !bytes.Equal(got, sent):
		t.Errorf("received %v, want %v", got, sent)
	}
	if err := r.end(); err != nil && !errors.Is(err, ErrReset) && !errors.Is(err, ErrClosed) {
		t.Errorf("Run = %v", err)
	}
}

// One direction ends, the other goes on: a client that has sent its request and
// half-closed gets its answer.
func TestLink_halfClose(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		go func() {
			got, err := io.ReadAll(r.server)
			if err != nil || string(got) != "hello" {
				t.Errorf("the server read %q, %v", got, err)
			}
			r.at(time.Hour, func() { r.send(r.server, "got 5") })
			r.server.Close()
		}()
		r.send(r.client, "hello")
		halfClose(r.client)
		if got, want := r.log(r.client), "1h0m0s got 5, 1h0m0s EOF"; got != want {
			t.Errorf("the client saw %s, want %s", got, want)
		}
		if err := <-r.done; err != nil {
			t.Errorf("Run = %v", err)
		}
		r.client.Close()
	})
}

// A reset by either peer reaches the other one, as late as bytes do.
func TestLink_peerResets(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name string
		in   []Spec
		want string
	}{
		{"bare", nil, "3s reset"},
		{"latency", []Spec{
			NewSpec("up", Upstream, &Latency{Latency: 100 * ms}),
			NewSpec("down", Downstream, &Latency{Latency: 100 * ms}),
		}, "3.1s reset"},
	}
	for _, row := range rows {
		for _, byClient := range []bool{true, false} {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, row.in...)
				peer, other := r.server, r.client
				if byClient {
					peer, other = other, peer
				}
				time.AfterFunc(3*time.Second, func() { hangUp(peer, true) })
				if got := r.log(other); got != row.want {
					t.Errorf("%s, by the client %v: the other peer saw %s, want %s", row.name, byClient, got, row.want)
				}
				if err := r.end(); !errors.Is(err, ErrReset) {
					t.Errorf("Run = %v, want %v", err, ErrReset)
				}
			})
		}
	}
}

// A peer that does not read holds up nobody: not a call, not the reset of its own
// connection, not another connection; and its bytes are bounded.
func TestSet_stuckPeer(t *testing.T) {
	t.Parallel()
	kinds := append(Kinds(), "")
	for _, kind := range kinds {
		t.Run("behind_"+kind, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				settings := DefaultSettings()
				settings.Buffer = 300_000
				set := newSet(t, settings)
				if kind != "" {
					add(t, set, NewSpec("first", Upstream, samples()[kind][0]))
				}
				r := connect(t, set)
				go func() {
					_, _ = r.client.Write(make([]byte, 2_000_000)) // fails at the end
				}()
				time.Sleep(time.Minute)
				if s := r.link.Status().Upstream; s.Buffered > 2*settings.Buffer+readSize {
					t.Errorf("%d bytes are buffered, want at most %d", s.Buffered, 2*settings.Buffer+readSize)
				}
				begin := time.Now()
				for other := range samples() {
					add(t, set, NewSpec("x", Upstream, &Noop{}))
					for _, toxic := range samples()[other] {
						if other == "reset_peer" || other == "limit_data" {
							continue // they end it
						}
						if err := set.Update(NewSpec("x", Upstream, toxic)); err != nil {
							t.Error(err)
						}
					}
					if err := set.Remove("x"); err != nil {
						t.Error(err)
					}
				}
				if kind != "" {
					if err := set.Remove("first"); err != nil {
						t.Error(err)
					}
				}
				another := connect(t, set)
				if got := play(another, script{{0, "a"}}, func() { halfClose(another.client) }); got != "0s a, 0s EOF" {
					t.Errorf("another connection's server saw %s", got)
				}
				if err := another.end(); err != nil {
					t.Errorf("another Run = %v", err)
				}
				add(t, set, NewSpec("reset", Upstream, &ResetPeer{}))
				if err := <-r.done; !errors.Is(err, ErrReset) && !errors.Is(err, ErrClosed) {
					t.Errorf("Run = %v", err)
				}
				if took := time.Since(begin); took != 0 {
					t.Errorf("all that took %v, want no time", took)
				}
				r.client.Close()
				r.server.Close()
			})
		})
	}
}

// A peer that does not read delays the end a toxic wants by a second at most.
func TestLink_stuckPeerEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, NewSpec("a", Upstream, &LimitData{Bytes: 1_000_000}))
		go func() { _, _ = r.client.Write(make([]byte, 2_000_000)) }()
		err := <-r.done
		if took := time.Since(r.begin); !errors.Is(err, ErrClosed) || took < flush || took > flush+linger {
			t.Errorf("Run = %v after %v, want %v after 1s to 1.1s", err, took, ErrClosed)
		}
		r.client.Close()
		r.server.Close()
	})
}

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

func TestLink_ends(t *testing.T) {
	t.Parallel()
	stopped := errors.New("stopped")
	rows := []struct {
		name string
		in   func(r *rig, cancel context.CancelCauseFunc)
		want error
		saw  string
	}{
		{"context", func(_ *rig, cancel context.CancelCauseFunc) { cancel(stopped) }, stopped, "5s EOF"},
		{"close", func(r *rig, _ context.CancelCauseFunc) { r.link.Close() }, ErrClosed, "5s EOF"},
		{"reset", func(r *rig, _ context.CancelCauseFunc) { r.link.Reset() }, ErrReset, "5s reset"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				set := newSet(t, DefaultSettings())
				add(t, set, NewSpec("a", Upstream, &Timeout{}))
				client, front := pair(t)
				back, server := pair(t)
				r := &rig{t: t, set: set, link: set.NewLink(front), begin: time.Now(), client: client, server: server, done: make(chan error, 1)}
				ctx, cancel := context.WithCancelCause(t.Context())
				defer cancel(nil)
				go func() { r.done <- r.link.Run(ctx, back) }()
				r.send(client, "held")
				time.AfterFunc(5*time.Second, func() { row.in(r, cancel) })
				if got := r.log(server); got != row.saw {
					t.Errorf("the server saw %s, want %s", got, row.saw)
				}
				if err := r.end(); !errors.Is(err, row.want) {
					t.Errorf("Run = %v, want %v", err, row.want)
				}
			})
		})
	}
}

// A link that is closed before its upstream was reached closes that too.
func TestLink_closedBeforeRun(t *testing.T) {
	t.Parallel()
	set := newSet(t, DefaultSettings())
	add(t, set, NewSpec("a", Upstream, &ResetPeer{}))
	client, front := pair(t)
	back, server := pair(t)
	l := set.NewLink(front)
	l.Close()
	if err := l.Run(t.Context(), back); !errors.Is(err, ErrClosed) {
		t.Errorf("Run = %v, want %v", err, ErrClosed)
	}
	if _, err := server.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("the server's Read = %v, want EOF", err)
	}
	if _, err := client.Write([]byte("x")); !errors.Is(err, syscall.EPIPE) {
		t.Errorf("the client's Write = %v, want EPIPE", err)
	}
	client.Close()
	server.Close()
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
