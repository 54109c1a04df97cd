package toxic

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// row is what a server sees of what a client sends through toxics: each read,
// when, and how it ended.
type row struct {
	name string
	in   []Toxic
	send script
	want string
	err  error // Run's
}

// check plays rows; the client ends its direction after what it sends.
func check(t *testing.T, rows []row) {
	t.Helper()
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, chain(row.in...)...)
				if got := play(r, row.send, func() { halfClose(r.client) }); got != row.want {
					t.Errorf("the server saw %s\nwant %s", got, row.want)
				}
				if err := r.end(); !errors.Is(err, row.err) {
					t.Errorf("Run = %v, want %v", err, row.err)
				}
			})
		})
	}
}

func TestNoop(t *testing.T) {
	t.Parallel()
	check(t, []row{{"passes", []Toxic{&Noop{}}, script{{0, "a"}, {7 * ms, "b"}}, "0s a, 7ms b, 7ms EOF", nil}})
}

func TestDown(t *testing.T) {
	t.Parallel()
	check(t, []row{
		{"refuse", []Toxic{&Down{}}, script{{0, "a"}}, "0s a, 0s EOF", nil},
		{"mirror", []Toxic{&Down{Mode: DownMirror}}, script{{0, "a"}}, "0s a, 0s EOF", nil},
		{"rst", []Toxic{&Down{Mode: DownRST}}, nil, "0s reset", ErrReset},
	})
}

func TestSlowClose(t *testing.T) {
	t.Parallel()
	check(t, []row{
		{"zero", []Toxic{&SlowClose{}}, script{{5 * ms, "a"}}, "5ms a, 5ms EOF", nil},
		{"delay", []Toxic{&SlowClose{Delay: time.Second}}, script{{5 * ms, "a"}}, "5ms a, 1.005s EOF", nil},
		{"two", []Toxic{&SlowClose{Delay: time.Second}, &SlowClose{Delay: time.Second}}, script{{5 * ms, "a"}}, "5ms a, 2.005s EOF", nil},
	})
}

func TestTimeout(t *testing.T) {
	t.Parallel()
	var steady script
	for i := range 20 {
		steady = append(steady, script{{time.Duration(i) * 20 * ms, "x"}}...)
	}
	check(t, []row{
		{"closes", []Toxic{&Timeout{Timeout: 400 * ms}}, script{{0, "a"}}, "400ms EOF", ErrClosed},
		{"absolute", []Toxic{&Timeout{Timeout: 400 * ms}}, steady, "400ms EOF", ErrClosed},
		{"behind_latency", []Toxic{&Latency{Latency: 10 * ms}, &Timeout{Timeout: 400 * ms}}, script{{0, "a"}}, "400ms EOF", ErrClosed},
		{"before_latency", []Toxic{&Timeout{Timeout: 400 * ms}, &Latency{Latency: 10 * ms}}, script{{0, "a"}}, "410ms EOF", ErrClosed},
	})
}

// What a timeout of 0 holds goes on when it is removed, the end too.
func TestTimeout_removed(t *testing.T) {
	t.Parallel()
	for _, timeout := range []time.Duration{0, 2 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			r := newRig(t, chain(&Timeout{Timeout: timeout})...)
			got := play(r, script{{0, "a"}, {ms, "b"}},
				func() { halfClose(r.client) },
				func() {
					r.at(time.Second, func() {
						if err := r.set.Remove("a"); err != nil {
							t.Error(err)
						}
					})
				})
			if want := "1s ab, 1s EOF"; got != want {
				t.Errorf("timeout %v: the server saw %s, want %s", timeout, got, want)
			}
			if err := r.end(); err != nil {
				t.Errorf("Run = %v", err)
			}
		})
	}
}

// Bytes are gone, the end comes when the toxic is removed.
func TestBlackhole(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, chain(&Blackhole{})...)
		got := play(r, script{{0, "lost"}},
			func() { r.at(time.Second, func() { r.send(r.server, "other way") }) },
			func() {
				buf := make([]byte, 20)
				if n, err := r.client.Read(buf); string(buf[:n]) != "other way" || err != nil {
					t.Errorf("the client read %q, %v", buf[:n], err)
				}
			},
			func() {
				if s := r.link.Status().Upstream; s.Read != 4 || s.Written != 0 || s.Dropped != 4 || s.Buffered != 0 || s.Toxics[0].Dropped != 4 {
					t.Errorf("Status = %+v, want 4 bytes dropped", s)
				}
			},
			func() { halfClose(r.client) },
			func() {
				r.at(time.Minute, func() {
					if err := r.set.Remove("a"); err != nil {
						t.Error(err)
					}
				})
			})
		if want := "1m0s EOF"; got != want {
			t.Errorf("the server saw %s, want %s", got, want)
		}
		if err := r.end(); err != nil {
			t.Errorf("Run = %v", err)
		}
	})
}

func TestResetPeer(t *testing.T) {
	t.Parallel()
	check(t, []row{
		{"after_a_time", []Toxic{&ResetPeer{Timeout: 300 * ms}}, script{{0, "a"}}, "300ms reset", ErrReset},
		{"at_once", []Toxic{&ResetPeer{}}, script{}, "0s reset", ErrReset},
		{"idle", []Toxic{&ResetPeer{Timeout: 300 * ms}}, script{}, "300ms reset", ErrReset},
		{"after_bytes", []Toxic{&ResetPeer{Timeout: ms, AfterBytes: 3}}, script{{5 * ms, "ab"}, {6 * ms, "cdef"}}, "5ms ab, 6ms c, 7ms reset", ErrReset},
		{"fewer_bytes", []Toxic{&ResetPeer{AfterBytes: 3}}, script{{5 * ms, "ab"}}, "5ms ab, 5ms EOF", nil},
		{"before_latency", []Toxic{&ResetPeer{Timeout: ms, AfterBytes: 1}, &Latency{Latency: 10 * ms}}, script{{0, "ab"}}, "10ms a, 11ms reset", ErrReset},
	})
}

// An open connection that is idle is reset at once, on both sides; and a change
// of the toxic counts what has passed.
func TestResetPeer_existing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		client := make(chan string)
		go func() { client <- r.log(r.client) }()
		got := play(r, script{{0, "a"}}, func() {
			r.at(5*time.Second, func() { add(t, r.set, NewSpec("a", Upstream, &ResetPeer{})) })
		})
		if want := "0s a, 5s reset"; got != want {
			t.Errorf("the server saw %s, want %s", got, want)
		}
		if got, want := <-client, "5s reset"; got != want {
			t.Errorf("the client saw %s, want %s", got, want)
		}
		if err := r.end(); !errors.Is(err, ErrReset) || !strings.Contains(err.Error(), `"a"`) {
			t.Errorf("Run = %v, want a reset by a", err)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, chain(&ResetPeer{AfterBytes: 2, Timeout: time.Hour})...)
		got := play(r, script{{ms, "abc"}}, func() {
			r.at(time.Second, func() {
				if err := r.set.Update(NewSpec("a", Upstream, &ResetPeer{AfterBytes: 2, Timeout: 3 * time.Second})); err != nil {
					t.Error(err)
				}
			})
		})
		if want := "1ms ab, 3.001s reset"; got != want {
			t.Errorf("the server saw %s, want %s", got, want)
		}
		if err := r.end(); !errors.Is(err, ErrReset) {
			t.Errorf("Run = %v", err)
		}
	})
}

func TestSlicer(t *testing.T) {
	t.Parallel()
	check(t, []row{
		{"sizes", []Toxic{&Slicer{AverageSize: 3, Delay: 10 * ms}}, script{{0, "abcdefgh"}}, "0s abc, 10ms def, 20ms gh, 30ms EOF", nil},
		{"pause_over", []Toxic{&Slicer{AverageSize: 3, Delay: 10 * ms}}, script{{0, "abcd"}, {time.Second, "ef"}}, "0s abc, 10ms d, 1s ef, 1.01s EOF", nil},
		{"varied", []Toxic{&Slicer{AverageSize: 3, SizeVariation: 2, Delay: 10 * ms}}, script{{0, "abcdefghijkl"}}, "0s abcd, 10ms e, 20ms fg, 30ms hij, 40ms k, 50ms l, 60ms EOF", nil},
		{"micros", []Toxic{&Slicer{AverageSize: 1, Delay: 5 * time.Microsecond}}, script{{0, "ab"}}, "0s a, 5µs b, 10µs EOF", nil},
	})
}

func TestLimitData(t *testing.T) {
	t.Parallel()
	check(t, []row{
		{"exactly", []Toxic{&LimitData{Bytes: 3}}, script{{0, "ab"}, {ms, "cd"}}, "0s ab, 1ms c, 1ms EOF", ErrClosed},
		{"on_the_dot", []Toxic{&LimitData{Bytes: 3}}, script{{0, "abc"}}, "0s abc, 0s EOF", ErrClosed},
		{"fewer", []Toxic{&LimitData{Bytes: 3}}, script{{0, "ab"}}, "0s ab, 0s EOF", nil},
		{"zero", []Toxic{&LimitData{}}, script{{3 * ms, "a"}}, "3ms EOF", ErrClosed},
		{"zero_unused", []Toxic{&LimitData{}}, script{}, "0s EOF", nil},
		{"rst", []Toxic{&LimitData{Bytes: 0, Close: "rst"}}, script{{3 * ms, "a"}}, "3ms reset", ErrReset},
	})
}

// The count survives a change; a limit below it ends the connection at once.
func TestLimitData_update(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name string
		to   int64
		want string
	}{
		{"more", 5, "0s abc, 2s de, 2s EOF"},
		{"less", 2, "0s abc, 1s EOF"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, chain(&LimitData{Bytes: 4})...)
				got := play(r, script{{0, "abc"}},
					func() {
						r.at(time.Second, func() {
							if err := r.set.Update(NewSpec("a", Upstream, &LimitData{Bytes: row.to})); err != nil {
								t.Error(err)
							}
						})
					},
					func() { r.at(2*time.Second, func() { _, _ = r.client.Write([]byte("defg")) }) })
				if got != row.want {
					t.Errorf("the server saw %s, want %s", got, row.want)
				}
				if err := r.end(); !errors.Is(err, ErrClosed) {
					t.Errorf("Run = %v", err)
				}
			})
		})
	}
}

// Corrupt flips a bit of just the bytes it was told, and says which.
func TestCorrupt(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name string
		in   Corrupt
		want string
	}{
		{"offsets", Corrupt{Offsets: []int64{6, 1, 6, 100}}, "0s hglhoworld"},
		{"rate_1", Corrupt{Rate: 1}, ""},
		{"rate", Corrupt{Rate: 0.3}, ""},
	}
	const text = "helloworld"
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var runs [2]string
				for i := range runs {
					r := newRig(t, chain(&row.in)...)
					r.send(r.client, text[:4])
					synctest.Wait()
					r.send(r.client, text[4:])
					synctest.Wait()
					buf := make([]byte, 20)
					n, err := r.server.Read(buf)
					if err != nil {
						t.Fatal(err)
					}
					runs[i] = string(buf[:n])
					undone := buf[:n]
					marks := r.link.Status().Upstream.Toxics[0].Marks
					for _, m := range marks {
						undone[m.Offset] ^= 1 << m.Bit
					}
					if string(undone) != text || len(marks) == 0 {
						t.Errorf("the server saw %q, which %v turns into %q, want %q", runs[i], marks, undone, text)
					}
					switch {
					case row.in.Rate == 1 && len(marks) != len(text):
						t.Errorf("%d bytes were changed, want all %d", len(marks), len(text))
					case row.in.Rate == 0 && len(marks) != 2:
						t.Errorf("%v were changed, want 1 and 6", marks)
					}
					if err := r.end(); err != nil {
						t.Errorf("Run = %v", err)
					}
				}
				if runs[0] != runs[1] {
					t.Errorf("the same seed gave %q and %q", runs[0], runs[1])
				}
			})
		})
	}
}

// A reset that is still to come does not come when the toxic is removed, which
// takes no time; what it held goes on.
func TestResetPeer_removed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, chain(&ResetPeer{Timeout: 6 * time.Second})...)
		got := play(r, script{{0, "a"}},
			func() {
				r.at(time.Second, func() {
					if err := r.set.Remove("a"); err != nil {
						t.Error(err)
					}
				})
			},
			func() { r.at(time.Minute, func() { halfClose(r.client) }) })
		if want := "1s a, 1m0s EOF"; got != want {
			t.Errorf("the server saw %s, want %s", got, want)
		}
		if err := r.end(); err != nil {
			t.Errorf("Run = %v", err)
		}
	})
}
