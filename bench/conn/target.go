package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
	"time"

	"github.com/brunt-go/brunt/bench/internal/role"
)

// kind is a way from the client to the upstream.
type kind struct {
	name  string
	start func(*lab, context.Context, *target) error
}

// The places of the kinds, in the order of the tables.
const (
	direct = iota
	splice
	toxiproxy
	brunt
	haproxy
	socat
)

func kinds() []kind {
	return []kind{
		direct:    {"direct", func(l *lab, _ context.Context, t *target) error { t.addr = l.upstream.Addr; return nil }},
		splice:    {"a splicing copy in Go", (*lab).startSplice},
		toxiproxy: {"Toxiproxy " + toxiproxyVersion, (*lab).startToxiproxy},
		brunt:     {"brunt", (*lab).startBrunt},
		haproxy:   {"HAProxy", (*lab).startHAProxy},
		socat:     {"socat", (*lab).startSocat},
	}
}

// target is a kind that runs.
type target struct {
	kind int
	addr string // where clients connect
	api  *api   // of those that have one
	pids func() ([]int, error)
	stop func() error
	said func() string // the last words of a command that is not ours
}

// failed is err with what the target said last.
func (t *target) failed(err error) error {
	if t.said != nil {
		return fmt.Errorf("%s: %w; it said %q", t.name(), err, t.said())
	}
	return fmt.Errorf("%s: %w", t.name(), err)
}

// name is the target's name.
func (t *target) name() string { return kinds()[t.kind].name }

// usage is what the target's processes use.
func (t *target) usage() (usage, error) {
	pids, err := t.pids()
	if err != nil {
		return usage{}, err
	}
	return usageOf(pids)
}

// start starts one kind, and waits until it serves.
func (l *lab) start(ctx context.Context, which int) (*target, error) {
	t := &target{
		kind: which, stop: func() error { return nil },
		pids: func() ([]int, error) { return nil, errors.New("it is no process") },
	}
	err := kinds()[which].start(l, ctx, t)
	if err == nil {
		err = reachable(ctx, t.addr)
	}
	if err != nil {
		return nil, errors.Join(t.failed(err), t.stop())
	}
	return t, nil
}

// startAll starts those of the kinds that can be.
func (l *lab) startAll(ctx context.Context, which ...int) (targets []*target, stop func() error, err error) {
	stop = func() error {
		var errs []error
		for _, t := range targets {
			errs = append(errs, t.stop())
		}
		return errors.Join(errs...)
	}
	for _, k := range which {
		if l.missing[k] != "" {
			continue
		}
		t, err := l.start(ctx, k)
		if err != nil {
			return nil, nil, errors.Join(err, stop())
		}
		targets = append(targets, t)
	}
	return targets, stop, nil
}

// reachable waits until addr takes connections.
func reachable(ctx context.Context, addr string) error {
	ctx, cancel := context.WithTimeout(ctx, patience/2)
	defer cancel()
	for {
		conn, err := new(net.Dialer).DialContext(ctx, "tcp", addr)
		if err == nil {
			return conn.Close()
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// freePort is a port of loopback that nobody has now, for a command that can't
// say which it was given. It lies below those the system gives to connections, of
// which thousands come and go.
func freePort() (string, error) {
	const lowest, ports = 15000, 15000
	var err error
	for range 100 {
		port := strconv.Itoa(lowest + rand.IntN(ports)) //nolint:forbidigo // any will do, and nothing depends on it
		var l net.Listener
		if l, err = net.Listen("tcp", "127.0.0.1:"+port); err == nil { //nolint:noctx // loopback answers at once
			return port, l.Close()
		}
	}
	return "", err
}

// ofChild makes the target one of the command's own processes.
func (t *target) ofChild(c *role.Child) {
	t.addr, t.stop = c.Addr, c.Stop
	t.pids = func() ([]int, error) { return []int{c.PID()}, nil }
}
