package brunttest

import (
	"bytes"
	"os"
	"sync"
	"syscall"

	"github.com/brunt-go/brunt"
)

// Process is an App that Start started. Its methods may be called concurrently.
type Process struct {
	id             string
	signals        chan os.Signal
	stdout, stderr output
	ended          chan struct{} // closed after status is set
	status         brunt.Status
}

// Signal sends the process a signal: the first stops the App in good order, the second
// ends it at once, further ones do nothing.
func (p *Process) Signal(sig os.Signal) {
	select {
	case p.signals <- sig:
	default:
	}
}

// Stop sends SIGTERM and waits until the App has ended.
func (p *Process) Stop() brunt.Status {
	p.Signal(syscall.SIGTERM)
	return p.Wait()
}

// Wait waits until the App has ended.
func (p *Process) Wait() brunt.Status {
	<-p.ended
	return p.status
}

// Stdout returns what the App has written to it so far.
func (p *Process) Stdout() string { return p.stdout.String() }

// Stderr returns what the App has written to it so far.
func (p *Process) Stderr() string { return p.stderr.String() }

// output is a stream that several goroutines write to.
type output struct {
	mu  sync.Mutex
	all bytes.Buffer
}

// Write implements io.Writer.
func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.all.Write(b)
}

// String returns what was written.
func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.all.String()
}
