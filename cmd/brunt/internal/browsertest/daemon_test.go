package browsertest

import (
	"encoding/json"
	"io"
	"net"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/brunt-go/brunt/network/proxy/control"
	"github.com/brunt-go/brunt/network/proxy/statuspage"
)

// daemon is a server of proxies with its status page.
type daemon struct {
	*control.Server

	url  string // of the page, without a path
	shut func() // ends the page, not the proxies
}

func newDaemon(t *testing.T, options ...control.Option) *daemon {
	t.Helper()
	settings := control.DefaultSettings()
	settings.Proxy.Seed = 42
	server, err := control.NewServer(settings, options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	ui := httptest.NewServer(server.Guard(statuspage.Handler(server)))
	shut := func() {
		ui.Listener.Close()
		ui.CloseClientConnections()
		ui.Close()
	}
	t.Cleanup(shut)
	return &daemon{server, ui.URL, shut}
}

// create makes a proxy and returns where it listens.
func (d *daemon) create(t *testing.T, session, name, upstream string) string {
	t.Helper()
	p, err := d.Create(session, control.ProxySpec{Name: name, Listen: "127.0.0.1:0", Upstream: upstream})
	if err != nil {
		t.Fatal(err)
	}
	return p.Listen
}

// toxic adds a toxic to a proxy of no session.
func (d *daemon) toxic(t *testing.T, proxy string, spec control.ToxicSpec) {
	t.Helper()
	if _, err := d.AddToxic("", proxy, spec, true); err != nil {
		t.Fatal(err)
	}
}

// fill makes proxies and toxics, with text appended to every name.
func (d *daemon) fill(t *testing.T, text string) {
	t.Helper()
	upstream := echo(t)
	d.create(t, "", "postgres"+text, upstream)
	d.create(t, "", "redis"+text, upstream)
	d.create(t, "ci-7"+text, "kafka"+text, upstream)
	if _, err := d.Change("ci-7"+text, "kafka"+text, control.ProxySpec{Enabled: new(bool)}); err != nil {
		t.Fatal(err)
	}
	d.toxic(t, "postgres"+text, control.ToxicSpec{Name: "slow" + text, Type: "latency", Attributes: json.RawMessage(`{"latency":20,"jitter":5}`)})
	share, upward := 0.3, "upstream"
	third := control.ToxicSpec{Name: "flip" + text, Type: "corrupt", Stream: &upward, Toxicity: &share, Attributes: json.RawMessage(`{"rate":0.001}`)}
	third.Connections.Every = 3
	d.toxic(t, "postgres"+text, third)
	for _, p := range d.All() {
		if p.Enabled {
			talk(t, p.Listen)
			talk(t, p.Listen)
			hold(t, p.Listen)
		}
	}
}

// echo serves an upstream that sends back what it gets.
func echo(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				_, _ = io.Copy(c, c) // ends with the connection
			}()
		}
	}()
	return l.Addr().String()
}

// hold opens a connection that has carried something and stays open.
func hold(t *testing.T, address string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if _, err := c.Write(make([]byte, 1200)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(c, make([]byte, 1200)); err != nil {
		t.Fatal(err)
	}
	return c
}

// talk is a connection from its start to its end.
func talk(t *testing.T, address string) {
	t.Helper()
	hold(t, address).Close()
}

// traffic is a connection every now and then, until the test ends: enough to see
// figures change, and few enough to leave the browser its share of the machine.
func traffic(t *testing.T, address string) {
	t.Helper()
	stop, over := make(chan struct{}), make(chan struct{})
	t.Cleanup(func() { close(stop); <-over })
	go func() {
		defer close(over)
		every := time.NewTicker(50 * time.Millisecond)
		defer every.Stop()
		for {
			select {
			case <-stop:
				return
			case <-every.C:
			}
			c, err := net.Dial("tcp", address)
			if err != nil {
				return
			}
			_, _ = c.Write(make([]byte, 4000))        // a toxic may break it:
			_, _ = io.ReadFull(c, make([]byte, 4000)) // that is what it is for
			c.Close()
		}
	}()
}
