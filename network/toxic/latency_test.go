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
	rows := []struct {
		name string
		in   []Toxic
		send script
		want string
	}{
		{"none", nil, script{{0, "a"}, {50 * ms, "b"}}, "0s a, 50ms b, 50ms EOF"},
		{"zero", []Toxic{&Latency{}}, script{{0, "a"}}, "0s a, 0s EOF"},
		{"delay", []Toxic{&Latency{Latency: 100 * ms}}, script{{0, "a"}, {30 * ms, "b"}, {500 * ms, "c"}},
			"100ms a, 130ms b, 600ms c, 600ms EOF"},
		{"two_add_up", []Toxic{&Latency{Latency: 100 * ms}, &Latency{Latency: 100 * ms}},
			script{{0, "a"}, {10 * ms, "b"}, {20 * ms, "c"}, {30 * ms, "d"}},
			"200ms a, 210ms b, 220ms c, 230ms d, 230ms EOF"},
		{"on_connect", []Toxic{&Latency{Latency: 100 * ms, OnConnect: true}}, script{{0, "a"}, {120 * ms, "b"}},
			"200ms a, 220ms b, 220ms EOF"},
		{"on_connect_idle", []Toxic{&Latency{Latency: 100 * ms, OnConnect: true}}, script{{250 * ms, "a"}}, "350ms a, 350ms EOF"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, chain(row.in...)...)
				got := play(r, row.send, func() { halfClose(r.client) })
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
