//go:build unix

package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// process is the service as a process.
type process struct {
	cmd    *exec.Cmd
	addrs  map[string]string // where it listens, by what
	stderr bytes.Buffer
	ended  chan struct{} // closed when there is no more output
	lines  []string
	news   *sync.Cond // of lines and ended; its lock guards lines and addrs
}

var listening = regexp.MustCompile(`msg="(.*) listening".* address=(\S+)`)

// spawn starts a command, in a process group of its own as a shell does, and waits
// until it listens, or ends.
func spawn(t *testing.T, env []string, name string, args ...string) *process {
	t.Helper()
	p := &process{cmd: exec.CommandContext(t.Context(), name, args...), addrs: map[string]string{}, ended: make(chan struct{}), news: sync.NewCond(new(sync.Mutex))}
	p.cmd.Env = append(os.Environ(), append([]string{"ORDERS_ADDR=127.0.0.1:0", "ORDERS_PLAIN_TEXT=true", "ORDERS_PROBES_ADDR=127.0.0.1:0"}, env...)...)
	p.cmd.Stderr = &p.stderr
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL) })
	go func() {
		for scan := bufio.NewScanner(out); scan.Scan(); {
			p.news.L.Lock()
			p.lines = append(p.lines, scan.Text())
			if m := listening.FindStringSubmatch(scan.Text()); m != nil {
				p.addrs[m[1]] = m[2]
			}
			p.news.Broadcast()
			p.news.L.Unlock()
		}
		p.news.L.Lock()
		close(p.ended)
		p.news.Broadcast()
		p.news.L.Unlock()
	}()
	p.await(func() bool { return len(p.addrs) == 2 })
	return p
}

// await waits until something is true of the lines, or there are no more.
func (p *process) await(there func() bool) bool {
	p.news.L.Lock()
	defer p.news.L.Unlock()
	for {
		if there() {
			return true
		}
		select {
		case <-p.ended:
			return false
		default:
			p.news.Wait()
		}
	}
}

// signal is what Ctrl-C in a terminal does: the whole process group gets it.
func (p *process) signal(t *testing.T, sig syscall.Signal) {
	t.Helper()
	if err := syscall.Kill(-p.cmd.Process.Pid, sig); err != nil {
		t.Fatal(err)
	}
}

// until waits until it has printed a line with text.
func (p *process) until(t *testing.T, text string) {
	t.Helper()
	there := func() bool {
		return slices.ContainsFunc(p.lines, func(line string) bool { return strings.Contains(line, text) })
	}
	if !p.await(there) {
		t.Fatalf("ended without %q:\n%s", text, p.output())
	}
}

// ready waits until the App is: its job has loaded the prices then.
func (p *process) ready(t *testing.T) {
	t.Helper()
	for curl(t, "http://"+p.addrs["health probes"]+"/health/readiness") != "ok\n" {
	}
}

// wait returns the exit status.
func (p *process) wait(t *testing.T) int {
	t.Helper()
	<-p.ended
	err := p.cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return p.cmd.ProcessState.ExitCode()
}

func (p *process) output() string {
	p.news.L.Lock()
	defer p.news.L.Unlock()
	return strings.Join(p.lines, "\n") + "\n" + p.stderr.String()
}

// curl runs curl with args and returns what it prints.
func curl(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "curl", append([]string{"-sS"}, args...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("curl %s: %v\n%s", args, err, out)
	}
	return string(out)
}

func build(t *testing.T) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "service")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", bin, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return bin
}

// What the README shows: go run, curl, Ctrl-C.
func TestProcess_readme(t *testing.T) {
	t.Parallel()
	payments := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer payments.Close()
	p := spawn(t, []string{"PAYMENTS_URL=" + payments.URL}, "go", "run", ".")
	p.ready(t)
	orders, probes := "http://"+p.addrs["http server"], "http://"+p.addrs["health probes"]

	if got := curl(t, "-X", "POST", orders+"/orders/tea"); got != "charged 4 for tea\n" {
		t.Errorf("an order is answered %q", got)
	}
	if got := curl(t, probes+"/health/readiness"); got != "ok\n" {
		t.Errorf("the probe is answered %q", got)
	}
	point := "http:" + strings.TrimPrefix(payments.URL, "http://")
	abort := `baggage: acme.fault=%7B%22rules%22%3A%5B%7B%22point%22%3A%22` + point + `%22%2C%22abort%22%3Atrue%7D%5D%7D`
	if got := curl(t, "-X", "POST", "-H", abort, "-H", "X-From-Mesh: yes", orders+"/orders/tea"); !strings.Contains(got, "fit: injected failure at "+point) {
		t.Errorf("an order with a scenario is answered %q", got)
	}
	if got := curl(t, "-X", "POST", "-H", abort, orders+"/orders/tea"); got != "charged 4 for tea\n" {
		t.Errorf("an order with a stranger's scenario is answered %q", got)
	}

	p.signal(t, syscall.SIGINT)
	p.wait(t) // go run's own status, which is 1 after an interrupt
	at := 0
	for _, want := range []string{`level=INFO msg="app stopping"`, `reason="signal: interrupt"`, `level=INFO msg="app ended"`, "status=0"} {
		i := strings.Index(p.output()[at:], want)
		if i < 0 {
			t.Errorf("after what came before, %q is not there:\n%s", want, p.output())
			break
		}
		at += i
	}
}

// One signal ends the App in good order, and the process says so.
func TestProcess_signal(t *testing.T) {
	t.Parallel()
	bin := build(t)
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			p := spawn(t, []string{"PAYMENTS_URL=http://127.0.0.1:1"}, bin)
			p.signal(t, sig)
			if code := p.wait(t); code != 0 {
				t.Errorf("exit status %d:\n%s", code, p.output())
			}
		})
	}
}

// The first signal waits for the order under way, the second one doesn't.
func TestProcess_secondSignal(t *testing.T) {
	t.Parallel()
	bin := build(t)
	for sig, want := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143} {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			asked, free := make(chan struct{}), make(chan struct{})
			payments := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
				close(asked)
				<-free
			}))
			defer payments.Close()
			defer close(free)
			p := spawn(t, []string{"PAYMENTS_URL=" + payments.URL, "PAYMENTS_TIMEOUT=1h"}, bin)
			p.ready(t)
			order := make(chan error, 1)
			go func() {
				resp, err := http.Post("http://"+p.addrs["http server"]+"/orders/tea", "", nil)
				if err == nil {
					_, _ = io.Copy(io.Discard, resp.Body)
					resp.Body.Close()
				}
				order <- err
			}()
			<-asked
			p.signal(t, sig)
			p.until(t, "app stopping")
			p.signal(t, sig)
			if code := p.wait(t); code != want {
				t.Errorf("exit status %d, want %d:\n%s", code, want, p.output())
			}
			if !strings.Contains(p.stderr.String(), "ended at once by a second signal") {
				t.Errorf("Stderr says %q", p.stderr.String())
			}
			if err := <-order; err == nil {
				t.Error("the order under way was answered")
			}
		})
	}
}

// What an operator gets wrong is said at once.
func TestProcess_wrongVariables(t *testing.T) {
	t.Parallel()
	bin := build(t)
	rows := []struct {
		name string
		env  []string
		want []string
		code int
	}{
		{"settings", []string{"PAYMENTS_TIMEOUT=5", "PAYMENTS_TOKEN=hunter2"}, []string{"PAYMENTS_URL: not set", "PAYMENTS_TIMEOUT=", "(secret)"}, 78},
		{"faults", []string{"FAULT_MAX_DELAY=0s"}, []string{"failure injection: FAULT_MAX_DELAY="}, 78},
		{"everybody's", []string{"BRUNT_SHUTDOWN_GRACE_PERIOD=x", "BRUNT_SHUTDOWN_DRAIN_DELAY=y", "OTEL_TRACES_SAMPLER=z"},
			[]string{"BRUNT_SHUTDOWN_GRACE_PERIOD=", "BRUNT_SHUTDOWN_DRAIN_DELAY=", "OTEL_TRACES_SAMPLER"}, 78},
		{"port_taken", []string{"PAYMENTS_URL=http://127.0.0.1:1", "ORDERS_ADDR=256.0.0.1:80"}, []string{"service 2 of 3 (http server on 256.0.0.1:80): listen on 256.0.0.1:80"}, 1},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			p := spawn(t, row.env, bin)
			if code := p.wait(t); code != row.code {
				t.Errorf("exit status %d, want %d", code, row.code)
			}
			out := p.output()
			for _, want := range row.want {
				if !strings.Contains(out, want) || strings.Contains(out, "hunter2") || strings.Count(out, "level=ERROR") != 1 {
					t.Errorf("it printed\n%s\nwant one ERROR with %q, and no secret", out, want)
				}
			}
		})
	}
}
