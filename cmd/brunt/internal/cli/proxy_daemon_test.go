package cli

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/brunt-go/brunt/network/proxy/control"
)

// get asks a daemon for a page.
func (d *daemon) get(t *testing.T, path string, change func(*http.Request)) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, d.url+path, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(r)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(body)
}

// Metrics count while a connection is open.
// network.md 5.24.
func TestDaemon_liveMetrics(t *testing.T) {
	t.Parallel()
	d := runDaemon(t)
	c := d.client(t)
	p, err := c.Create(t.Context(), control.ProxySpec{Name: "redis", Listen: "127.0.0.1:0", Upstream: echoFor(t)})
	if err != nil {
		t.Fatal(err)
	}
	conn, err := net.Dial("tcp", p.Listen)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, "hello"); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(conn, make([]byte, 5)); err != nil {
		t.Fatal(err)
	}
	labels := `listener="` + p.Listen + `",proxy="redis",upstream="` + p.Upstream + `"}`
	want := []string{
		`toxiproxy_proxy_received_bytes_total{direction="upstream",` + labels + " 5",
		`toxiproxy_proxy_sent_bytes_total{direction="upstream",` + labels + " 5",
		`toxiproxy_proxy_received_bytes_total{direction="downstream",` + labels + " 5",
		`brunt_proxy_connections_open{` + labels + " 1",
		`brunt_proxy_connections_total{` + labels + " 1",
	}
	for deadline := time.Now().Add(time.Minute); ; pollEvery() {
		status, body := d.get(t, "/metrics", nil)
		missing := slices.DeleteFunc(slices.Clone(want), func(line string) bool { return strings.Contains(body, "\n"+line+"\n") })
		if status == http.StatusOK && len(missing) == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("GET /metrics = %d, without %q:\n%s", status, missing, body)
		}
	}
}

// Proxies of a session are told apart from those of none.
func TestDaemon_metricsOfSession(t *testing.T) {
	t.Parallel()
	d := runDaemon(t)
	c, err := control.NewClient(d.url, control.WithSession("ci"))
	if err != nil {
		t.Fatal(err)
	}
	for _, client := range []*control.Client{d.client(t), c} {
		if _, err := client.Create(t.Context(), control.ProxySpec{Name: "redis", Listen: "l:1", Upstream: "u:1", Enabled: new(bool)}); err != nil {
			t.Fatal(err)
		}
	}
	status, body := d.get(t, "/metrics", nil)
	for _, want := range []string{
		`toxiproxy_proxy_sent_bytes_total{direction="upstream",listener="l:1",proxy="redis",upstream="u:1"} 0`,
		`toxiproxy_proxy_sent_bytes_total{direction="upstream",listener="l:1",proxy="redis",session="ci",upstream="u:1"} 0`,
	} {
		if !strings.Contains(body, "\n"+want+"\n") {
			t.Errorf("GET /metrics = %d, without %s:\n%s", status, want, body)
		}
	}
}

func TestDaemon_whichMetrics(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name         string
		args         []string
		status       int
		has, hasNone string
	}{
		{"by_default", nil, 200, "brunt_proxy_connections_open", "go_goroutines"},
		{"both", []string{"-proxy-metrics", "-runtime-metrics"}, 200, "go_goroutines", "\x00"},
		{"runtime", []string{"-proxy-metrics=false", "-runtime-metrics"}, 200, "process_open_fds", "brunt_proxy"},
		{"none", []string{"-proxy-metrics=false"}, 404, "404 page not found", "go_goroutines"},
	}
	config := filepath.Join(t.TempDir(), "proxies.json")
	write(t, config, `[{"name": "a", "listen": "127.0.0.1:0", "upstream": "localhost:80"}]`)
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			status, body := runDaemon(t, append([]string{"-config", config}, row.args...)...).get(t, "/metrics", nil)
			if status != row.status || !strings.Contains(body, row.has) || strings.Contains(body, row.hasNone) {
				t.Errorf("GET /metrics = %d, want %d with %q and without %q:\n%s", status, row.status, row.has, row.hasNone, body)
			}
		})
	}
}

// With a token, nothing is answered without it, and a token does for any Host.
func TestDaemon_token(t *testing.T) {
	t.Parallel()
	token := filepath.Join(t.TempDir(), "token")
	write(t, token, "s3cret\n")
	d := runDaemon(t, "-host", "0.0.0.0", "--token-file", token)
	d.url = strings.Replace(d.url, "[::]", "127.0.0.1", 1)
	d.url = strings.Replace(d.url, "0.0.0.0", "127.0.0.1", 1)
	rows := []struct {
		name   string
		change func(*http.Request)
		want   int
	}{
		{"none", nil, 401},
		{"bearer", func(r *http.Request) { r.Header.Set("Authorization", "Bearer s3cret") }, 200},
		{"basic", func(r *http.Request) { r.SetBasicAuth("", "s3cret") }, 200},
		{"basic_with_user", func(r *http.Request) { r.SetBasicAuth("ci", "s3cret") }, 200},
		{"another", func(r *http.Request) { r.Header.Set("Authorization", "Bearer s3cre") }, 401},
		{"as_user", func(r *http.Request) { r.SetBasicAuth("s3cret", "") }, 401},
		{"by_another_name", func(r *http.Request) { r.Host = "breaker.test"; r.SetBasicAuth("", "s3cret") }, 200},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			for _, path := range []string{"/proxies", "/metrics", "/events?after=9"} {
				if path == "/events?after=9" && row.want == http.StatusOK {
					continue // it would go on
				}
				if got, body := d.get(t, path, row.change); got != row.want || strings.Contains(body, "s3cret") {
					t.Errorf("GET %s = %d %s, want %d", path, got, body, row.want)
				}
			}
		})
	}
}

// Without one, a page elsewhere can't reach it by a name of its own.
func TestDaemon_hosts(t *testing.T) {
	t.Parallel()
	d := runDaemon(t, "--allow-host", "toxiproxy")
	rows := []struct {
		host string
		want int
	}{{"localhost", 200}, {"127.0.0.1:8474", 200}, {"toxiproxy:8474", 200}, {"evil.test", 403}}
	for _, row := range rows {
		for _, path := range []string{"/version", "/metrics"} {
			if got, body := d.get(t, path, func(r *http.Request) { r.Host = row.host }); got != row.want {
				t.Errorf("GET %s of %s = %d %s, want %d", path, row.host, got, body, row.want)
			}
		}
	}
}

// The same seed hits the same connections, another one others.
// network.md 5.9.
func TestDaemon_seed(t *testing.T) {
	t.Parallel()
	hit := func(seed string) string {
		c := runDaemon(t, "-seed", seed).client(t)
		p, err := c.Create(t.Context(), control.ProxySpec{Name: "redis", Listen: "127.0.0.1:0", Upstream: echoFor(t)})
		if err != nil {
			t.Fatal(err)
		}
		half := 0.5
		if _, err := c.AddToxic(t.Context(), "redis", control.ToxicSpec{Type: "reset_peer", Toxicity: &half}); err != nil {
			t.Fatal(err)
		}
		var pattern strings.Builder
		for range 24 {
			if exchange(p.Listen, "hello") != nil {
				pattern.WriteByte('x')
			} else {
				pattern.WriteByte('.')
			}
		}
		return pattern.String()
	}
	first, second, other := hit("42"), hit("42"), hit("43")
	if first != second || first == other || !strings.Contains(first, "x") || !strings.Contains(first, ".") {
		t.Errorf("seed 42 hits %s and then %s, seed 43 hits %s", first, second, other)
	}
}

// SIGTERM under load ends it within a second, with 0: 50 connections that send all
// the time, 50 that hang in a toxic, 50 that read nothing, and a reader of events.
func TestDaemon_endsUnderLoad(t *testing.T) {
	t.Parallel()
	d := runDaemon(t)
	c := d.client(t)
	p, err := c.Create(t.Context(), control.ProxySpec{Name: "busy", Listen: "127.0.0.1:0", Upstream: echoFor(t)})
	if err != nil {
		t.Fatal(err)
	}
	hang, err := c.Create(t.Context(), control.ProxySpec{Name: "hang", Listen: "127.0.0.1:0", Upstream: p.Upstream})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.AddToxic(t.Context(), "hang", control.ToxicSpec{Type: "timeout"}); err != nil {
		t.Fatal(err)
	}
	var clients sync.WaitGroup
	defer clients.Wait()
	for i := range 150 {
		conn, err := net.Dial("tcp", []string{p.Listen, hang.Listen, p.Listen}[i%3])
		if err != nil {
			t.Fatal(err)
		}
		clients.Go(func() {
			defer conn.Close()
			if i%3 == 0 {
				go func() { _, _ = io.Copy(io.Discard, conn) }() // until it is closed
			}
			for {
				if _, err := conn.Write(make([]byte, 32<<10)); err != nil {
					return
				}
			}
		})
	}
	var follower sync.WaitGroup
	defer follower.Wait()
	following := make(chan struct{})
	follower.Go(func() {
		zero, once := uint64(0), sync.Once{}
		for range c.Events(context.Background(), control.Filter{After: &zero}) {
			once.Do(func() { close(following) })
		}
	})
	<-following
	for deadline := time.Now().Add(time.Minute); ; pollEvery() {
		s, err := c.Stats(t.Context(), "busy")
		if err != nil {
			t.Fatal(err)
		}
		if s.Open == 100 && s.Downstream.Written > 10<<20 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("no load: %+v", s)
		}
	}
	status, took, err := d.end(syscall.SIGTERM)
	if err != nil || status != 0 || took > time.Second {
		t.Errorf("ended with %d after %v, %v, want 0 within a second: %s", status, took, err, d.stderr.String())
	}
}

// Who watches is told when the daemon has gone.
func TestWatch_daemonGone(t *testing.T) {
	t.Parallel()
	d := runDaemon(t)
	if _, err := d.client(t).Create(t.Context(), control.ProxySpec{Name: "redis", Listen: "127.0.0.1:0", Upstream: "localhost:1"}); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr said
	status := make(chan int)
	go func() {
		status <- Run(t.Context(), []string{"proxy", "watch", "--after", "0", "--address", d.url}, nil, &stdout, &stderr)
	}()
	for !strings.Contains(stdout.String(), "created") {
		pollEvery()
	}
	if _, _, err := d.end(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if got := <-status; got != exitFail || stderr.String() != "brunt: the daemon has gone\n" {
		t.Errorf("watch = %d, %q, want %d and that the daemon has gone", got, stderr.String(), exitFail)
	}
}

// An answer that can't be written is no success.
func TestProxyCommands_outputFails(t *testing.T) {
	t.Parallel()
	d := runDaemon(t)
	for _, args := range [][]string{{"list", "--json"}, {"create", "-u", "x:1", "redis"}, {"watch", "--after", "0"}} {
		var stderr said
		got := Run(t.Context(), append([]string{"proxy", "--address", d.url}, args...), nil, full{}, &stderr)
		if got != exitOutput {
			t.Errorf("%q = %d, %s, want %d", args, got, stderr.String(), exitOutput)
		}
	}
}

// The page's address is one to go to, whatever the daemon listens on.
func TestVisitable(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"127.0.0.1:8474": "127.0.0.1:8474", "0.0.0.0:8474": "localhost:8474", "[::]:80": "localhost:80", "[::1]:80": "[::1]:80",
	} {
		if got := visitable(net.TCPAddrFromAddrPort(netip.MustParseAddrPort(in))); got != want {
			t.Errorf("visitable(%s) = %s, want %s", in, got, want)
		}
	}
}
