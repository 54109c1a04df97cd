package toxic

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestBandwidth(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name  string
		in    Bandwidth
		send  script
		total int64
		want  time.Duration // when the last byte came
		lump  time.Duration // the longest pause once bytes came
	}{
		{"100_KB_s", Bandwidth{Rate: 100}, script{{0, strings.Repeat("x", 50_000)}}, 50_000, 500 * ms, 10 * ms},
		{"10_MB_s", Bandwidth{Rate: 10_000}, script{{0, strings.Repeat("x", 1_000_000)}}, 1_000_000, 100 * ms, 10 * ms},
		{"100_MB_s", Bandwidth{Rate: 100_000}, script{{0, strings.Repeat("x", 3_000_000)}}, 3_000_000, 30 * ms, 10 * ms},
		{"1_KB_s", Bandwidth{Rate: 1}, script{{0, strings.Repeat("x", 100)}}, 100, 100 * ms, 10 * ms},
		{"a_pause_earns_nothing", Bandwidth{Rate: 1}, script{{0, "x"}, {time.Second, strings.Repeat("x", 99)}}, 100, 1099 * ms, 1009 * ms},
		{"burst", Bandwidth{Rate: 1, Burst: 60}, script{{0, strings.Repeat("x", 100)}}, 100, 40 * ms, 10 * ms},
		{"burst_after_a_pause", Bandwidth{Rate: 1, Burst: 50}, script{{0, strings.Repeat("x", 50)}, {time.Second, strings.Repeat("x", 60)}}, 110, 1010 * ms, time.Second},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, chain(&row.in)...)
				go func() {
					for _, line := range row.send {
						r.at(line.at, func() { r.send(r.client, line.send) })
					}
					halfClose(r.client)
				}()
				var total int64
				var last, lump time.Duration
				for buf := make([]byte, 1<<16); ; {
					n, err := r.server.Read(buf)
					if err != nil {
						break
					}
					now := time.Since(r.begin)
					if total > 0 {
						lump = max(lump, now-last)
					}
					total, last = total+int64(n), now
				}
				if total != row.total || last != row.want || lump > row.lump {
					t.Errorf("%d bytes by %v, longest pause %v; want %d by %v, at most %v", total, last, lump, row.total, row.want, row.lump)
				}
				if err := r.end(); err != nil {
					t.Errorf("Run = %v", err)
				}
			})
		})
	}
}

// A rate of 0 holds everything; a higher one lets it go from then on, without
// making up for the wait.
func TestBandwidth_update(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, chain(&Bandwidth{})...)
		got := play(r, script{{0, strings.Repeat("x", 20)}},
			func() {
				r.at(time.Minute, func() {
					if err := r.set.Update(NewSpec("a", Upstream, &Bandwidth{Rate: 1})); err != nil {
						t.Error(err)
					}
				})
			},
			func() { halfClose(r.client) })
		if want := "1m0.01s x*10, 1m0.02s x*10, 1m0.02s EOF"; got != want {
			t.Errorf("the server saw %s, want %s", got, want)
		}
		if err := r.end(); err != nil {
			t.Errorf("Run = %v", err)
		}
	})
}

// With scope proxy the rate is that of all connections together, and each gets
// its share.
func TestBandwidth_shared(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		set := newSet(t, DefaultSettings())
		add(t, set, NewSpec("a", Upstream, &Bandwidth{Rate: 100, Scope: "proxy"}))
		ends := make(chan string)
		const connections = 4
		for range connections {
			r := connect(t, set)
			go func() {
				r.send(r.client, strings.Repeat("x", 10_000))
				halfClose(r.client)
			}()
			go func() {
				n, _ := io.Copy(io.Discard, r.server)
				end := fmt.Sprintf("%d by %v", n, time.Since(r.begin).Round(100*ms))
				if err := r.end(); err != nil {
					t.Errorf("Run = %v", err)
				}
				ends <- end
			}()
		}
		for range connections {
			if got, want := <-ends, "10000 by 400ms"; got != want {
				t.Errorf("a server saw %s, want %s", got, want)
			}
		}
	})
}
