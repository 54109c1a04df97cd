package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/brunt-go/brunt/bench/internal/role"
)

// toxiproxyVersion is the one in this module's go.mod.
const toxiproxyVersion = "2.12"

// lab is what the targets are started in: a folder, an upstream, built commands.
type lab struct {
	folder   string
	stderr   io.Writer
	upstream *role.Child
	missing  map[int]string // why a kind is left out
	started  int
}

// newLab builds what must be built, looks for what must be installed, and starts
// the upstream. close must follow.
func newLab(ctx context.Context, stderr io.Writer) (l *lab, err error) {
	l = &lab{stderr: stderr, missing: map[int]string{}}
	if l.folder, err = os.MkdirTemp("", "brunt-bench"); err != nil {
		return nil, err
	}
	for command, source := range map[string]string{
		"brunt":            "github.com/brunt-go/brunt/cmd/brunt",
		"toxiproxy-server": "github.com/Shopify/toxiproxy/v2/cmd/server",
	} {
		fmt.Fprintln(stderr, "building", command)
		out, err := exec.CommandContext(ctx, "go", "build", "-o", l.path(command), source).CombinedOutput()
		if err != nil {
			return nil, errors.Join(fmt.Errorf("go build %s: %w: %s", source, err, out), l.close())
		}
	}
	for which, command := range map[int]string{haproxy: "haproxy", socat: "socat"} {
		if _, err := exec.LookPath(command); err != nil {
			l.missing[which] = "there is no " + command + " here: install it, or run bench/setup as root on Debian"
		}
	}
	if l.upstream, err = role.StartServing(ctx, stderr, "", roleUpstream); err != nil {
		return nil, errors.Join(err, l.close())
	}
	return l, nil
}

func (l *lab) path(name string) string { return filepath.Join(l.folder, name) }

func (l *lab) close() error {
	var err error
	if l.upstream != nil {
		err = l.upstream.Stop()
	}
	return errors.Join(err, os.RemoveAll(l.folder))
}

// keep starts a command that is not ours, and makes the target its processes.
func (l *lab) keep(ctx context.Context, t *target, command ...string) error {
	l.started++
	words := l.path(fmt.Sprintf("words-%d", l.started))
	c, err := role.Start(ctx, l.stderr, "", append([]string{roleKeep, words}, command...)...)
	if err != nil {
		return err
	}
	t.stop = c.Stop
	t.said = func() string {
		const last = 2000
		said, _ := os.ReadFile(words)
		return string(said[max(0, len(said)-last):])
	}
	var k kept
	if err := c.Hear(&k); err != nil {
		return err
	}
	t.pids = func() ([]int, error) { return groupMembers(k.Group) }
	return nil
}

func (l *lab) startSplice(ctx context.Context, t *target) error {
	c, err := role.StartServing(ctx, l.stderr, "", roleSplice, l.upstream.Addr)
	if err != nil {
		return err
	}
	t.ofChild(c)
	return nil
}

// theProxy is the name of the proxy that clients of an API's server meet.
const theProxy = "bench"

// serveAPI starts a command with an API on a free port, and makes a proxy.
func (l *lab) serveAPI(ctx context.Context, t *target, command ...string) error {
	port, err := freePort()
	if err != nil {
		return err
	}
	command = append(command, "-host", "127.0.0.1", "-port", port, "-runtime-metrics")
	if err := l.keep(ctx, t, command...); err != nil {
		return err
	}
	addr := net.JoinHostPort("127.0.0.1", port)
	if err := reachable(ctx, addr); err != nil {
		return err
	}
	t.api = newAPI(addr)
	t.addr, err = t.api.create(ctx, theProxy, l.upstream.Addr)
	return err
}

func (l *lab) startToxiproxy(ctx context.Context, t *target) error {
	return l.serveAPI(ctx, t, l.path("toxiproxy-server"))
}

func (l *lab) startBrunt(ctx context.Context, t *target) error {
	return l.serveAPI(ctx, t, l.path("brunt"), "proxy")
}

// startHAProxy starts it as a TCP proxy with nothing turned on, a thread for each
// core, and room for the connections that are measured.
func (l *lab) startHAProxy(ctx context.Context, t *target) error {
	port, err := freePort()
	if err != nil {
		return err
	}
	t.addr = net.JoinHostPort("127.0.0.1", port)
	config := l.path("haproxy.cfg")
	if err := os.WriteFile(config, []byte(haproxyConfig(t.addr, l.upstream.Addr)), 0o600); err != nil {
		return err
	}
	return l.keep(ctx, t, "haproxy", "-db", "-f", config)
}

func haproxyConfig(listen, upstream string) string {
	return strings.NewReplacer("LISTEN", listen, "UPSTREAM", upstream).Replace(`global
  maxconn 4000
defaults
  mode tcp
  timeout connect 10s
  timeout client 10m
  timeout server 10m
frontend bench
  bind LISTEN
  default_backend upstream
backend upstream
  server one UPSTREAM
`)
}

// startSocat starts it with a process for each connection, which is its way.
func (l *lab) startSocat(ctx context.Context, t *target) error {
	port, err := freePort()
	if err != nil {
		return err
	}
	t.addr = net.JoinHostPort("127.0.0.1", port)
	return l.keep(ctx, t, "socat",
		fmt.Sprintf("TCP-LISTEN:%s,bind=127.0.0.1,reuseaddr,fork,backlog=1024,nodelay", port), "TCP:"+l.upstream.Addr+",nodelay")
}
