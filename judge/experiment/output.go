package experiment

import "sync"

// tail keeps the end of what a service writes. It is safe for concurrent use.
type tail struct {
	mu   sync.Mutex
	data []byte
	lost int64
}

// maxOutput is how much of a service's output is kept, in bytes.
const maxOutput = 64 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.data = append(t.data, p...)
	if over := len(t.data) - maxOutput; over > 0 {
		t.lost += int64(over)
		t.data = append(t.data[:0], t.data[over:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.lost > 0 {
		return "[...]\n" + string(t.data)
	}
	return string(t.data)
}
