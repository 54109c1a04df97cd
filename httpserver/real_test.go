//go:build unix

package httpserver_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.opentelemetry.io/otel/baggage"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/brunttest"
	"github.com/brunt-go/brunt/httpserver"
)

// real is orders on a port of this machine, and what curl needs to get there.
type real struct {
	world
	addr                 string
	authority, cert, key string // files
}

// serveReal starts orders on a free port of the machine.
func serveReal(t *testing.T, handler http.Handler, change func(*httpserver.Settings, *brunttest.CA)) *real {
	t.Helper()
	w := &real{world: world{ca: brunttest.NewCA(t), tel: brunttest.NewTelemetry()}}
	write := func(name string, data []byte) string {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	w.authority = write("ca.pem", w.ca.PEM())
	cert, key := w.ca.Issue(t, "checkout").PEM(t)
	w.cert, w.key = write("cert.pem", cert), write("key.pem", key)

	settings := httpserver.DefaultSettings()
	settings.Addr = "127.0.0.1:0"
	settings.TLS = &tls.Config{Certificates: []tls.Certificate{w.ca.Issue(t, "orders").TLS()}}
	if change != nil {
		change(&settings, w.ca)
	}
	listening := make(chan net.Addr, 1)
	host := brunt.OSHost()
	host.Listen = func(ctx context.Context, network, address string) (net.Listener, error) {
		l, err := brunt.OSHost().Listen(ctx, network, address)
		if err == nil {
			listening <- l.Addr()
		}
		return l, err
	}
	w.app, w.status = brunttest.Start(t, func(_ context.Context, s *brunt.Setup) ([]brunt.Service, error) {
		svc, err := httpserver.NewService(s, settings, handler)
		return []brunt.Service{svc}, err
	}, brunttest.WithApp(brunt.WithHost(host), brunt.WithTelemetry(w.tel.Builder())), withFaults())
	w.addr = (<-listening).String()
	return w
}

// curl returns what curl prints, and its exit status.
func (w *real) curl(t *testing.T, args ...string) (string, int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "curl", append([]string{"-sS", "--noproxy", "*", "--cacert", w.authority, "-w", "%{http_code} %{http_version}"}, args...)...)
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// tells is a handler that says what it was sent.
var tells = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	n, err := io.Copy(io.Discard, r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	b := baggage.FromContext(r.Context())
	fmt.Fprintf(w, "%s %d bytes, scenario %v, tenant %q\n", r.Method, n, b.Member(key).Key() != "", b.Member("tenant").Value())
})

// R146 with a client that was not written here: in each protocol, with a certificate of
// the mesh and without.
func TestCurl(t *testing.T) {
	t.Parallel()
	secure := serveReal(t, tells, inMesh)
	plain := serveReal(t, tells, func(s *httpserver.Settings, _ *brunttest.CA) {
		s.TLS, s.PlainText = nil, true
		s.TrustScenario = func(r *http.Request) bool { return r.Header.Get("X-From-Mesh") == "yes" }
	})
	large := filepath.Join(t.TempDir(), "large")
	if err := os.WriteFile(large, make([]byte, 11<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	header := "baggage: " + scenarioHeader(t, abort)
	const anyStatus = -1
	mesh := []string{"--cert", secure.cert, "--key", secure.key}
	rows := []struct {
		name string
		to   *real
		args []string
		want string
		exit int
	}{
		{"http1", secure, []string{"--http1.1", "-H", header}, "GET 0 bytes, scenario false, tenant \"acme\"\n200 1.1", 0},
		{"http1_mesh", secure, append([]string{"--http1.1", "-H", header}, mesh...), "GET 0 bytes, scenario true, tenant \"acme\"\n200 1.1", 0},
		{"http2", secure, []string{"--http2", "-H", header}, "GET 0 bytes, scenario false, tenant \"acme\"\n200 2", 0},
		{"http2_mesh", secure, append([]string{"--http2", "-H", header}, mesh...), "GET 0 bytes, scenario true, tenant \"acme\"\n200 2", 0},
		{"http1.0", secure, []string{"--http1.0", "--no-alpn", "-H", header}, "GET 0 bytes, scenario false, tenant \"acme\"\n200 1", 0},
		{"body", secure, []string{"--http2", "-d", "price=4"}, "POST 7 bytes, scenario false, tenant \"\"\n200 2", 0},
		{"chunks", secure, []string{"--http1.1", "-H", "Transfer-Encoding: chunked", "-d", "price=4"}, "POST 7 bytes, scenario false, tenant \"\"\n200 1.1", 0},
		// curl asks first whether it may send it, and is told no.
		{"too_large", secure, []string{"--http1.1", "-T", large}, "request body too large\n413 1.1", 0},
		// The server takes the rest of the body back, which some curls take for a short answer.
		{"too_large_http2", secure, []string{"--http2", "-o", "/dev/null", "-T", large}, "413 2", anyStatus},
		{"too_large_in_chunks", secure, []string{"--http1.1", "-H", "Transfer-Encoding: chunked", "-H", "Expect:", "-T", large}, "http: request body too large\n400 1.1", 0},
		{"large_header", secure, []string{"--http1.1", "-H", "X: " + strings.Repeat("x", 90<<10)}, "431 Request Header Fields Too Large431 1.1", 0},
		{"unknown_authority", secure, []string{"--cacert", plain.authority}, "000 0", 60},
		{"plain_text_to_tls", secure, []string{"http"}, "Client sent an HTTP request to an HTTPS server.\n400 1", 0},
		{"plain", plain, []string{"--http1.1", "-H", header}, "GET 0 bytes, scenario false, tenant \"acme\"\n200 1.1", 0},
		{"plain_http2", plain, []string{"--http2-prior-knowledge", "-H", header, "-H", "X-From-Mesh: yes"}, "GET 0 bytes, scenario true, tenant \"acme\"\n200 2", 0},
		{"tls_to_plain_text", plain, []string{"https"}, "000 0", 35},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			scheme := "https"
			if row.to == plain {
				scheme = "http"
			}
			args := row.args
			if last := args[len(args)-1]; last == "http" || last == "https" {
				scheme, args = last, args[:len(args)-1]
			}
			got, exit := row.to.curl(t, append(args, scheme+"://"+row.to.addr+"/")...)
			if got != row.want || row.exit != anyStatus && exit != row.exit {
				t.Errorf("curl %q = %q, %d, want %q, %d", row.args, got, exit, row.want, row.exit)
			}
		})
	}
}

// A gibibyte of headers, of a body and of connections to a real port: each ends soon,
// with a bounded part of it read, and there is a record.
func TestReal_floods(t *testing.T) {
	t.Parallel()
	w := serveReal(t, reader, func(s *httpserver.Settings, _ *brunttest.CA) {
		s.TLS, s.PlainText, s.MaxConnections = nil, true, 50
		s.ReadHeaderTimeout = 500 * time.Millisecond
	})
	for name, start := range map[string]string{
		"header": "GET / HTTP/1.1\r\nX: ",
		"body":   "POST / HTTP/1.1\r\nHost: orders\r\nContent-Length: 1073741824\r\n\r\n",
	} {
		c, err := net.Dial("tcp", w.addr)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(c, start)
		many, sent := bytes.Repeat([]byte("x"), 1<<16), 0
		for ; err == nil && sent < 1<<30; sent += len(many) {
			_, err = c.Write(many)
		}
		if c.Close(); err == nil {
			t.Errorf("%s: %d bytes were taken", name, sent)
		}
	}
	// Connections that say nothing keep their place for ReadHeaderTimeout.
	var idle []net.Conn
	for range 200 {
		c, err := net.Dial("tcp", w.addr)
		if err != nil {
			t.Fatal(err)
		}
		idle = append(idle, c)
	}
	resp, err := http.Get("http://" + w.addr)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusNoContent {
		t.Errorf("behind the flood: %s", resp.Status)
	}
	http.DefaultClient.CloseIdleConnections()
	for _, c := range idle {
		c.Close()
	}
	if status := w.app.Stop(); status.Code() != 0 {
		t.Error(status)
	}
	got := w.warnings()
	for _, want := range []string{"WARN request refused: header larger than MaxHeaderBytes, 65536", "WARN request body refused", "WARN connections at the limit, further ones wait"} {
		if !slices.Contains(got, want) {
			t.Errorf("logged %q, want %q", got, want)
		}
	}
	if len(got) > 8 { // one of each kind a second, and it took about two
		t.Errorf("%d records: %q", len(got), got)
	}
}

// Over real sockets and in each protocol, the context of a request ends when the time is
// up that curl says it has, and not before.
func TestReal_remaining(t *testing.T) {
	t.Parallel()
	w := serveReal(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		deadline, ok := r.Context().Deadline()
		<-r.Context().Done()
		late := time.Since(deadline)
		fmt.Fprint(w, ok && late >= 0 && late < 10*time.Second, " ", context.Cause(r.Context()), " ")
	}), nil)
	for protocol, version := range map[string]string{"--http1.1": "1.1", "--http2": "2"} {
		got, exit := w.curl(t, protocol, "-H", "X-Envoy-Expected-Rq-Timeout-Ms: 100", "https://"+w.addr+"/")
		if want := "true the caller's time is over: context canceled 200 " + version; got != want || exit != 0 {
			t.Errorf("curl %s says %q, status %d, want %q", protocol, got, exit, want)
		}
	}
}

// A file goes out through the kernel's own way, and is the same at the other end.
func TestReal_file(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	data := bytes.Repeat([]byte("0123456789abcdef"), 1<<16)
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	w := serveReal(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, ok := w.(io.ReaderFrom); !ok {
			t.Error("the ResponseWriter is no io.ReaderFrom")
		}
		http.ServeFile(w, r, file)
	}), func(s *httpserver.Settings, _ *brunttest.CA) { s.TLS, s.PlainText = nil, true })
	got, exit := w.curl(t, "-w", "", "http://"+w.addr+"/")
	if got != string(data) || exit != 0 {
		t.Errorf("%d bytes, status %d, want %d", len(got), exit, len(data))
	}
}
