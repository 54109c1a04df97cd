package toxic

import (
	"errors"
	"io"
	"net"
	"syscall"
	"testing"
	"time"
)

// A reset reaches the other peer also where that reads nothing, so that everything
// on the way is full and the reader has stopped.
func TestLink_resetWhileFull(t *testing.T) {
	t.Parallel()
	for name, specs := range map[string][]Spec{
		"bare":    nil,
		"latency": {NewSpec("a", Upstream, &Latency{Latency: ms})},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			settings := DefaultSettings()
			settings.Buffer = 100_000
			set := newSet(t, settings)
			for _, s := range specs {
				add(t, set, s)
			}
			r := connectSockets(t, set)
			if err := r.client.SetWriteDeadline(time.Now().Add(200 * ms)); err != nil {
				t.Error(err)
			}
			if n, err := io.Copy(r.client, endless{}); !isTimeout(err) {
				t.Errorf("the client wrote %d bytes and then %v, want a timeout", n, err)
			}
			giveUp := time.AfterFunc(20*time.Second, r.link.Close)
			hangUp(r.client, true)
			if err := <-r.done; !errors.Is(err, ErrReset) {
				t.Errorf("Run = %v, want %v", err, ErrReset)
			}
			giveUp.Stop()
			if _, err := io.Copy(io.Discard, struct{ io.Reader }{r.server}); !errors.Is(err, syscall.ECONNRESET) {
				t.Errorf("the server read to %v, want %v", err, syscall.ECONNRESET)
			}
			r.server.Close()
		})
	}
}

// A peer that begins to read again late gets everything.
func TestLink_stuckForAWhile(t *testing.T) {
	t.Parallel()
	r := connectSockets(t, newSet(t, DefaultSettings()))
	const size = 32 << 20
	go func() {
		r.send(r.client, string(make([]byte, size)))
		halfClose(r.client)
	}()
	for range 3 {
		if _, err := io.ReadFull(r.server, make([]byte, size/4)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * stuckAfter)
	}
	if n, err := io.Copy(io.Discard, r.server); n != size/4 || err != nil {
		t.Errorf("the server read %d bytes at last, %v, want %d", n, err, size/4)
	}
	if err := r.end(); err != nil {
		t.Errorf("Run = %v", err)
	}
}

// endless is a reader of zeros.
type endless struct{}

func (endless) Read(b []byte) (int, error) { return len(b), nil }

func isTimeout(err error) bool {
	var t net.Error
	return errors.As(err, &t) && t.Timeout()
}
