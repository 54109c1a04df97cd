package cli

import (
	"encoding/json"
	"errors"
	"io"
	"net"
	"syscall"
	"testing"
	"time"

	"github.com/brunt-go/brunt/network/proxy/control"
)

// soon is what a control call may take. It is far above what one takes, for a busy
// machine, and far below Toxiproxy's 25 s.
const soon = 2 * time.Second

// bench is one proxy of a daemon, in front of an upstream.
type bench struct {
	t      *testing.T
	client *control.Client
	proxy  control.Proxy
}

// quickly demands that a control call is done and takes no time.
func (b *bench) quickly(what string, call func() error) {
	b.t.Helper()
	start := time.Now()
	if err := call(); err != nil {
		b.t.Errorf("%s: %v", what, err)
	}
	if took := time.Since(start); took > soon {
		b.t.Errorf("%s took %v", what, took)
	}
}

// add adds a toxic.
func (b *bench) add(name, kind, attributes string) {
	b.t.Helper()
	b.quickly("adding "+kind, func() error {
		_, err := b.client.AddToxic(b.t.Context(), b.proxy.Name, control.ToxicSpec{Name: name, Type: kind, Attributes: json.RawMessage(attributes)})
		return err
	})
}

func (b *bench) remove(name string) {
	b.t.Helper()
	b.quickly("removing "+name, func() error { return b.client.RemoveToxic(b.t.Context(), b.proxy.Name, name) })
}

// dial connects through the proxy, and has had a byte echoed when it returns.
func (b *bench) dial() net.Conn {
	b.t.Helper()
	c, err := net.Dial("tcp", b.proxy.Listen)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { c.Close() })
	if err := c.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		b.t.Fatal(err)
	}
	b.echo(c, "!")
	return c
}

// echo sends a text and wants it back.
func (b *bench) echo(c net.Conn, text string) {
	b.t.Helper()
	back := make([]byte, len(text))
	_, err := io.WriteString(c, text)
	if err == nil {
		_, err = io.ReadFull(c, back)
	}
	if err != nil || string(back) != text {
		b.t.Fatalf("sent %q, got %q, %v", text, back, err)
	}
}

// within demands that a time is at least so long, and not much longer.
func (b *bench) within(what string, took, least time.Duration) {
	b.t.Helper()
	if took < least || took > least+soon {
		b.t.Errorf("%s took %v, want %v", what, took, least)
	}
}

// What Toxiproxy was seen to do wrong, done to the daemon over real sockets.
func TestDaemon_defects(t *testing.T) {
	t.Parallel()
	d, upstream := runDaemon(t), echoFor(t)
	rows := []struct {
		name string
		run  func(*bench)
	}{
		{"client_that_does_not_read", (*bench).slowReader},  // network.md 5.1 5.2
		{"half_close", (*bench).halfClose},                  // network.md 5.11
		{"reset_of_what_is_idle", (*bench).resetIdle},       // network.md 5.13
		{"reset_peer_removed", (*bench).resetRemoved},       // network.md 5.15
		{"timeout_under_traffic", (*bench).timeoutAbsolute}, // network.md 5.16
		{"timeout_removed", (*bench).timeoutRemoved},        // network.md 5.17
		{"latencies_add_up", (*bench).latenciesAddUp},       // network.md 5.18
		{"latency_of_the_end", (*bench).latencyOfTheEnd},    // network.md 5.19
		{"packet_loss", (*bench).packetLoss},                // network.md 5.31
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			c := d.client(t)
			p, err := c.Create(t.Context(), control.ProxySpec{Name: row.name, Listen: "127.0.0.1:0", Upstream: upstream})
			if err != nil {
				t.Fatal(err)
			}
			row.run(&bench{t, c, p})
		})
	}
}

func (b *bench) slowReader() {
	b.add("slow", "latency", `{"latency": 10}`)
	c := b.dial()
	go func() {
		for {
			if _, err := c.Write(make([]byte, 64<<10)); err != nil {
				return
			}
		}
	}()
	// Nothing is read, so at last nothing moves.
	for before, still := int64(-1), 0; still < 10; pollEvery() {
		s, err := b.client.Stats(b.t.Context(), b.proxy.Name)
		if err != nil {
			b.t.Fatal(err)
		}
		if s.Downstream.Read != before || before < 1<<20 {
			before, still = s.Downstream.Read, 0
			continue
		}
		still++
	}
	b.add("more", "bandwidth", `{"rate": 1}`)
	b.remove("slow")
	b.quickly("listing", func() error { _, err := b.client.Proxies(b.t.Context()); return err })
	b.quickly("another proxy", func() error {
		_, err := b.client.Create(b.t.Context(), control.ProxySpec{Name: "beside it", Listen: "127.0.0.1:0", Upstream: "localhost:1"})
		return err
	})
	b.quickly("deleting", func() error { return b.client.Delete(b.t.Context(), b.proxy.Name) })
}

func (b *bench) halfClose() {
	if err := exchange(b.proxy.Listen, "hello"); err != nil {
		b.t.Error(err)
	}
}

func (b *bench) resetIdle() {
	c := b.dial()
	b.add("cut", "reset_peer", `{}`)
	if _, err := c.Read(make([]byte, 1)); !errors.Is(err, syscall.ECONNRESET) {
		b.t.Errorf("an idle connection ends with %v, want a reset", err)
	}
}

func (b *bench) resetRemoved() {
	c := b.dial()
	b.add("cut", "reset_peer", `{"timeout": 60000}`)
	b.remove("cut")
	b.echo(c, "still there")
}

func (b *bench) timeoutAbsolute() {
	c := b.dial()
	start := time.Now()
	b.add("end", "timeout", `{"timeout": 300}`)
	go func() {
		for {
			if _, err := c.Write([]byte("x")); err != nil {
				return
			}
			pollEvery()
		}
	}()
	if n, err := c.Read(make([]byte, 1)); n > 0 || err == nil {
		b.t.Errorf("read %d bytes, %v, want the end", n, err)
	}
	b.within("the timeout", time.Since(start), 300*time.Millisecond)
}

func (b *bench) timeoutRemoved() {
	c := b.dial()
	b.add("hold", "timeout", `{"timeout": 0}`)
	if _, err := io.WriteString(c, "held"); err != nil {
		b.t.Fatal(err)
	}
	b.remove("hold")
	back := make([]byte, 4)
	if _, err := io.ReadFull(c, back); err != nil || string(back) != "held" {
		b.t.Errorf("got %q, %v, want what was held", back, err)
	}
}

func (b *bench) latenciesAddUp() {
	c := b.dial()
	b.add("first", "latency", `{"latency": 100}`)
	b.add("second", "latency", `{"latency": 100}`)
	sent := make(chan time.Time, 20)
	go func() {
		for range cap(sent) {
			sent <- time.Now()
			if _, err := c.Write([]byte("x")); err != nil {
				return
			}
			<-time.After(10 * time.Millisecond)
		}
	}()
	for range cap(sent) {
		start := <-sent
		if _, err := io.ReadFull(c, make([]byte, 1)); err != nil {
			b.t.Fatal(err)
		}
		b.within("two latencies of 100ms", time.Since(start), 200*time.Millisecond)
	}
}

func (b *bench) latencyOfTheEnd() {
	c := b.dial()
	b.add("slow", "latency", `{"latency": 200}`)
	start := time.Now()
	if err := c.(*net.TCPConn).CloseWrite(); err != nil { //nolint:forcetypeassert // it was dialled so
		b.t.Fatal(err)
	}
	if _, err := c.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		b.t.Errorf("read %v, want the end", err)
	}
	b.within("the end", time.Since(start), 200*time.Millisecond)
}

func (b *bench) packetLoss() {
	_, err := b.client.AddToxic(b.t.Context(), b.proxy.Name, control.ToxicSpec{Type: "packet_loss"})
	if err == nil || err.Error() != "invalid toxic type" {
		b.t.Errorf("packet_loss: %v, want that there is none", err)
	}
}
