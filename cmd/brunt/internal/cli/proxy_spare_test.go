//go:build unix

package cli

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/brunt-go/brunt/network/proxy/control"
)

// Connections that take every file descriptor don't keep out who would end them: each
// call comes by a connection of its own and is done as quickly as ever. The proxy is
// one that was told to connect to itself, which no number of files is enough for, and
// one whose clients stay.
func TestDaemon_withoutFiles(t *testing.T) {
	t.Parallel()
	brunt, err := exec.LookPath("brunt")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sh", "-c", `ulimit -n 100 && exec "$0" proxy -port 0`, brunt)
	cmd.Env = append(os.Environ(), "GORACE="+raceSettings)
	d, err := startDaemon(cmd)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.kill)
	client, err := control.NewClient(d.url, control.WithHTTPClient(&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}))
	if err != nil {
		t.Fatal(err)
	}
	upstream := echoFor(t)
	for _, itself := range []bool{true, false} {
		b := &bench{t: t, client: client}
		if b.proxy, err = client.Create(t.Context(), control.ProxySpec{Name: "greedy", Listen: "127.0.0.1:0", Upstream: upstream}); err != nil {
			t.Fatal(err)
		}
		if itself {
			if _, err := client.Change(t.Context(), "greedy", control.ProxySpec{Upstream: b.proxy.Listen}); err != nil {
				t.Fatal(err)
			}
		}
		for range 60 {
			c, err := net.Dial("tcp", b.proxy.Listen)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { c.Close() })
		}
		until(t, "the files are used up", func() error {
			s, err := client.Stats(t.Context(), "greedy")
			if err == nil && s.AcceptErrors == 0 && s.DialErrors == 0 {
				err = fmt.Errorf("%d connections are open", s.Open)
			}
			return err
		})
		for range 2 * spares {
			b.add("slow", "latency", `{"latency":1}`)
			b.remove("slow")
		}
		b.quickly("deleting", func() error { return client.Delete(t.Context(), "greedy") })
		until(t, "with its connections gone, another one works", func() error {
			other, err := client.Create(t.Context(), control.ProxySpec{Name: "other", Listen: "127.0.0.1:0", Upstream: upstream})
			if err != nil {
				return err
			}
			return errors.Join(exchange(other.Listen, "hello"), client.Delete(t.Context(), "other"))
		})
	}
}

// until waits for something to succeed.
func until(t *testing.T, what string, f func() error) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; pollEvery() {
		err := f()
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("never: %s: %v", what, err)
		}
	}
}
