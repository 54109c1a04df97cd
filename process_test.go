package brunt

import (
	"io"
	"maps"
	"os"
	"testing"
)

func TestEnvironment(t *testing.T) {
	t.Parallel()
	got := environment([]string{"A=1", "B=x=y", "A=2", "C=", "=D:=D:\\", "E"})
	want := map[string]string{"A": "2", "B": "x=y", "C": ""}
	if !maps.Equal(got, want) {
		t.Errorf("environment() = %q, want %q", got, want)
	}
}

func TestOSProcess(t *testing.T) {
	t.Parallel()
	p := OSProcess()
	if p.Stdin != os.Stdin || p.Stdout != os.Stdout || p.Stderr != os.Stderr || p.Signals != nil {
		t.Errorf("OSProcess() = %+v", p)
	}
	if len(p.Args) != len(os.Args)-1 || p.Environment["PATH"] != os.Getenv("PATH") {
		t.Errorf("arguments %q, PATH %q", p.Args, p.Environment["PATH"])
	}
}

// Of the zero Process there is nothing to read, and what is written is gone.
func TestProcess_complete(t *testing.T) {
	t.Parallel()
	p := Process{}.complete()
	if in, err := io.ReadAll(p.Stdin); len(in) != 0 || err != nil {
		t.Errorf("Stdin has %q, %v", in, err)
	}
	for _, out := range []io.Writer{p.Stdout, p.Stderr} {
		if n, err := out.Write([]byte("x")); n != 1 || err != nil {
			t.Errorf("Write() = %d, %v", n, err)
		}
	}
	if p.Environment == nil {
		t.Error("the environment is nil")
	}
}
