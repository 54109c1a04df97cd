package control

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// roles are what this test binary does in another process, until it is killed.
func roles() map[string]func(address string) {
	return map[string]func(string){"daemon": playDaemon, "upstream": playUpstream, "client": playClient, "owner": playOwner}
}

func must[T any](v T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stdout, "failed:", err)
		os.Exit(1)
	}
	return v
}

// playDaemon is a server.
func playDaemon(string) {
	limitFiles()
	s := must(NewServer(DefaultSettings()))
	l := must(net.Listen("tcp", "127.0.0.1:0"))
	fmt.Fprintln(os.Stdout, l.Addr())
	_ = http.Serve(l, s.Handler()) //nolint:gosec // it is killed
}

// playUpstream echoes at an address.
func playUpstream(address string) {
	l := must(net.Listen("tcp", address))
	fmt.Fprintln(os.Stdout, l.Addr())
	for {
		c := must(l.Accept())
		go func() {
			defer c.Close()
			_, _ = io.Copy(c, c) // until it ends
		}()
	}
}

// playClient sends through ten connections to an address without end.
func playClient(address string) {
	for range 10 {
		c := must(net.Dial("tcp", address))
		go func() { _, _ = io.Copy(io.Discard, c) }()
		go func() { _, _ = io.Copy(c, endless{}) }()
	}
	fmt.Fprintln(os.Stdout, "ready")
	select {}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

// playOwner makes a proxy that is to be gone with it.
func playOwner(address string) {
	c := must(NewClient(address, WithLease(300*time.Millisecond)))
	p := must(c.Create(context.Background(), ProxySpec{Name: "owned", Listen: "127.0.0.1:0", Upstream: "127.0.0.1:1"}))
	fmt.Fprintln(os.Stdout, p.Listen)
	select {}
}

// process is this binary in a role.
type process struct {
	*exec.Cmd

	// said is its first line: an address.
	said string
}

func play(t *testing.T, role, address string, env ...string) *process {
	t.Helper()
	c := exec.CommandContext(t.Context(), os.Args[0])
	c.Env = append(append(os.Environ(), "BRUNT_TEST_ROLE="+role, "BRUNT_TEST_ADDRESS="+address), env...)
	c.Stderr = t.Output()
	if _, err := c.StdinPipe(); err != nil { // its end is ours
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	p := &process{Cmd: c}
	t.Cleanup(p.kill)
	line, err := bufio.NewReader(out).ReadString('\n')
	if p.said = strings.TrimSpace(line); err != nil || strings.HasPrefix(line, "failed") {
		t.Fatalf("%s said %q, %v", role, line, err)
	}
	return p
}

// kill ends it with SIGKILL.
func (p *process) kill() {
	_ = p.Process.Kill() // it may be gone
	_ = p.Wait()
}

// eventually waits until a condition holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("never: %s", what)
		}
	}
}

// stage is a daemon with a proxy "p" before an upstream, under load, each in a
// process of its own.
type stage struct {
	daemon, upstream, load *process
	client                 *Client
	proxy                  Proxy
}

func newStage(t *testing.T, env ...string) *stage {
	t.Helper()
	s := &stage{daemon: play(t, "daemon", "", env...), upstream: play(t, "upstream", "127.0.0.1:0")}
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	var err error
	if s.client, err = NewClient(s.daemon.said, WithHTTPClient(&http.Client{Transport: transport})); err != nil {
		t.Fatal(err)
	}
	s.proxy, err = s.client.Create(t.Context(), ProxySpec{Name: "p", Listen: "127.0.0.1:0", Upstream: s.upstream.said})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *stage) loaded(t *testing.T) *stage {
	t.Helper()
	s.load = play(t, "client", s.proxy.Listen)
	eventually(t, "bytes flow", func() bool { return s.stats(t).Downstream.Written > 1<<20 })
	return s
}

func (s *stage) stats(t *testing.T) Stats {
	t.Helper()
	stats, err := s.client.Stats(t.Context(), "p")
	if err != nil {
		t.Fatal(err)
	}
	return stats
}

func (s *stage) echoes(t *testing.T) bool {
	t.Helper()
	c, err := net.Dial("tcp", s.proxy.Listen)
	if err != nil {
		return false
	}
	defer c.Close()
	got := make([]byte, 5)
	_, _ = io.WriteString(c, "hello") // what comes back tells
	_, err = io.ReadFull(c, got)
	return err == nil && string(got) == "hello"
}

// A client that is killed leaves no connection behind.
func TestKill_client(t *testing.T) {
	t.Parallel()
	s := newStage(t).loaded(t)
	s.load.kill()
	eventually(t, "no connection is open", func() bool { return s.stats(t).Open == 0 })
	if !s.echoes(t) {
		t.Error("the proxy does not work any more")
	}
}

// An upstream that is killed takes its connections with it, and nothing else: when
// it is back, the proxy is too.
func TestKill_upstream(t *testing.T) {
	t.Parallel()
	s := newStage(t).loaded(t)
	s.upstream.kill()
	eventually(t, "no connection is open", func() bool { return s.stats(t).Open == 0 })
	if s.echoes(t) {
		t.Error("who echoes?")
	}
	play(t, "upstream", s.upstream.said)
	if !s.echoes(t) {
		t.Error("the upstream is back, and the proxy does not reach it")
	}
}

// A daemon that is killed takes everything with it: no port stays taken.
func TestKill_daemon(t *testing.T) {
	t.Parallel()
	s := newStage(t).loaded(t)
	c, err := net.Dial("tcp", s.proxy.Listen)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	s.daemon.kill()
	if _, err := io.Copy(io.Discard, c); err != nil && !strings.Contains(err.Error(), "reset") {
		t.Errorf("a connection through it ended with %v", err)
	}
	for _, address := range []string{s.daemon.said, s.proxy.Listen} {
		l, err := net.Listen("tcp", address)
		if err != nil {
			t.Errorf("its address is not free: %v", err)
			continue
		}
		l.Close()
	}
}

// An owner that is killed can't clean up: its lease does.
func TestKill_owner(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	owner := play(t, "owner", s.daemon.said)
	if _, err := s.client.Proxy(t.Context(), "owned"); err != nil {
		t.Fatal(err)
	}
	owner.kill()
	eventually(t, "its proxy is gone", func() bool {
		_, err := s.client.Proxy(t.Context(), "owned")
		return err != nil
	})
	if _, err := net.Dial("tcp", owner.said); err == nil {
		t.Error("its proxy still listens")
	}
}

// Without file descriptors, connections wait until there are some; then they are
// served, and it was told.
func TestFileLimit(t *testing.T) {
	t.Parallel()
	s := newStage(t, "BRUNT_TEST_FILES=64")
	var open []net.Conn
	for range 60 {
		c, err := net.Dial("tcp", s.proxy.Listen) // the kernel accepts, if nobody else does
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		open = append(open, c)
	}
	eventually(t, "it says that it can't accept", func() bool { return s.stats(t).AcceptErrors > 0 })
	for _, c := range open[:50] {
		c.Close()
	}
	eventually(t, "it works again", func() bool { return s.echoes(t) })
	var all sync.WaitGroup
	for _, c := range open[55:] { // those that waited
		all.Go(func() {
			_, _ = io.WriteString(c, "x") // what comes back tells
			if _, err := c.Read(make([]byte, 1)); err != nil && !strings.Contains(err.Error(), "EOF") && !strings.Contains(err.Error(), "reset") {
				t.Errorf("one that waited: %v", err)
			}
		})
	}
	all.Wait()
}
