package toxic

import (
	"bytes"
	"crypto/sha256"
	"io"
	"net"
	"testing"
	"time"
)

// sockets returns the ends of a TCP connection over loopback.
func sockets(t testing.TB) (client, server net.Conn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	client, err = net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	server, err = l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	return client, server
}

func connectSockets(t testing.TB, set *Set) *rig {
	t.Helper()
	client, front := sockets(t)
	back, server := sockets(t)
	return join(t, set, client, front, back, server)
}

// Toxics come and go on a connection that the kernel carries, under traffic: not
// a byte is lost, doubled or out of place.
func TestLink_spliceAndBack(t *testing.T) {
	t.Parallel()
	set := newSet(t, DefaultSettings())
	r := connectSockets(t, set)
	const size = 64 << 20
	data := make([]byte, size)
	for i := range data {
		data[i] = byte(i * 2654435761 >> 13)
	}
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		for rest := data; len(rest) > 0; {
			n := min(len(rest), 100_003)
			r.send(r.client, string(rest[:n]))
			rest = rest[n:]
		}
		halfClose(r.client)
	}()
	stop := make(chan struct{})
	toggled := make(chan int)
	go func() {
		n := 0
		for ; ; n++ {
			select {
			case <-stop:
				toggled <- n
				return
			default:
			}
			add(t, set, NewSpec("a", Upstream, &Latency{Latency: ms}))
			if err := set.Remove("a"); err != nil {
				t.Error(err)
			}
		}
	}()
	sum := sha256.New()
	n, err := io.Copy(sum, r.server)
	close(stop)
	<-sent
	want := sha256.Sum256(data)
	if err != nil || n != size || !bytes.Equal(sum.Sum(nil), want[:]) {
		t.Errorf("received %d bytes (%v) that hash otherwise, want %d", n, err, size)
	}
	if n := <-toggled; n == 0 {
		t.Error("no toxic came while bytes flowed")
	}
	if err := r.end(); err != nil {
		t.Errorf("Run = %v", err)
	}
}

// A spliced connection meets a toxic with the next byte.
func TestLink_interruptsSplice(t *testing.T) {
	t.Parallel()
	set := newSet(t, DefaultSettings())
	r := connectSockets(t, set)
	echo := func() time.Duration {
		begin := time.Now()
		r.send(r.client, "x")
		if _, err := r.server.Read(make([]byte, 1)); err != nil {
			t.Error(err)
		}
		return time.Since(begin)
	}
	for range 3 {
		echo()
		add(t, set, NewSpec("a", Upstream, &Latency{Latency: 50 * ms}))
		if took := echo(); took < 50*ms {
			t.Errorf("with the toxic a byte took %v, want at least 50ms", took)
		}
		if err := set.Remove("a"); err != nil {
			t.Error(err)
		}
	}
	if err := r.end(); err != nil {
		t.Errorf("Run = %v", err)
	}
}
