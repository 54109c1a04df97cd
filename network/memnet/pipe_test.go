package memnet

import (
	"bytes"
	"fmt"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"
)

// step is one thing a writer or a reader does.
type step struct {
	size  int           // bytes to write, or to ask for
	pause time.Duration // before it, so that both directions and both ends interleave
}

var steps = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) step {
	return step{
		size:  rapid.IntRange(0, 200).Draw(t, "size"),
		pause: time.Duration(rapid.IntRange(0, 3).Draw(t, "pause")) * time.Millisecond,
	}
}), 1, 30)

// Whatever the sizes of writes, reads and buffer and however they interleave,
// the peer reads exactly the bytes that were written, in order, and then the
// end; in both directions, each closed on its own.
func TestConn_deliversExactly(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		settings := Settings{Buffer: rapid.IntRange(1, 300).Draw(rt, "buffer"), Backlog: 1}
		var writes, reads [2][]step
		for end := range 2 {
			writes[end] = steps.Draw(rt, fmt.Sprint("writes", end))
			reads[end] = steps.Draw(rt, fmt.Sprint("reads", end))
		}
		var sent, got [2][]byte
		var errs [2]error
		synctest.Test(t, func(t *testing.T) {
			a, b := connect(t, settings)
			ends := [2]*Conn{a, b}
			for i, c := range ends {
				go func() {
					sent[i] = writeSteps(c, writes[i], byte(i))
					c.CloseWrite()
				}()
				go func() { got[i], errs[i] = readSteps(c, reads[i]) }()
			}
			synctest.Wait()
			time.Sleep(time.Minute) // longer than all pauses together
			a.Close()
			b.Close()
		})
		for i := range 2 {
			if errs[i] != nil || !bytes.Equal(got[i], sent[1-i]) {
				rt.Errorf("end %d read %d bytes, %v, want the %d its peer wrote", i, len(got[i]), errs[i], len(sent[1-i]))
			}
		}
	})
}

// writeSteps writes bytes that count on, through one slice that it overwrites.
func writeSteps(c *Conn, todo []step, next byte) (sent []byte) {
	b := make([]byte, 200)
	for _, s := range todo {
		time.Sleep(s.pause)
		for i := range s.size {
			b[i] = next
			next += 7
		}
		n, err := c.Write(b[:s.size])
		sent = append(sent, b[:n]...)
		if err != nil {
			return sent
		}
	}
	return sent
}

// readSteps reads to the end; after the last step it goes on like that.
func readSteps(c *Conn, todo []step) (got []byte, err error) {
	for i := 0; ; i++ {
		s := todo[min(i, len(todo)-1)]
		time.Sleep(s.pause)
		b := make([]byte, s.size+1)
		n, err := c.Read(b)
		got = append(got, b[:n]...)
		if err == io.EOF { //nolint:errorlint // the contract of Read is the bare value
			return got, nil
		}
		if err != nil {
			return got, err
		}
	}
}

// The ring is a queue of bytes with a limit, and nothing else.
func TestRing_isAQueue(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(1, 3*minRing).Draw(t, "limit")
		r := ring{limit: limit}
		var model []byte
		next := byte(0)
		t.Repeat(map[string]func(*rapid.T){
			"push": func(t *rapid.T) {
				b := make([]byte, rapid.IntRange(0, 2*minRing).Draw(t, "n"))
				for i := range b {
					b[i] = next + byte(i)
				}
				n := r.push(b)
				if want := min(len(b), limit-len(model)); n != want {
					t.Fatalf("push of %d = %d, want %d", len(b), n, want)
				}
				model = append(model, b[:n]...)
				next += byte(n)
			},
			"pop": func(t *rapid.T) {
				b := make([]byte, rapid.IntRange(0, 2*minRing).Draw(t, "n"))
				n := r.pop(b)
				want := model[:min(len(b), len(model))]
				if !bytes.Equal(b[:n], want) {
					t.Fatalf("pop into %d = %d bytes, want %d, or they differ", len(b), n, len(want))
				}
				model = model[n:]
			},
			"drop": func(*rapid.T) {
				r.drop()
				model = nil
			},
			"": func(t *rapid.T) {
				if r.size != len(model) || r.room() != limit-len(model) || len(r.buf) > limit {
					t.Fatalf("size, room, memory = %d, %d, %d, want %d, %d, at most %d", r.size, r.room(), len(r.buf), len(model), limit-len(model), limit)
				}
			},
		})
	})
}
