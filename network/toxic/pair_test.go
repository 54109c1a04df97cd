package toxic

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
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
		"down":       {&Down{}, &Down{Mode: DownMirror}},
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
