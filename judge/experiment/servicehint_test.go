//go:build unix

package experiment_test

import (
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/brunt-go/brunt/judge/experiment"
	"github.com/brunt-go/brunt/network/memnet"
)

var listensAt = regexp.MustCompile(`listen at 127\.0\.0\.1:\d+\?`)

// A service that cannot be used is told with where it was looked for, or with
// what to look at.
func TestRun_serviceHint(t *testing.T) {
	t.Parallel()
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	script := filepath.Join(dir, "script")
	if err := os.WriteFile(script, []byte("#!/no/such/interpreter\n"), 0o700); err != nil { //nolint:gosec // it is a program
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var asked atomic.Int64
	web := &http.Server{ReadHeaderTimeout: time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1) > 1 {
			<-r.Context().Done() // what cuts this off is the limit, which says nothing of the service
		}
		w.WriteHeader(http.StatusNotFound)
	})}
	go func() { _ = web.Serve(l) }()
	t.Cleanup(func() { web.Close() })
	const limit = 50 * time.Millisecond
	sleep := experiment.Service{Name: "loan-desk", Exec: []string{"sleep", "60"}, ReadyTimeout: limit}
	rows := []struct {
		name, begins, ends string
		service            experiment.Service
	}{
		{"relative", "service loan: no/such: not found from " + wd + " (where brunt was started)", "; set services.loan.dir, or run brunt from the plan's folder",
			experiment.Service{Name: "loan", Exec: []string{"no/such"}}},
		{"relative_to_dir", "service loan: ./such: not found from " + dir, " (services.loan.dir)",
			experiment.Service{Name: "loan", Exec: []string{"./such"}, Dir: dir}},
		{"no_dir", "service loan: services.loan.dir: there is no folder ", filepath.Join(dir, "none"),
			experiment.Service{Name: "loan", Exec: []string{"sleep", "60"}, Dir: filepath.Join(dir, "none")}},
		{"absolute", "service loan: start /no/such: ", "no such file or directory",
			experiment.Service{Name: "loan", Exec: []string{"/no/such"}}},
		{"no_interpreter", "service loan: start ./script: ", "no such file or directory",
			experiment.Service{Name: "loan", Exec: []string{"./script"}, Dir: dir}},
		{"listens_nowhere", "service loan-desk: it was not ready within 50ms: dial tcp 127.0.0.1:",
			`: connect: connection refused: does it listen at 127.0.0.1:PORT? It finds that address in LISTEN_ADDR, the port in PORT, and services.loan-desk.exec can tell it: {{(index .Services "loan-desk").Addr}}; if it listens elsewhere, set services.loan-desk.listen`, sleep},
		{"ready_says_no_and_then_nothing", "service loan: it was not ready within 50ms: http://" + l.Addr().String(),
			" answered 404 Not Found: is services.loan.ready the right URL, and services.loan.ready_timeout long enough?",
			experiment.Service{Name: "loan", Exec: []string{"sleep", "60"}, Ready: "http://" + l.Addr().String(), ReadyTimeout: limit}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			e := loan(memnet.New())
			e.Services, e.Variants = []experiment.Service{row.service}, nil
			e.Proxies[0].Upstream, e.Load.URL = "127.0.0.1:1", "http://127.0.0.1:1"
			r, err := experiment.Run(t.Context(), e)
			if err != nil {
				t.Fatal(err)
			}
			why := listensAt.ReplaceAllString(r.Why, "listen at 127.0.0.1:PORT?")
			if r.Verdict != experiment.Invalid || !strings.HasPrefix(why, row.begins) || !strings.HasSuffix(why, row.ends) {
				t.Errorf("%s: %s\nwant INVALID: %s ... %s", r.Verdict, why, row.begins, row.ends)
			}
		})
	}
}
