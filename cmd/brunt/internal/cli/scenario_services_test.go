package cli

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Two services in processes of their own, which know nothing of OpenTelemetry,
// called with the header that scenario write prints: each fault hits the request
// that carries it, and nothing passes a boundary that was told to hold it.
func TestScenario_twoServices(t *testing.T) {
	t.Parallel()
	bin := filepath.Join(t.TempDir(), "two-services")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", bin, "./two-services")
	build.Dir = "../../../../examples"
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	payments := service(t, bin, "payments")
	orders := map[bool]string{
		false: service(t, bin, "orders", "-payments", "http://"+payments),
		true:  service(t, bin, "orders", "-payments", "http://"+payments, "-forward"),
	}
	const (
		delay   = 50 * time.Millisecond
		spared  = `payments says: charged, baggage "tenant=acme"` + "\n"
		mesh    = "X-From-Mesh: yes"
		outside = "X-From-Mesh: no"
	)
	point := "http:" + payments
	notCharged := `not charged: Post "http://` + payments + `/charge?order=%s": `
	rows := []struct {
		name, rule string
		from       string
		forward    bool
		status     int
		want       string // of orders; %s is the order
		asked      int    // how often payments was
		least      time.Duration
	}{
		{"spared", "http:elsewhere:443 abort", mesh, false, 200, spared, 1, 0},
		{"abort", point + " abort", mesh, false, 502, notCharged + "fit: injected failure at " + point + "\n", 0, 0},
		{"delay", point + " delay=" + delay.String(), mesh, false, 200, spared, 1, delay},
		{"reply", point + " reply=402 body=card declined", mesh, false, 402, "payments says: card declined", 0, 0},
		{"lost", point + " lost", mesh, false, 502, notCharged + "fit: injected loss of the answer at " + point + "\n", 1, 0},
		{"other_attempt", point + " attempts=2- abort", mesh, false, 200, spared, 1, 0},
		{"untrusted", "* abort", outside, true, 200, spared, 1, 0},
		{"not_forwarded", "bank:* abort", mesh, false, 200, spared, 1, 0},
		{"forwarded", "bank:* abort", mesh, true, 502, "payments says: the bank: fit: injected failure at bank:charge\n", 1, 0},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			header := written(t, row.rule)
			start := time.Now()
			status, body := call(t, callLimit, "http://"+orders[row.forward]+"/orders/"+row.name, "baggage: "+header, row.from)
			took := time.Since(start)
			if want := strings.ReplaceAll(row.want, "%s", row.name); status != row.status || body != want {
				t.Errorf("orders answers %d, %q, want %d, %q", status, body, row.status, want)
			}
			if took < row.least {
				t.Errorf("the call took %v, want at least %v", took, row.least)
			}
			if got := asked(t, payments, row.name); got != row.asked {
				t.Errorf("payments was asked %d times, want %d", got, row.asked)
			}
		})
	}

	// Who gives up during the delay leaves nothing to be sent.
	t.Run("delay_outlasts_the_caller", func(t *testing.T) {
		t.Parallel()
		const patience = 500 * time.Millisecond
		status, body := call(t, patience, "http://"+orders[false]+"/orders/late", "baggage: "+written(t, point+" delay=9s"), mesh)
		if status != 0 {
			t.Errorf("orders answers %d, %q, want it to wait longer than its caller", status, body)
		}
		if got := asked(t, payments, "late"); got != 0 {
			t.Errorf("payments was asked %d times, want never", got)
		}
	})
}

// callLimit is for a call that is not meant to be cut short.
const callLimit = time.Minute

// written is the header that carries rule, beside other baggage.
func written(t *testing.T, rule string) string {
	t.Helper()
	stdout, stderr, status := command(t, "scenario", "write", "--key", "acme.fault", "--rule", rule, "--rest", "tenant=acme")
	if status != exitPass {
		t.Fatalf("scenario write: status %d: %s", status, stderr)
	}
	return strings.TrimSuffix(stdout, "\n")
}

// service starts a service, which ends with the test, and returns its address.
func service(t *testing.T, bin string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), bin, args...)
	cmd.Stderr = t.Output()
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Wait() }) // the test's context has killed it
	line, err := bufio.NewReader(stdout).ReadString('\n')
	addr, ok := strings.CutPrefix(strings.TrimSpace(line), "listening on ")
	if err != nil || !ok {
		t.Fatalf("%v says %q, %v", args, line, err)
	}
	return addr
}

// asked is how often payments was asked to charge an order.
func asked(t *testing.T, payments, order string) int {
	t.Helper()
	_, body := call(t, callLimit, "http://"+payments+"/asked?order="+order)
	n, err := strconv.Atoi(strings.TrimSpace(body))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// call calls url with curl, or where there is none with Go's client, and returns
// the status and the body. The status is 0 when there was no answer within limit.
func call(t *testing.T, limit time.Duration, url string, headers ...string) (status int, body string) {
	t.Helper()
	curl, err := exec.LookPath("curl")
	if err != nil {
		return get(t, limit, url, headers)
	}
	args := []string{"--silent", "--noproxy", "*", "--max-time", strconv.FormatFloat(limit.Seconds(), 'f', -1, 64), "--write-out", "\n%{http_code}", url}
	for _, h := range headers {
		args = append(args, "-H", h)
	}
	out, err := exec.CommandContext(t.Context(), curl, args...).Output()
	const timedOut = 28
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == timedOut {
		err = nil
	}
	if err != nil {
		t.Fatalf("curl %q: %v", args, err)
	}
	at := bytes.LastIndexByte(out, '\n')
	if status, err = strconv.Atoi(string(out[at+1:])); err != nil {
		t.Fatalf("curl %q says %q", args, out)
	}
	return status, string(out[:at])
}

// get is call without curl.
func get(t *testing.T, limit time.Duration, url string, headers []string) (status int, body string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Set(name, value)
	}
	resp, err := (&http.Client{Timeout: limit}).Do(req)
	if err != nil {
		return 0, ""
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(data)
}
