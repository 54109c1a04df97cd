package toxic

import (
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"sync"
	"testing"
	"time"
)

// Connections come and go over sockets while random toxics do: everything ends,
// and nothing is left (goleak looks at the goroutines).
func TestSet_soak(t *testing.T) {
	t.Parallel()
	set := newSet(t, DefaultSettings())
	random := rand.New(rand.NewPCG(20260731, 1))
	stop := make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		for kind := 0; ; kind++ {
			name := Kinds()[kind%len(Kinds())]
			stream := []Stream{Upstream, Downstream}[random.IntN(2)]
			add(t, set, Spec{Name: "a", Stream: stream, Toxicity: random.Float64(), Toxic: samples()[name][0]})
			time.Sleep(time.Duration(random.IntN(3000)) * time.Microsecond)
			if err := set.Update(Spec{Name: "a", Stream: stream, Toxicity: random.Float64(), Toxic: samples()[name][1]}); err != nil {
				t.Error(err)
			}
			time.Sleep(time.Duration(random.IntN(3000)) * time.Microsecond)
			if err := set.Remove("a"); err != nil {
				t.Error(err)
			}
			select {
			case <-stop:
				return
			default:
			}
		}
	})
	var clients sync.WaitGroup
	for range 16 {
		clients.Go(func() {
			for range 20 {
				r := connectSockets(t, set)
				go func() {
					_, _ = io.Copy(struct{ io.Writer }{r.server}, struct{ io.Reader }{r.server}) // ends with the link
					r.server.Close()
				}()
				exchange(t, r.client)
				r.client.Close()
				if err := <-r.done; err != nil && !errors.Is(err, ErrReset) && !errors.Is(err, ErrClosed) {
					t.Errorf("Run = %v", err)
				}
			}
		})
	}
	clients.Wait()
	close(stop)
	all.Wait()
	if n := len(set.Links()); n != 0 {
		t.Errorf("%d links are left", n)
	}
}

// exchange sends and receives until something breaks, or enough has passed, or
// a toxic has eaten the answer.
func exchange(t *testing.T, c net.Conn) {
	t.Helper()
	if err := c.SetDeadline(time.Now().Add(50 * ms)); err != nil {
		t.Error(err)
	}
	buf := make([]byte, 4096)
	for range 20 {
		if _, err := c.Write(buf); err != nil {
			return
		}
		if _, err := io.ReadFull(c, buf); err != nil {
			return
		}
	}
}
