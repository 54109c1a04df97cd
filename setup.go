package brunt

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"sync"

	"github.com/brunt-go/brunt/fault"
	"github.com/brunt-go/brunt/telemetry"
)

// Setup is what an App's functions and its Services are built with. A test of code
// that takes one makes its own:
//
//	s := &brunt.Setup{Telemetry: telemetry.Noop(), Faults: faults}
//
// The fields are not changed once Init is called. The methods may be called
// concurrently.
type Setup struct {
	// Process is what the App was started with.
	Process Process
	// Host is the machine: connections, listeners and files go through it.
	Host Host
	// Telemetry is the App's traces, metrics and logs.
	Telemetry telemetry.Telemetry
	// Faults is the App's failure injection, built from App.Faults before Init. Every
	// server and client takes it from the Setup it is built with. Without App.Faults it
	// is the zero Injector, which is off.
	Faults fault.Injector

	stopping chan struct{}
	mu       sync.Mutex
	releases []release
}

// release is a function of OnStop.
type release struct {
	f  func(context.Context) error
	at string // where it was registered, such as "orders.go:41"
}

// OnStop has f called when the App ends, however it ends, except at once: after the
// Services have stopped, and before the telemetry is flushed. The function that was
// registered last is called first. Each is called once, also after another has failed
// or panicked. All of them together have 5 seconds, and ctx is done when they are over;
// a function that is still running then is named, left alone, and the next one is
// called. An error makes the App's status a failure.
//
// A Setup that a test made calls nothing.
func (s *Setup) OnStop(f func(ctx context.Context) error) {
	at := "somewhere"
	if _, file, line, ok := runtime.Caller(1); ok {
		at = fmt.Sprintf("%s:%d", filepath.Base(file), line)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.releases = append(s.releases, release{f, at})
}

// Stopping is closed when the App begins to stop, before its drain delay. From then
// on it serves what comes and is to be sent nothing new, which is what readiness
// tells a load balancer. It is nil in a Setup that a test made: never closed.
func (s *Setup) Stopping() <-chan struct{} { return s.stopping }

// popRelease takes the function away that was registered last.
func (s *Setup) popRelease() (release, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.releases) == 0 {
		return release{}, false
	}
	last := s.releases[len(s.releases)-1]
	s.releases = s.releases[:len(s.releases)-1]
	return last, true
}
