package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/brunt-go/brunt/network/proxy/control"
)

// said is what a process has written so far.
type said struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *said) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *said) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// daemon is brunt proxy in a process of its own.
type daemon struct {
	cmd            *exec.Cmd
	url            string
	stdout, stderr said
	over           chan struct{} // closed when the process has ended
}

// startDaemon starts brunt proxy, on a free port unless the arguments say which,
// and returns when it listens.
func startDaemon(cmd *exec.Cmd) (*daemon, error) {
	d := &daemon{cmd: cmd, over: make(chan struct{})}
	cmd.Stdout, cmd.Stderr = &d.stdout, &d.stderr
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		_ = cmd.Wait() // its status is looked at by those who end it
		close(d.over)
	}()
	for deadline := time.Now().Add(time.Minute); ; pollEvery() {
		_, rest, found := strings.Cut(d.stdout.String(), "brunt proxy listens on ")
		if url, _, whole := strings.Cut(rest, "\n"); found && whole && strings.Contains(rest, "seed ") {
			d.url = url
			return d, nil
		}
		select {
		case <-d.over:
			return nil, fmt.Errorf("%v: ended with %d: %s", cmd.Args, cmd.ProcessState.ExitCode(), d.stderr.String())
		default:
		}
		if time.Now().After(deadline) {
			d.kill()
			return nil, fmt.Errorf("%v: does not listen: %s", cmd.Args, d.stderr.String())
		}
	}
}

// end sends a signal, and returns the exit status and how long it took.
func (d *daemon) end(s os.Signal) (int, time.Duration, error) {
	start := time.Now()
	if err := d.cmd.Process.Signal(s); err != nil {
		return 0, 0, err
	}
	select {
	case <-d.over:
		return d.cmd.ProcessState.ExitCode(), time.Since(start), nil
	case <-time.After(time.Minute):
		d.kill()
		return 0, 0, fmt.Errorf("still there a minute after %v: %s", s, d.stderr.String())
	}
}

// kill ends the process if it is there.
func (d *daemon) kill() {
	_ = d.cmd.Process.Kill() // fails when it has ended
	<-d.over
}

// runDaemon starts brunt proxy for a test, on a free port.
func runDaemon(t *testing.T, args ...string) *daemon {
	t.Helper()
	brunt, err := exec.LookPath("brunt")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(brunt, append([]string{"proxy", "-port", "0"}, args...)...)
	cmd.Env = append(os.Environ(), "GORACE="+raceSettings)
	d, err := startDaemon(cmd)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.kill)
	return d
}

func (d *daemon) client(t *testing.T) *control.Client {
	t.Helper()
	c, err := control.NewClient(d.url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// echo is an upstream that sends back what it gets, until the test has ended.
func echo(cleanup func(func())) (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				_, _ = io.Copy(c, c) // until the peer has gone
			}()
		}
	}()
	return l.Addr().String(), nil
}

func echoFor(t *testing.T) string {
	t.Helper()
	addr, err := echo(t.Cleanup)
	if err != nil {
		t.Fatal(err)
	}
	return addr
}

// daemonCmd starts a daemon, on a free port unless told, and an upstream that
// echoes: daemon [ARG...]. The environment gets BRUNT_PROXY_URL, PORT and UPSTREAM.
func daemonCmd(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("usage: daemon [ARG...]")
	}
	cmd := exec.Command(binDir(ts)+"/brunt", append([]string{"proxy", "-port", "0"}, args...)...)
	cmd.Dir, cmd.Env = ts.MkAbs("."), environ(ts)
	d, err := startDaemon(cmd)
	ts.Check(err)
	ts.Defer(d.kill)
	upstream, err := echo(ts.Defer)
	ts.Check(err)
	ts.Setenv("BRUNT_PROXY_URL", d.url)
	ts.Setenv("PORT", d.url[strings.LastIndexByte(d.url, ':')+1:])
	ts.Setenv("UPSTREAM", upstream)
	running.Store(ts, d)
}

// running are the daemons of scripts.
var running sync.Map

// endCmd sends the script's daemon a signal, and demands an exit status. What it
// wrote goes to daemon.out and daemon.err: end TERM 0.
func endCmd(ts *testscript.TestScript, neg bool, args []string) {
	signals := map[string]os.Signal{"INT": syscall.SIGINT, "TERM": syscall.SIGTERM, "KILL": syscall.SIGKILL}
	v, ok := running.LoadAndDelete(ts)
	if neg || len(args) != 2 || !ok {
		ts.Fatalf("usage: daemon, and then: end SIGNAL STATUS")
	}
	d := v.(*daemon) //nolint:forcetypeassert // daemonCmd puts nothing else there
	status, took, err := d.end(signals[args[0]])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs("daemon.out"), []byte(d.stdout.String()), 0o600))
	ts.Check(os.WriteFile(ts.MkAbs("daemon.err"), []byte(d.stderr.String()), 0o600))
	if fmt.Sprint(status) != args[1] || took > time.Second {
		ts.Fatalf("exit status %d after %v, want %s within a second: %s", status, took, args[1], d.stderr.String())
	}
}

// sendCmd connects to a proxy by its name, sends a text and wants it back: send
// PROXY TEXT. With ! it wants it not to come back.
func sendCmd(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: send PROXY TEXT")
	}
	c, err := control.NewClient(ts.Getenv("BRUNT_PROXY_URL"))
	ts.Check(err)
	p, err := c.Proxy(context.Background(), args[0])
	ts.Check(err)
	if err := exchange(p.Listen, args[1]); (err != nil) != neg {
		ts.Fatalf("%v", err)
	}
}

// exchange sends a text and wants it back.
func exchange(addr, text string) error {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		return err
	}
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		return err
	}
	if _, err := io.WriteString(c, text); err != nil {
		return err
	}
	if err := c.(*net.TCPConn).CloseWrite(); err != nil { //nolint:forcetypeassert // it was dialled so
		return err
	}
	back, err := io.ReadAll(c)
	if err == nil && string(back) != text {
		err = errors.New("got " + string(back))
	}
	return err
}
