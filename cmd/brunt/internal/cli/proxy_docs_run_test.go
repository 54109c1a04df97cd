package cli

import (
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/brunt-go/brunt/internal/docstest"
)

// Who follows a page about the daemon, which runs already, sees what it shows.
func TestDocs_withDaemon(t *testing.T) {
	t.Parallel()
	followed := 0
	for _, p := range docs(t) {
		for _, b := range p.Blocks() {
			if b.Mark == "run with a daemon" {
				followed++
				t.Run(strings.ReplaceAll(p.Path, "/", "_"), func(t *testing.T) {
					t.Parallel()
					followWithDaemon(t, p)
				})
				break
			}
		}
	}
	if followed == 0 {
		t.Error("no page runs a daemon")
	}
}

// followWithDaemon does what a page tells its reader to do, on other ports than
// the page's: those may be somebody's.
func followWithDaemon(t *testing.T, p docstest.Page) {
	dir := t.TempDir()
	payments := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("charged\n")) // fails when it is broken on purpose
	}))
	defer payments.Close()
	d := runDaemon(t, "-seed", "4711")
	front := freePort(t)
	ports := strings.NewReplacer(
		"localhost:8474", strings.TrimPrefix(d.url, "http://"),
		"localhost:8080", payments.Listener.Addr().String(),
		"localhost:18080", front, "127.0.0.1:18080", front,
	)
	for _, b := range p.Blocks() {
		if name, ok := strings.CutPrefix(b.Mark, "file "); ok {
			write(t, dir+"/"+name, ports.Replace(b.Text))
		}
		if b.Mark != "run with a daemon" {
			continue
		}
		for _, step := range steps(b.Text) {
			cmd := exec.CommandContext(t.Context(), "/bin/sh", "-c", ports.Replace(step.command))
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "BRUNT_PROXY_URL="+d.url, "GORACE="+raceSettings)
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%s:%d: %s: %v\n%s", b.Page, b.Line, step.command, err, out)
			}
			if got, want := alike(string(out)), alike(ports.Replace(step.shown)); got != want {
				t.Fatalf("%s:%d: %s prints\n%s, want\n%s", b.Page, b.Line, step.command, got, want)
			}
		}
	}
}

// freePort is an address of this machine that nothing listens on.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}
