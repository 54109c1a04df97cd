package connection

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/brunt-go/brunt/brunttest"
	"github.com/brunt-go/brunt/network/toxic"
)

// store answers "GET key" with "value of key".
func store(t *testing.T) string {
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
				for lines := bufio.NewScanner(c); lines.Scan(); {
					fmt.Fprintln(c, "value of", strings.TrimPrefix(lines.Text(), "GET "))
				}
			}()
		}
	}()
	return l.Addr().String()
}

// The store hangs: the client gives up in time, and works again afterwards.
func TestClient_hang(t *testing.T) {
	t.Parallel()
	p := brunttest.Proxy(t, store(t))
	client := &Client{Address: p.Addr(), Timeout: 100 * time.Millisecond, Attempts: 2}
	defer client.Close()

	if err := p.Add(toxic.NewSpec("hang", toxic.Downstream, &toxic.Timeout{})); err != nil {
		t.Fatal(err)
	}
	if _, err := client.Get("a"); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("Get = %v, want a timeout", err)
	}
	if hang, err := p.Toxic("hang"); err != nil || hang.Hits != 2 {
		t.Errorf("%d connections hung, want both attempts", hang.Hits)
	}
	if err := p.Remove("hang"); err != nil {
		t.Fatal(err)
	}
	client.Timeout = time.Minute
	if got, err := client.Get("a"); got != "value of a" || err != nil {
		t.Errorf("afterwards Get = %q, %v", got, err)
	}
}

// The first connection is reset in the middle of an answer: the second attempt has
// it.
func TestClient_resetOnce(t *testing.T) {
	t.Parallel()
	p := brunttest.Proxy(t, store(t))
	client := &Client{Address: p.Addr(), Timeout: time.Minute, Attempts: 2}
	defer client.Close()

	reset := toxic.NewSpec("reset", toxic.Downstream, &toxic.ResetPeer{AfterBytes: 3})
	reset.Select.Connections = toxic.Ordinals{First: 1, Last: 1}
	if err := p.Add(reset); err != nil {
		t.Fatal(err)
	}
	if got, err := client.Get("a"); got != "value of a" || err != nil {
		t.Errorf("Get = %q, %v, want the second attempt's answer", got, err)
	}
	if got := p.Stats().Connections; got != 2 {
		t.Errorf("%d connections, want 2", got)
	}
}

// The store is down: the client sees a refusal, at once.
func TestClient_down(t *testing.T) {
	t.Parallel()
	p := brunttest.Proxy(t, store(t))
	client := &Client{Address: p.Addr(), Timeout: time.Minute, Attempts: 3}
	p.Stop()
	if _, err := client.Get("a"); !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("Get = %v, want a refused connection", err)
	}
}
