package proxy

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/brunt-go/brunt/network/toxic"
)

// echoing is a server over sockets that sends back what it gets.
func echoing(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	all.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			all.Go(func() {
				defer c.Close()
				_, _ = io.Copy(c, c) // until the peer has ended, however
			})
		}
	})
	t.Cleanup(func() { l.Close(); all.Wait() })
	return l.Addr().String()
}

// started is a proxy over sockets.
func started(t *testing.T, upstream string) *Proxy {
	t.Helper()
	s := DefaultSettings()
	s.Name, s.Upstream = "p", upstream
	p, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	return p
}

func dial(t *testing.T, p *Proxy) *net.TCPConn {
	t.Helper()
	c, err := net.Dial("tcp", p.Addr())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c.(*net.TCPConn)
}

// 100 MB through every toxic that lets bytes pass come out as they went in.
func TestProxy_hundredMegabytes(t *testing.T) {
	t.Parallel()
	const size = 100 << 20
	data := make([]byte, size)
	rand.NewChaCha8([32]byte{}).Read(data)
	want := sha256.Sum256(data)
	for name, toxics := range map[string]toxic.Toxic{
		"none":       nil,
		"noop":       &toxic.Noop{},
		"latency":    &toxic.Latency{Latency: 5 * time.Millisecond, Jitter: 5 * time.Millisecond},
		"bandwidth":  &toxic.Bandwidth{Rate: 1_000_000},
		"slow_close": &toxic.SlowClose{Delay: 10 * time.Millisecond},
		"slicer":     &toxic.Slicer{AverageSize: 20_000, SizeVariation: 10_000},
		"limit_data": &toxic.LimitData{Bytes: size},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := started(t, echoing(t))
			if toxics != nil {
				if err := p.Add(toxic.NewSpec("x", toxic.Downstream, toxics)); err != nil {
					t.Fatal(err)
				}
			}
			c := dial(t, p)
			go func() {
				_, _ = c.Write(data) // what is missing is seen below
				_ = c.CloseWrite()
			}()
			sum := sha256.New()
			n, err := io.Copy(sum, struct{ io.Reader }{c})
			if err != nil || n != size || !bytes.Equal(sum.Sum(nil), want[:]) {
				t.Errorf("%d bytes came back (%v) that hash otherwise, want %d", n, err, size)
			}
		})
	}
}

// A RST of either peer is one on the other side, also on idle connections, and a
// toxicity of 0 changes nothing. See network.md 5.12 5.13 5.14.
func TestProxy_sockets(t *testing.T) {
	t.Parallel()
	p := started(t, echoing(t))
	spec := toxic.NewSpec("x", toxic.Downstream, &toxic.ResetPeer{})
	spec.Toxicity = 0
	if err := p.Add(spec); err != nil {
		t.Fatal(err)
	}
	for range 200 {
		c := dial(t, p)
		if _, err := io.WriteString(c, "hello"); err != nil {
			t.Fatal(err)
		}
		if err := c.CloseWrite(); err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(c); string(got) != "hello" || err != nil {
			t.Fatalf("with toxicity 0 read %q, %v, want hello", got, err)
		}
		c.Close()
	}
	idle := dial(t, p)
	if err := p.Update("x", func(s toxic.Spec) (toxic.Spec, error) { s.Toxicity = 1; return s, nil }); err != nil {
		t.Fatal(err)
	}
	if _, err := idle.Read(make([]byte, 1)); !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("an idle connection: %v, want a reset", err)
	}
}

// files counts the file descriptors of this process.
func files(t *testing.T) int {
	t.Helper()
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return 0 // only Linux tells
	}
	return len(list)
}

// Peers that come, stall, are cut off and go at random, under toxics that change at
// random, leave nothing behind: no goroutine, no file descriptor, no memory.
//
//nolint:paralleltest // it counts the goroutines and files of the process
func TestProxy_soak(t *testing.T) {
	clients, length := 100, 2*time.Second
	if os.Getenv("BRUNT_SOAK") != "" {
		clients, length = 2000, 30*time.Second
	}
	upstream := echoing(t)
	before, open := runtime.NumGoroutine(), files(t)
	p := started(t, upstream)
	until := time.Now().Add(length)
	var all sync.WaitGroup
	for i := range clients {
		all.Go(func() {
			random := rand.New(rand.NewPCG(7, uint64(i)))
			for time.Now().Before(until) {
				visit(p.Addr(), random)
			}
		})
	}
	all.Go(func() { vary(t, p, until) })
	all.Wait()
	p.Close()
	if s := p.Stats(); s.Open != 0 || s.Connections == 0 {
		t.Errorf("Stats = %+v, want none open", s)
	}
	for wait := time.Now().Add(5 * time.Second); time.Now().Before(wait); runtime.Gosched() {
		if runtime.NumGoroutine() <= before && files(t) <= open {
			return
		}
	}
	t.Errorf("%d goroutines and %d files, want the %d and %d there were", runtime.NumGoroutine(), files(t), before, open)
}

// visit is a client that does one of the things clients do.
func visit(address string, random *rand.Rand) {
	nc, err := net.Dial("tcp", address)
	if err != nil {
		return
	}
	c := nc.(*net.TCPConn)
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(100 * time.Millisecond)) // on an open connection
	data := make([]byte, random.IntN(20_000))
	switch random.IntN(5) {
	case 0: // never reads
		_, _ = c.Write(make([]byte, 1<<20))
	case 1: // resets
		_, _ = c.Write(data)
		_ = c.SetLinger(0)
	case 2: // only waits
		_, _ = c.Read(data)
	default:
		_, _ = c.Write(data)
		_ = c.CloseWrite()
		_, _ = io.Copy(io.Discard, c)
	}
}

// vary adds, changes and removes toxics.
func vary(t *testing.T, p *Proxy, until time.Time) {
	random := rand.New(rand.NewPCG(7, 7))
	kinds := []toxic.Toxic{
		&toxic.Latency{Latency: 3 * time.Millisecond}, &toxic.Bandwidth{Rate: 5000}, &toxic.Timeout{Timeout: 20 * time.Millisecond},
		&toxic.Blackhole{}, &toxic.ResetPeer{AfterBytes: 3000}, &toxic.Slicer{AverageSize: 500}, &toxic.LimitData{Bytes: 9000},
		&toxic.Corrupt{Rate: 0.01}, &toxic.Noop{}, &toxic.Down{Mode: toxic.DownRST}, &toxic.Down{}, &toxic.Down{Mode: toxic.DownMirror},
	}
	for time.Now().Before(until) {
		s := toxic.NewSpec("x", []toxic.Stream{toxic.Upstream, toxic.Downstream}[random.IntN(2)], kinds[random.IntN(len(kinds))])
		if err := p.Add(s); err != nil {
			t.Error(err)
		}
		for range random.IntN(5) {
			_ = p.Stats()
			_ = p.Connections()
			runtime.Gosched()
		}
		for err := p.Remove("x"); err != nil; err = p.Remove("x") {
			if time.Now().After(until.Add(5 * time.Second)) { // its port was taken for a moment by one of the clients
				t.Error(err)
				return
			}
		}
	}
}
