package toxic

import (
	"testing"
	"testing/synctest"
	"time"
)

// script is what a client does while a server listens: what it sends, and when.
type script []struct {
	at   time.Duration
	send string
}

// play lets the client of a rig follow a script and then end its direction, and
// returns what the server saw.
func play(r *rig, s script, then ...func()) string {
	seen := make(chan string)
	go func() { seen <- r.log(r.server) }()
	for _, line := range s {
		r.at(line.at, func() { r.send(r.client, line.send) })
	}
	for _, f := range then {
		f()
	}
	return <-seen
}

const ms = time.Millisecond

func TestLatency(t *testing.T) {
	t.Parallel()
	check(t, []row{
		{"none", nil, script{{0, "a"}, {50 * ms, "b"}}, "0s a, 50ms b, 50ms EOF", nil},
		{"zero", []Toxic{&Latency{}}, script{{0, "a"}}, "0s a, 0s EOF", nil},
		{"delay", []Toxic{&Latency{Latency: 100 * ms}}, script{{0, "a"}, {30 * ms, "b"}, {500 * ms, "c"}},
			"100ms a, 130ms b, 600ms c, 600ms EOF", nil},
		{"two_add_up", []Toxic{&Latency{Latency: 100 * ms}, &Latency{Latency: 100 * ms}},
			script{{0, "a"}, {10 * ms, "b"}, {20 * ms, "c"}, {30 * ms, "d"}},
			"200ms a, 210ms b, 220ms c, 230ms d, 230ms EOF", nil},
		{"on_connect", []Toxic{&Latency{Latency: 100 * ms, OnConnect: true}}, script{{0, "a"}, {120 * ms, "b"}},
			"200ms a, 220ms b, 220ms EOF", nil},
		{"on_connect_idle", []Toxic{&Latency{Latency: 100 * ms, OnConnect: true}}, script{{250 * ms, "a"}}, "350ms a, 350ms EOF", nil},
		{"jitter_keeps_order", []Toxic{&Latency{Latency: 100 * ms, Jitter: 100 * ms}},
			script{{0, "a"}, {10 * ms, "b"}, {20 * ms, "c"}, {30 * ms, "d"}},
			"120.264351ms abcd, 120.264351ms EOF", nil},
		{"jitter", []Toxic{&Latency{Latency: 100 * ms, Jitter: 5 * ms}},
			script{{0, "a"}, {10 * ms, "b"}, {20 * ms, "c"}},
			"101.013217ms a, 107.632313ms b, 116.557284ms c, 118.950512ms EOF", nil},
	})
}

// A change or removal counts from now, for what waits too.
func TestLatency_changed(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name   string
		change func(*Set) error // 50 ms after the first byte
		want   string
	}{
		{"longer", func(s *Set) error { return s.Update(NewSpec("a", Upstream, &Latency{Latency: 300 * ms})) }, "300ms a, 340ms b, 350ms EOF"},
		{"shorter", func(s *Set) error { return s.Update(NewSpec("a", Upstream, &Latency{Latency: 20 * ms})) }, "50ms a, 60ms b, 70ms EOF"},
		{"toxicity_0", func(s *Set) error {
			return s.Update(Spec{Name: "a", Stream: Upstream, Toxic: &Latency{Latency: time.Hour}})
		}, "50ms ab, 50ms EOF"},
		{"removed", func(s *Set) error { return s.Remove("a") }, "50ms ab, 50ms EOF"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, chain(&Latency{Latency: 100 * ms})...)
				got := play(r, script{{0, "a"}, {40 * ms, "b"}},
					func() {
						r.at(50*ms, func() {
							if err := row.change(r.set); err != nil {
								t.Error(err)
							}
						})
					},
					func() { halfClose(r.client) })
				if got != row.want {
					t.Errorf("the server saw %s\nwant %s", got, row.want)
				}
				if err := r.end(); err != nil {
					t.Errorf("Run = %v", err)
				}
			})
		})
	}
}

// chain puts toxics one behind the other on the way to the server.
func chain(toxics ...Toxic) []Spec {
	var specs []Spec
	for i, toxic := range toxics {
		specs = append(specs, NewSpec(string(rune('a'+i)), Upstream, toxic))
	}
	return specs
}
