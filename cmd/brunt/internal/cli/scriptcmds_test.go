package cli

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// statusCmd runs a command and demands an exit status: status 64 brunt run x.
// Its output goes to stdout.txt and stderr.txt.
func statusCmd(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N COMMAND [ARG...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	cmd := exec.Command(args[1], args[2:]...)
	path, err := exec.LookPath(filepath.Join(binDir(ts), args[1]))
	ts.Check(err)
	cmd.Path, cmd.Err = path, nil
	cmd.Dir, cmd.Env = ts.MkAbs("."), environ(ts)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = cmd.Run()
	ts.Check(os.WriteFile(ts.MkAbs("stdout.txt"), stdout.Bytes(), 0o600))
	ts.Check(os.WriteFile(ts.MkAbs("stderr.txt"), stderr.Bytes(), 0o600))
	got := cmd.ProcessState.ExitCode()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("%v: exit status %d, want %d\nstdout: %s\nstderr: %s", args[1:], got, want, stdout.String(), stderr.String())
	}
}

// killCmd starts a command, waits until a file of its own says something, sends
// it a signal, and waits for its end: killpid KILL FILE TEXT COMMAND [ARG...].
// FILE is stderr.txt or stdout.txt, where its output goes.
func killCmd(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 4 {
		ts.Fatalf("usage: killpid INT|TERM|KILL FILE TEXT COMMAND [ARG...]")
	}
	signals := map[string]syscall.Signal{"INT": syscall.SIGINT, "TERM": syscall.SIGTERM, "KILL": syscall.SIGKILL}
	sig, ok := signals[args[0]]
	if !ok {
		ts.Fatalf("signal %q", args[0])
	}
	stdout, err := os.Create(ts.MkAbs("stdout.txt"))
	ts.Check(err)
	defer stdout.Close()
	stderr, err := os.Create(ts.MkAbs("stderr.txt"))
	ts.Check(err)
	defer stderr.Close()
	cmd := exec.Command(filepath.Join(binDir(ts), args[3]), args[4:]...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = ts.MkAbs("."), environ(ts), stdout, stderr
	ts.Check(cmd.Start())
	for deadline := time.Now().Add(time.Minute); ; {
		data, err := os.ReadFile(ts.MkAbs(args[1]))
		ts.Check(err)
		if strings.Contains(string(data), args[2]) {
			break
		}
		if time.Now().After(deadline) {
			ts.Check(cmd.Process.Kill())
			ts.Fatalf("%s never said %q: %s", args[1], args[2], data)
		}
		pollEvery()
	}
	ts.Check(cmd.Process.Signal(sig))
	_ = cmd.Wait() // its status is looked at below
	ts.Check(os.WriteFile(ts.MkAbs("status.txt"), []byte(strconv.Itoa(cmd.ProcessState.ExitCode())+"\n"), 0o600))
}

// noProcCmd demands that soon no process has a text in its environment: every
// process a script starts has its own folder there.
func noProcCmd(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: noproc")
	}
	mark := []byte("WORK=" + ts.Getenv("WORK"))
	for deadline := time.Now().Add(10 * time.Second); ; {
		var left []string
		files, err := filepath.Glob("/proc/[0-9]*/environ")
		ts.Check(err)
		for _, file := range files {
			if data, err := os.ReadFile(file); err == nil && bytes.Contains(data, mark) {
				line, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "cmdline"))
				left = append(left, filepath.Base(filepath.Dir(file))+" "+strings.ReplaceAll(string(line), "\x00", " "))
			}
		}
		if len(left) == 0 {
			return
		}
		if time.Now().After(deadline) {
			ts.Fatalf("still running: %q", left)
		}
		pollEvery()
	}
}

// pollEvery waits a little for what another process does.
func pollEvery() { <-time.After(20 * time.Millisecond) }

// binDir is where the command under test is.
func binDir(ts *testscript.TestScript) string {
	return strings.Split(ts.Getenv("PATH"), string(os.PathListSeparator))[0]
}

// environ is the script's environment.
func environ(ts *testscript.TestScript) []string {
	var env []string
	for _, name := range []string{"WORK", "PATH", "HOME", "TMPDIR", "LOAN_PLAN", "GOCOVERDIR", "GORACE", "LOG_LEVEL", "BRUNT_PROXY_URL", "TOXIPROXY_URL"} {
		if v := ts.Getenv(name); v != "" {
			env = append(env, name+"="+v)
		}
	}
	return env
}
