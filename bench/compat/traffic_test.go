package compat

import (
	"errors"
	"io"
	"net"
	"syscall"
	"testing"
	"time"

	client "github.com/Shopify/toxiproxy/v2/client"
)

// What the client does to a proxy happens to its connections, the same with both.
func TestClient_traffic(t *testing.T) {
	t.Parallel()
	upstream, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { upstream.Close() })
	go func() {
		for {
			conn, err := upstream.Accept()
			if err != nil {
				return
			}
			go func() {
				io.Copy(conn, conn)
				conn.Close()
			}()
		}
	}()
	for name, start := range map[string]func(*testing.T) string{"toxiproxy": toxiproxyServer, "brunt": bruntServer} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := client.NewClient(start(t))
			p, err := c.CreateProxy("echo", "127.0.0.1:0", upstream.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			if got, err := hello(t, p.Listen); got != "hello" || err != nil {
				t.Errorf("nothing set: %q, %v", got, err)
			}
			if _, err := p.AddToxic("cut", "limit_data", "downstream", 1, client.Attributes{"bytes": 3}); err != nil {
				t.Fatal(err)
			}
			if got, err := hello(t, p.Listen); got != "hel" || err == nil {
				t.Errorf("limit_data: %q, %v; want 3 bytes and an end", got, err)
			}
			if err := c.ResetState(); err != nil {
				t.Fatal(err)
			}
			if _, err := p.AddToxic("slow", "latency", "upstream", 1, client.Attributes{"latency": 80}); err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			if got, err := hello(t, p.Listen); got != "hello" || err != nil || time.Since(began) < 80*time.Millisecond {
				t.Errorf("latency: %q, %v after %v; want hello after 80ms", got, err, time.Since(began))
			}
			if err := p.Disable(); err != nil {
				t.Fatal(err)
			}
			if _, err := hello(t, p.Listen); !errors.Is(err, syscall.ECONNREFUSED) {
				t.Errorf("disabled: %v, want a refusal", err)
			}
		})
	}
}

// hello says hello to an echo and reads what comes back.
func hello(t *testing.T, address string) (string, error) {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}
	const text = "hello"
	if _, err := io.WriteString(conn, text); err != nil {
		return "", err
	}
	got := make([]byte, len(text))
	n, err := io.ReadFull(conn, got)
	return string(got[:n]), err
}
