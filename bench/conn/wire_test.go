package main

import (
	"errors"
	"io"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/brunt-go/brunt/bench/internal/role"
)

func TestTurns(t *testing.T) {
	t.Parallel()
	const ms = time.Millisecond
	if got := turnOf(25, 100, 50*ms); got != 12500*time.Microsecond {
		t.Errorf("line 25 of 100 starts at %v, want 12.5ms", got)
	}
	begin := time.Unix(0, 0)
	rows := []struct {
		name     string
		due, now time.Duration
		want     time.Duration
	}{
		{name: "in_time", due: 10 * ms, now: 11 * ms, want: 20 * ms},
		{name: "just_in_time", due: 10 * ms, now: 20 * ms, want: 20 * ms},
		{name: "a_turn_missed", due: 10 * ms, now: 21 * ms, want: 30 * ms},
		{name: "many_missed", due: 10 * ms, now: 95 * ms, want: 100 * ms},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			if got := nextTurn(begin.Add(row.due), begin.Add(row.now), 10*ms).Sub(begin); got != row.want {
				t.Errorf("after the turn at %v, at %v, comes %v, want %v", row.due, row.now, got, row.want)
			}
		})
	}
}

// The upstream echoes frames and sends as many bytes as it is asked for, directly
// and through the copying peer.
func TestAnswer(t *testing.T) {
	t.Parallel()
	serve := func(serve func(net.Conn)) string {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- each(serve)(l) }()
		t.Cleanup(func() {
			l.Close()
			if err := <-ended; !errors.Is(err, net.ErrClosed) {
				t.Error(err)
			}
		})
		return l.Addr().String()
	}
	upstream := serve(answer)
	for name, addr := range map[string]string{"direct": upstream, "splice": serve(splicer(upstream))} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, err := open(t.Context(), addr, 3)
			if err != nil {
				t.Fatal(err)
			}
			defer f.close()
			var steps atomic.Int64
			took, _, err := f.run(time.Nanosecond, func(l *line) error {
				steps.Add(1)
				return errors.Join(l.echo(), l.fetch(300_000), l.fetch(1), l.echo())
			})
			if err != nil || len(took) != 3 || steps.Load() != 3 {
				t.Errorf("%d steps, %d times, %v; want 3, 3 and no error", steps.Load(), len(took), err)
			}
			l := f.lines[0]
			if err := l.conn.(*net.TCPConn).CloseWrite(); err != nil {
				t.Fatal(err)
			}
			if n, err := l.conn.Read(make([]byte, 1)); n != 0 || !errors.Is(err, io.EOF) {
				t.Errorf("after the end came %d bytes, %v", n, err)
			}
		})
	}
}

func TestPlay_refuses(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{nil, {"router"}, {roleSplice}, {roleKeep, "file"}} {
		if err := play(args); err == nil {
			t.Errorf("play(%q) succeeded", args)
		}
	}
	if role.Word == roleKeep {
		t.Error("a role is named as what starts one")
	}
}
