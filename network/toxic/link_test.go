package toxic

import (
	"context"
	"errors"
	"io"
	"net"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// One direction ends, the other goes on: a client that has sent its request and
// half-closed gets its answer.
func TestLink_halfClose(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		go func() {
			got, err := io.ReadAll(r.server)
			if err != nil || string(got) != "hello" {
				t.Errorf("the server read %q, %v", got, err)
			}
			r.at(time.Hour, func() { r.send(r.server, "got 5") })
			r.server.Close()
		}()
		r.send(r.client, "hello")
		halfClose(r.client)
		if got, want := r.log(r.client), "1h0m0s got 5, 1h0m0s EOF"; got != want {
			t.Errorf("the client saw %s, want %s", got, want)
		}
		if err := <-r.done; err != nil {
			t.Errorf("Run = %v", err)
		}
		r.client.Close()
	})
}

// A reset by either peer reaches the other one, as late as bytes do.
func TestLink_peerResets(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name string
		in   []Spec
		want string
	}{
		{"bare", nil, "3s reset"},
		{"latency", []Spec{
			NewSpec("up", Upstream, &Latency{Latency: 100 * ms}),
			NewSpec("down", Downstream, &Latency{Latency: 100 * ms}),
		}, "3.1s reset"},
	}
	for _, row := range rows {
		for _, byClient := range []bool{true, false} {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, row.in...)
				peer, other := r.server, r.client
				if byClient {
					peer, other = other, peer
				}
				time.AfterFunc(3*time.Second, func() { hangUp(peer, true) })
				if got := r.log(other); got != row.want {
					t.Errorf("%s, by the client %v: the other peer saw %s, want %s", row.name, byClient, got, row.want)
				}
				if err := r.end(); !errors.Is(err, ErrReset) {
					t.Errorf("Run = %v, want %v", err, ErrReset)
				}
			})
		}
	}
}

// A peer that does not read holds up nobody: not a call, not the reset of its own
// connection, not another connection; and its bytes are bounded.
func TestSet_stuckPeer(t *testing.T) {
	t.Parallel()
	kinds := append(Kinds(), "")
	for _, kind := range kinds {
		t.Run("behind_"+kind, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				settings := DefaultSettings()
				settings.Buffer = 300_000
				set := newSet(t, settings)
				if kind != "" {
					add(t, set, NewSpec("first", Upstream, samples()[kind][0]))
				}
				r := connect(t, set)
				go func() {
					_, _ = r.client.Write(make([]byte, 2_000_000)) // fails at the end
				}()
				time.Sleep(time.Minute)
				if s := r.link.Status().Upstream; s.Buffered > 2*settings.Buffer+readSize {
					t.Errorf("%d bytes are buffered, want at most %d", s.Buffered, 2*settings.Buffer+readSize)
				}
				begin := time.Now()
				for other := range samples() {
					add(t, set, NewSpec("x", Upstream, &Noop{}))
					for _, toxic := range samples()[other] {
						if other == "reset_peer" || other == "limit_data" {
							continue // they end it
						}
						if err := set.Update(NewSpec("x", Upstream, toxic)); err != nil {
							t.Error(err)
						}
					}
					if err := set.Remove("x"); err != nil {
						t.Error(err)
					}
				}
				if kind != "" {
					if err := set.Remove("first"); err != nil {
						t.Error(err)
					}
				}
				another := connect(t, set)
				if got := play(another, script{{0, "a"}}, func() { halfClose(another.client) }); got != "0s a, 0s EOF" {
					t.Errorf("another connection's server saw %s", got)
				}
				if err := another.end(); err != nil {
					t.Errorf("another Run = %v", err)
				}
				add(t, set, NewSpec("reset", Upstream, &ResetPeer{}))
				if err := <-r.done; !errors.Is(err, ErrReset) && !errors.Is(err, ErrClosed) {
					t.Errorf("Run = %v", err)
				}
				if took := time.Since(begin); took != 0 {
					t.Errorf("all that took %v, want no time", took)
				}
				r.client.Close()
				r.server.Close()
			})
		})
	}
}

// A peer that does not read delays the end a toxic wants by a second at most.
func TestLink_stuckPeerEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, NewSpec("a", Upstream, &LimitData{Bytes: 1_000_000}))
		go func() { _, _ = r.client.Write(make([]byte, 2_000_000)) }()
		err := <-r.done
		if took := time.Since(r.begin); !errors.Is(err, ErrClosed) || took < flush || took > flush+linger {
			t.Errorf("Run = %v after %v, want %v after 1s to 1.1s", err, took, ErrClosed)
		}
		r.client.Close()
		r.server.Close()
	})
}

func TestLink_ends(t *testing.T) {
	t.Parallel()
	stopped := errors.New("stopped")
	rows := []struct {
		name string
		in   func(r *rig, cancel context.CancelCauseFunc)
		want error
		saw  string
	}{
		{"context", func(_ *rig, cancel context.CancelCauseFunc) { cancel(stopped) }, stopped, "5s EOF"},
		{"close", func(r *rig, _ context.CancelCauseFunc) { r.link.Close() }, ErrClosed, "5s EOF"},
		{"reset", func(r *rig, _ context.CancelCauseFunc) { r.link.Reset() }, ErrReset, "5s reset"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				set := newSet(t, DefaultSettings())
				add(t, set, NewSpec("a", Upstream, &Timeout{}))
				client, front := pair(t)
				back, server := pair(t)
				r := &rig{t: t, set: set, link: set.NewLink(front), begin: time.Now(), client: client, server: server, done: make(chan error, 1)}
				ctx, cancel := context.WithCancelCause(t.Context())
				defer cancel(nil)
				go func() { r.done <- r.link.Run(ctx, back) }()
				r.send(client, "held")
				time.AfterFunc(5*time.Second, func() { row.in(r, cancel) })
				if got := r.log(server); got != row.saw {
					t.Errorf("the server saw %s, want %s", got, row.saw)
				}
				if err := r.end(); !errors.Is(err, row.want) {
					t.Errorf("Run = %v, want %v", err, row.want)
				}
			})
		})
	}
}

// A link that is closed before its upstream was reached closes that too.
func TestLink_closedBeforeRun(t *testing.T) {
	t.Parallel()
	set := newSet(t, DefaultSettings())
	add(t, set, NewSpec("a", Upstream, &ResetPeer{}))
	client, front := pair(t)
	back, server := pair(t)
	l := set.NewLink(front)
	l.Close()
	if err := l.Run(t.Context(), back); !errors.Is(err, ErrClosed) {
		t.Errorf("Run = %v, want %v", err, ErrClosed)
	}
	if _, err := server.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("the server's Read = %v, want EOF", err)
	}
	if _, err := client.Write([]byte("x")); !errors.Is(err, syscall.EPIPE) {
		t.Errorf("the client's Write = %v, want EPIPE", err)
	}
	client.Close()
	server.Close()
}

// Of many connections that are closed none goes on while another one is held up.
func TestCloseAll(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		set := newSet(t, DefaultSettings())
		add(t, set, NewSpec("s", Upstream, &Slicer{AverageSize: 1, Delay: 100 * time.Millisecond}))
		client, front := pair(t)
		back, server := pair(t)
		slow := join(t, set, client, slowClose{front}, back, server)
		other := connect(t, set)
		other.send(other.client, "0123456789")
		got := make(chan string)
		go func() { got <- other.log(other.server) }()
		time.Sleep(250 * time.Millisecond)
		CloseAll(set.Links(), errMaintenance)
		if took := time.Since(other.begin); took != 1250*time.Millisecond {
			t.Errorf("closed after %v, want 1.25s, a second for the slow one", took)
		}
		if got, want := <-got, "0s 0, 100ms 1, 200ms 2, 1.25s EOF"; got != want {
			t.Errorf("the server got %s, want %s", got, want)
		}
		for _, r := range []*rig{slow, other} {
			if err := r.end(); !errors.Is(err, errMaintenance) {
				t.Errorf("Run = %v, want the cause", err)
			}
		}
	})
}

var errMaintenance = errors.New("maintenance")

// slowClose is a connection that takes a second to close.
type slowClose struct{ net.Conn }

func (c slowClose) Close() error {
	time.Sleep(time.Second)
	return c.Conn.Close()
}
