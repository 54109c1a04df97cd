package compat

import (
	"net"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/Shopify/toxiproxy/v2"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"github.com/brunt-go/brunt/network/proxy/control"
)

// toxiproxyServer is Toxiproxy's server, in this process.
func toxiproxyServer(t *testing.T) string {
	t.Helper()
	s := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(prometheus.NewRegistry()), zerolog.Nop())
	front := httptest.NewServer(s.Routes())
	t.Cleanup(func() {
		front.Close()
		if err := s.Collection.Clear(); err != nil {
			t.Error(err)
		}
	})
	return front.URL
}

// bruntServer is brunt's, in this process.
func bruntServer(t *testing.T) string {
	t.Helper()
	s, err := control.NewServer(control.DefaultSettings())
	if err != nil {
		t.Fatal(err)
	}
	front := httptest.NewServer(s.Handler())
	t.Cleanup(func() {
		front.Close()
		s.Close()
	})
	return front.URL
}

// bruntDaemon is the command itself, built anew.
func bruntDaemon(t *testing.T) string {
	t.Helper()
	command := filepath.Join(t.TempDir(), "brunt")
	if out, err := exec.Command("go", "build", "-o", command, "github.com/brunt-go/brunt/cmd/brunt").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	cmd := exec.Command(command, "proxy", "-port", "0")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	said := make([]byte, 200)
	n, err := out.Read(said)
	if err != nil {
		t.Fatal(err)
	}
	_, address, found := strings.Cut(string(said[:n]), "listens on ")
	if !found {
		t.Fatalf("the daemon said %q", said[:n])
	}
	return strings.Fields(address)[0]
}

// takenPort is a port somebody else listens on.
func takenPort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l.Addr().String()
}
