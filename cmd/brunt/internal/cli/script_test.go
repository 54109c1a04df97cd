package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// The scripts run the command as a user does: in a process of its own, with
// files and signals.
func TestMain(m *testing.M) {
	run := func() { os.Exit(Main()) }
	testscript.Main(m, map[string]func(){"brunt": run, "toxiproxy-server": run, "toxiproxy-cli": run})
}

// raceSettings keep a command that was built with the race detector from sleeping a
// second before it ends.
const raceSettings = "atexit_sleep_ms=0"

func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, params(t, nil, "testdata/script"))
}

// What these scripts run is timed, so it is the real command, without the race
// detector, and one script at a time.
//
//nolint:paralleltest // one at a time, on purpose
func TestMeasured(t *testing.T) {
	bin := t.TempDir()
	build := exec.Command("go", "build", "-o", bin, "../..")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	files, err := filepath.Glob("testdata/measured/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, file := range files {
		t.Run("one", func(t *testing.T) {
			p := params(t, []string{file}, "")
			setup := p.Setup
			p.Setup = func(e *testscript.Env) error {
				e.Setenv("PATH", bin+string(os.PathListSeparator)+e.Getenv("PATH"))
				return setup(e)
			}
			testscript.Run(t, p)
		})
	}
}

func params(t *testing.T, files []string, dir string) testscript.Params {
	t.Helper()
	plan, err := filepath.Abs("../../../../examples/loan/plan.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return testscript.Params{
		Files: files, Dir: dir,
		Setup: func(e *testscript.Env) error {
			e.Setenv("LOAN_PLAN", plan)
			e.Setenv("GORACE", raceSettings)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"status":  statusCmd,
			"noproc":  noProcCmd,
			"killpid": killCmd,
			"daemon":  daemonCmd,
			"end":     endCmd,
			"send":    sendCmd,
		},
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	}
}
