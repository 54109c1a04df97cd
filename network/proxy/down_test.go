package proxy

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/brunt-go/brunt/network/toxic"
)

func TestDown_refuse(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		c := r.dial()
		r.echo(c, "a")
		r.add("gone", toxic.Downstream, &toxic.Down{})
		if got := ends(c); got != "fin" {
			t.Errorf("the open connection ended with %s, want fin", got)
		}
		if _, err := r.network.Dial("tcp", "proxy:80"); !isRefused(err) {
			t.Errorf("Dial: %v, want refused", err)
		}
		if !r.proxy.Enabled() {
			t.Error("a proxy that refuses counts as stopped")
		}
		if err := r.proxy.Remove("gone"); err != nil {
			t.Fatal(err)
		}
		r.echo(r.dial(), "b")
		want := []EventType{Started, ToxicAdded, Refusing, Accepting, ToxicRemoved}
		if got := r.told(); !slices.Equal(got, want) {
			t.Errorf("events %v, want %v", got, want)
		}
	})
}

// It can't listen again: the toxic stays, and says so.
func TestDown_refuseForGood(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.add("first", toxic.Downstream, &toxic.Noop{})
		r.add("gone", toxic.Downstream, &toxic.Down{})
		r.add("last", toxic.Downstream, &toxic.Noop{})
		squatter, err := r.network.Listen("tcp", "proxy:80")
		if err != nil {
			t.Fatal(err)
		}
		if err := r.proxy.Remove("gone"); err == nil {
			t.Error("Remove: no error, but its address is taken")
		}
		if err := r.proxy.Update("gone", func(s toxic.Spec) (toxic.Spec, error) {
			s.Toxic = &toxic.Down{Mode: toxic.DownRST}
			return s, nil
		}); err == nil {
			t.Error("Update to accept again: no error, but its address is taken")
		}
		if a, err := r.proxy.Toxic("gone"); err != nil || modeOf(a.Spec) != toxic.DownRefuse {
			t.Errorf("the toxic is %+v, %v, want it as it was", a, err)
		}
		if all := r.proxy.Toxics(); len(all) != 3 || all[1].Spec.Name != "gone" {
			t.Errorf("the toxics are %+v, want the one that stays in its place", all)
		}
		squatter.Close()
		if err := r.proxy.Remove("gone"); err != nil {
			t.Errorf("Remove with the address free: %v", err)
		}
		r.echo(r.dial(), "a")
	})
}

func TestDown_rst(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		c := r.dial()
		r.echo(c, "a")
		r.add("gone", toxic.Downstream, &toxic.Down{Mode: toxic.DownRST})
		if got := ends(c); got != "reset" {
			t.Errorf("the open connection ended with %s, want reset", got)
		}
		if got := ends(r.dial()); got != "reset" {
			t.Errorf("another one ended with %s, want reset", got)
		}
	})
}

// A mirror refuses while the upstream does. See network.md 5.28.
func TestDown_mirror(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(s *Settings) { s.Upstream = "late:80" })
		c := r.dial()
		if got := ends(c); got != "fin" {
			t.Errorf("without a mirror a connection to a dead upstream ended with %s, want fin", got)
		}
		r.add("same", toxic.Downstream, &toxic.Down{Mode: toxic.DownMirror})
		synctest.Wait()
		if _, err := r.network.Dial("tcp", "proxy:80"); !isRefused(err) {
			t.Errorf("Dial while the upstream refuses: %v, want refused", err)
		}
		stop := r.serve("late:80")
		time.Sleep(reprobe)
		synctest.Wait()
		open := r.dial()
		r.echo(open, "a")
		stop()
		r.echo(open, "b") // who is connected stays so
		if got := ends(r.dial()); got != "reset" {
			t.Errorf("the first one after the upstream went ended with %s, want reset", got)
		}
		synctest.Wait()
		if _, err := r.network.Dial("tcp", "proxy:80"); !isRefused(err) {
			t.Errorf("the next Dial: %v, want refused", err)
		}
		if err := r.proxy.Remove("same"); err != nil {
			t.Fatal(err)
		}
		if got := ends(r.dial()); got != "fin" {
			t.Errorf("without the mirror a connection ended with %s, want fin", got)
		}
	})
}

// It is all connections or none.
func TestDown_wholeProxy(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		for _, mode := range []string{"", toxic.DownRefuse, toxic.DownMirror} {
			s := toxic.NewSpec("gone", toxic.Downstream, &toxic.Down{Mode: mode})
			s.Toxicity = 0.5
			if err := r.proxy.Add(s); err == nil {
				t.Errorf("mode %q for half of the connections: no error", mode)
			}
			s.Toxicity, s.Select.Count = 1, 3
			if err := r.proxy.Add(s); err == nil {
				t.Errorf("mode %q for 3 connections: no error", mode)
			}
		}
		s := toxic.NewSpec("gone", toxic.Downstream, &toxic.Down{Mode: toxic.DownRST})
		s.Select.Connections.First = 2
		if err := r.proxy.Add(s); err != nil {
			t.Fatal(err)
		}
		r.echo(r.dial(), "a")
		if got := ends(r.dial()); got != "reset" {
			t.Errorf("the second connection ended with %s, want reset", got)
		}
	})
}
