package brunttest

import (
	"errors"
	"net"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"
)

// patience is how long somebody waits for a listener before the test's log says so. In a
// bubble a timer rings when all else waits, so it rings before synctest finds that nobody
// can go on and ends the test.
const patience = 10 * time.Second

// awaited returns a channel that is closed once somebody listens where text gets to, and
// logs when nobody does for long.
func (n *network) awaited(from, text string, logf func(string, ...any)) (<-chan struct{}, error) {
	at, err := resolve(from, text)
	if err != nil {
		return nil, err
	}
	ready := make(chan struct{})
	n.mu.Lock()
	defer n.mu.Unlock()
	if _, found := n.find(at); found {
		close(ready)
		return ready, nil
	}
	n.waiting[at] = append(n.waiting[at], ready)
	time.AfterFunc(patience, func() {
		n.mu.Lock()
		defer n.mu.Unlock() // after the log: the test does not end before
		if !n.ended && slices.Contains(n.waiting[at], ready) {
			logf("brunttest: waited %v for %s; %s", patience, at.global(), n.listening())
		}
	})
	return ready, nil
}

// listening says where somebody listens. The caller holds n.mu.
func (n *network) listening() string {
	var all []string
	for at := range n.listeners {
		all = append(all, at.global())
	}
	if len(all) == 0 {
		return "nobody listens"
	}
	slices.Sort(all)
	return "listening: " + strings.Join(all, ", ")
}

// explain adds to the error of a dial that nobody took where somebody would have. The
// types in the error, which was made for this dial, stay: only what syscall.ECONNREFUSED
// says gets longer.
func (n *network) explain(err error) error {
	var refused *os.SyscallError
	if !errors.As(err, &refused) || !errors.Is(refused.Err, syscall.ECONNREFUSED) {
		return err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	refused.Err = refusedError{refused.Err, n.listening()}
	return err
}

// refusedError is a refused connection, with who else listens.
type refusedError struct {
	error
	listening string
}

// Error implements error.
func (e refusedError) Error() string { return e.error.Error() + "; " + e.listening }

// Unwrap returns the error without who listens.
func (e refusedError) Unwrap() error { return e.error }

// global is the address as a program on any machine dials it.
func (a address) global() string { return net.JoinHostPort(nameOf(a.host), a.port) }
