package brunt

import (
	"io"
	"os"
	"strings"
)

// Process is what an App is started with. The zero Process has no arguments and no
// environment, reads nothing, and its output is thrown away.
type Process struct {
	// Args are the command line's arguments, without the program's name.
	Args []string
	// Environment has the environment variables. It is not changed once the App runs.
	Environment map[string]string
	// Stdin, Stdout and Stderr are the standard streams. Stdout and Stderr must be
	// safe for concurrent use, as an *os.File is.
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Signals tells the App to end. The first signal stops it in good order, the
	// second ends it at once. Nil: no signals.
	Signals <-chan os.Signal
}

// OSProcess is this process. Its Signals are nil: which signals mean something is for
// whoever owns the process to say, as [Main] does.
func OSProcess() Process {
	return Process{
		Args:        os.Args[1:],
		Environment: environment(os.Environ()),
		Stdin:       os.Stdin,
		Stdout:      os.Stdout,
		Stderr:      os.Stderr,
	}
}

// environment reads what os.Environ returns. Of a name that comes twice the last
// counts. Windows has names that begin with "=", for its own use.
func environment(list []string) map[string]string {
	all := make(map[string]string, len(list))
	for _, entry := range list {
		if name, value, ok := strings.Cut(entry, "="); ok && name != "" {
			all[name] = value
		}
	}
	return all
}

// complete is p with something in place of what is nil.
func (p Process) complete() Process {
	if p.Environment == nil {
		p.Environment = map[string]string{}
	}
	if p.Stdin == nil {
		p.Stdin = strings.NewReader("")
	}
	if p.Stdout == nil {
		p.Stdout = io.Discard
	}
	if p.Stderr == nil {
		p.Stderr = io.Discard
	}
	return p
}
