package brunttest

import (
	"bytes"
	"os"
	"sync"
	"sync/atomic"
	"syscall"

	"github.com/brunt-go/brunt"
)

// Process is an App that Start started. Its methods may be called concurrently.
type Process struct {
	id             string
	signals        chan os.Signal
	stdout, stderr output
	signalled      atomic.Bool
	waited         atomic.Bool         // somebody has the status from Wait
	untaken        <-chan brunt.Status // has the status until the test receives it
	ended          chan struct{}       // closed after status and told are set
	status         brunt.Status
	told           bool // the log says how the App ended, and what it wrote
}

// Signal sends the process a signal: the first stops the App in good order, the second
// ends it at once, further ones do nothing.
func (p *Process) Signal(sig os.Signal) {
	p.signalled.Store(true)
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
	p.waited.Store(true)
	return p.status
}

// taken reports whether the test has seen the status.
func (p *Process) taken() bool { return p.waited.Load() || len(p.untaken) == 0 }

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
