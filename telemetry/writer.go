package telemetry

import (
	"io"
	"sync"
)

// lockedWriter keeps the lines of several signals apart.
type lockedWriter struct {
	mu sync.Mutex
	to io.Writer
}

func newLockedWriter(w io.Writer) *lockedWriter {
	if w == nil {
		w = io.Discard
	}
	return &lockedWriter{to: w}
}

// Write implements io.Writer.
func (w *lockedWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.to.Write(p)
}
