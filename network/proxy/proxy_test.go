package proxy

import (
	"errors"
	"slices"
	"syscall"
	"testing"
	"testing/synctest"

	"github.com/brunt-go/brunt/network/toxic"
)

func isReset(err error) bool   { return errors.Is(err, syscall.ECONNRESET) }
func isRefused(err error) bool { return errors.Is(err, syscall.ECONNREFUSED) }

func TestProxy(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		c := r.dial()
		r.echo(c, "hello")
		got := r.proxy.Stats()
		if got.Open != 1 || got.Connections != 1 || got.Upstream.Written != 5 || got.Downstream.Written != 5 {
			t.Errorf("Stats while the connection is open = %+v, want 1 open and 5 bytes each way", got)
		}
		c.Close()
		synctest.Wait()
		if got := r.proxy.Stats(); got.Open != 0 || got.Connections != 1 || got.Upstream.Read != 5 || got.Downstream.Read != 5 {
			t.Errorf("Stats after the connection = %+v, want 0 open and 5 bytes each way", got)
		}
		last := r.proxy.Connections()
		if len(last) != 1 || last[0].Closed.IsZero() || last[0].Error != "" || last[0].Connection != 1 {
			t.Errorf("Connections = %+v, want one that ended in good order", last)
		}
	})
}

// Stopped, a proxy refuses connections and closes those it has; started again, it
// has its address, its toxics and its count of connections.
func TestProxy_stop(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(s *Settings) { s.Listen = "proxy:0" })
		r.add("slow", toxic.Upstream, &toxic.Latency{Latency: 7e6})
		address := r.proxy.Addr()
		c := r.dial()
		r.echo(c, "a")
		r.proxy.Stop()
		if got := ends(c); got != "fin" {
			t.Errorf("the open connection ended with %s, want fin", got)
		}
		if _, err := r.network.Dial("tcp", address); !isRefused(err) {
			t.Errorf("Dial after Stop: %v, want refused", err)
		}
		r.proxy.Stop()
		if err := r.proxy.Start(); err != nil || r.proxy.Addr() != address {
			t.Fatalf("Start = %v at %s, want it at %s", err, r.proxy.Addr(), address)
		}
		c = r.dial()
		if got := took(func() { r.echo(c, "b") }); got != 7e6 {
			t.Errorf("after the restart an echo took %v, want 7ms", got)
		}
		all := r.proxy.Connections()
		if last := all[len(all)-1]; last.Connection != 2 {
			t.Errorf("the next connection is %d, want 2", last.Connection)
		}
		if all[0].Error != ErrStopped.Error() {
			t.Errorf("the first connection ended with %q, want %q", all[0].Error, ErrStopped)
		}
		r.proxy.Close()
		if err := r.proxy.Start(); !errors.Is(err, ErrClosed) {
			t.Errorf("Start after Close = %v, want %v", err, ErrClosed)
		}
		want := []EventType{Started, ToxicAdded, Stopped, Started, Stopped}
		if got := r.told(); !slices.Equal(got, want) {
			t.Errorf("events %v, want %v", got, want)
		}
	})
}

// More connections than there may be are reset; those there are stay.
func TestProxy_limit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(s *Settings) { s.MaxConnections = 2 })
		first, second := r.dial(), r.dial()
		r.echo(first, "a")
		r.echo(second, "b")
		if got := ends(r.dial()); got != "reset" {
			t.Errorf("the third connection ended with %s, want reset", got)
		}
		r.echo(first, "c")
		second.Close()
		synctest.Wait()
		r.echo(r.dial(), "d")
		if got := r.proxy.Stats(); got.Rejected != 1 || got.Connections != 3 {
			t.Errorf("Stats = %+v, want 3 connections and 1 rejected", got)
		}
	})
}

func TestCheckSettings(t *testing.T) {
	t.Parallel()
	ok := DefaultSettings()
	ok.Name, ok.Upstream = "p", "u:1"
	if err := CheckSettings(ok); err != nil {
		t.Errorf("CheckSettings of the defaults with a name and an upstream = %v", err)
	}
	tests := []struct {
		name string
		in   func(*Settings)
		want string
	}{
		{"name", func(s *Settings) { s.Name = "" }, "proxy.name: must not be empty"},
		{"upstream", func(s *Settings) { s.Upstream = "" }, "proxy.upstream: must not be empty, want an address such as 127.0.0.1:6379"},
		{"dial_timeout", func(s *Settings) { s.DialTimeout = 0 }, "proxy.dial_timeout: 0s, must be > 0"},
		{"buffer", func(s *Settings) { s.Buffer = -1 }, "proxy.buffer: -1, must be >= 1"},
		{"max_connections", func(s *Settings) { s.MaxConnections = 0 }, "proxy.max_connections: 0, must be >= 1"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := ok
			test.in(&s)
			if err := CheckSettings(s); err == nil || err.Error() != test.want {
				t.Errorf("CheckSettings(%+v) = %v, want %s", s, err, test.want)
			}
			if _, err := New(s); err == nil {
				t.Error("New took them")
			}
		})
	}
}
