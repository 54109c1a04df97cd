package toxic

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"net"
	"runtime"
	"strings"
	"syscall"
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
	const size = 16 << 20
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

// The end of a direction and a reset travel over sockets that the kernel joins.
func TestLink_socketEnds(t *testing.T) {
	t.Parallel()
	t.Run("half_close", func(t *testing.T) {
		t.Parallel()
		r := connectSockets(t, newSet(t, DefaultSettings()))
		go func() {
			got, err := io.ReadAll(r.server)
			if err != nil {
				t.Error(err)
			}
			r.send(r.server, "got "+string(got))
			r.server.Close()
		}()
		r.send(r.client, "hello")
		halfClose(r.client)
		if got, err := io.ReadAll(r.client); string(got) != "got hello" || err != nil {
			t.Errorf("the client read %q, %v, want an answer", got, err)
		}
		if err := r.end(); err != nil {
			t.Errorf("Run = %v", err)
		}
	})
	for _, latency := range []bool{false, true} {
		t.Run("reset", func(t *testing.T) {
			t.Parallel()
			set := newSet(t, DefaultSettings())
			if latency {
				add(t, set, NewSpec("a", Downstream, &Latency{Latency: 5 * ms}))
			}
			r := connectSockets(t, set)
			r.send(r.server, "x")
			if _, err := r.client.Read(make([]byte, 1)); err != nil {
				t.Error(err)
			}
			hangUp(r.server, true)
			if _, err := r.client.Read(make([]byte, 1)); !errors.Is(err, syscall.ECONNRESET) {
				t.Errorf("the client's Read = %v, want %v", err, syscall.ECONNRESET)
			}
			if err := r.end(); !errors.Is(err, ErrReset) {
				t.Errorf("Run = %v, want %v", err, ErrReset)
			}
		})
	}
}

// Over sockets, exactly the bytes before a reset arrive, then a RST; an idle
// connection gets one too.
func TestResetPeer_sockets(t *testing.T) {
	t.Parallel()
	for _, n := range []int64{0, 1, 100_000} {
		set := newSet(t, DefaultSettings())
		r := connectSockets(t, set)
		toxic := ResetPeer{AfterBytes: n}
		go func() {
			add(t, set, NewSpec("a", Downstream, &toxic))
			if n > 0 {
				_, _ = r.server.Write(make([]byte, 3*n)) // fails with the reset
			}
		}()
		got, err := io.Copy(io.Discard, struct{ io.Reader }{r.client})
		if got != n || !errors.Is(err, syscall.ECONNRESET) {
			t.Errorf("after_bytes %d: the client read %d and then %v, want a reset", n, got, err)
		}
		if _, err := io.Copy(io.Discard, struct{ io.Reader }{r.server}); !errors.Is(err, syscall.ECONNRESET) {
			t.Errorf("after_bytes %d: the server read %v, want a reset", n, err)
		}
		if err := r.end(); !errors.Is(err, ErrReset) {
			t.Errorf("Run = %v, want %v", err, ErrReset)
		}
	}
}

// Bytes the kernel moves are counted while the connection is open.
func TestLink_spliceCounts(t *testing.T) {
	t.Parallel()
	r := connectSockets(t, newSet(t, DefaultSettings()))
	const size = 1 << 20
	go func() { r.send(r.client, strings.Repeat("x", size)) }()
	if _, err := io.ReadFull(r.server, make([]byte, size)); err != nil {
		t.Fatal(err)
	}
	for r.link.Status().Upstream.Written != size { // it is counted just after it was moved
		runtime.Gosched()
	}
	if err := r.end(); err != nil {
		t.Errorf("Run = %v", err)
	}
}

// Echo over sockets without toxics, beside a direct connection.
func BenchmarkLink_echo(b *testing.B) {
	echo := func(b *testing.B, client, server net.Conn) {
		go func() { _, _ = io.Copy(struct{ io.Writer }{server}, struct{ io.Reader }{server}) }()
		buf := make([]byte, 64)
		for b.Loop() {
			if _, err := client.Write(buf); err != nil {
				b.Fatal(err)
			}
			if _, err := io.ReadFull(client, buf); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.Run("direct", func(b *testing.B) {
		client, server := sockets(b)
		echo(b, client, server)
		client.Close()
		server.Close()
	})
	b.Run("link", func(b *testing.B) {
		r := connectSockets(b, newSet(b, DefaultSettings()))
		echo(b, r.client, r.server)
		_ = r.end()
	})
}

// Bulk over sockets without toxics, beside a direct connection.
func BenchmarkLink_bulk(b *testing.B) {
	bulk := func(b *testing.B, client, server net.Conn) {
		go func() { _, _ = io.Copy(io.Discard, struct{ io.Reader }{server}) }()
		buf := make([]byte, 1<<20)
		b.SetBytes(int64(len(buf)))
		for b.Loop() {
			if _, err := client.Write(buf); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.Run("direct", func(b *testing.B) {
		client, server := sockets(b)
		bulk(b, client, server)
		client.Close()
		server.Close()
	})
	b.Run("link", func(b *testing.B) {
		r := connectSockets(b, newSet(b, DefaultSettings()))
		bulk(b, r.client, r.server)
		_ = r.end()
	})
}

// Over sockets all bytes get through the toxics that lose none, unchanged.
func TestToxics_sockets(t *testing.T) {
	t.Parallel()
	data := make([]byte, 4<<20)
	for i := range data {
		data[i] = byte(i * 2654435761 >> 11)
	}
	for name, in := range map[string]Toxic{
		"latency":   &Latency{Latency: 3 * ms, Jitter: 2 * ms},
		"bandwidth": &Bandwidth{Rate: 50_000},
		"slicer":    &Slicer{AverageSize: 5000, SizeVariation: 3000},
		"noop":      &Noop{},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			set := newSet(t, DefaultSettings())
			add(t, set, NewSpec("a", Upstream, in))
			r := connectSockets(t, set)
			go func() {
				r.send(r.client, string(data))
				halfClose(r.client)
			}()
			got, err := io.ReadAll(r.server)
			if err != nil || !bytes.Equal(got, data) {
				t.Errorf("received %d bytes (%v), want the %d that were sent", len(got), err, len(data))
			}
			if err := r.end(); err != nil {
				t.Errorf("Run = %v", err)
			}
		})
	}
}

// A toxic that comes while a connection waits gets what is sent after that, also where
// the kernel moved what was sent before.
func TestLink_toxicBetweenMessages(t *testing.T) {
	t.Parallel()
	set := newSet(t, DefaultSettings())
	r := connectSockets(t, set)
	message := make([]byte, 8<<10)
	for range 3 {
		r.send(r.client, string(message))
		if _, err := io.ReadFull(r.server, message); err != nil {
			t.Fatal(err)
		}
	}
	add(t, set, NewSpec("cut", Upstream, &LimitData{Bytes: 100_000}))
	sent := make([]byte, 200_000) // more than a buffer, so that it is taken in parts
	for i := range sent {
		sent[i] = byte(i % 251)
	}
	r.send(r.client, string(sent))
	halfClose(r.client)
	if got, err := io.ReadAll(r.server); err != nil || !bytes.Equal(got, sent[:100_000]) {
		t.Errorf("received %d bytes, %v; want the first 100000", len(got), err)
	}
}
