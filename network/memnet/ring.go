package memnet

// ring is a queue of bytes that grows up to a limit.
type ring struct {
	limit int
	buf   []byte
	start int // where the oldest byte is
	size  int // how many bytes there are
}

// minRing is what a ring begins with, in bytes.
const minRing = 1 << 10

// room is how many bytes fit in.
func (r *ring) room() int { return r.limit - r.size }

// push takes as much of p as there is room for, and returns how much.
func (r *ring) push(p []byte) int {
	p = p[:min(len(p), r.room())]
	r.reserve(r.size + len(p))
	for rest := p; len(rest) > 0; {
		end := r.start + r.size
		if end >= len(r.buf) {
			end -= len(r.buf)
		}
		n := copy(r.buf[end:], rest)
		r.size += n
		rest = rest[n:]
	}
	return len(p)
}

// pop moves the oldest bytes into p and returns how many.
func (r *ring) pop(p []byte) int {
	n := 0
	for n < len(p) && r.size > 0 {
		end := min(r.start+r.size, len(r.buf))
		m := copy(p[n:], r.buf[r.start:end])
		n += m
		r.size -= m
		if r.start += m; r.start == len(r.buf) {
			r.start = 0
		}
	}
	if r.size == 0 {
		r.start = 0 // the next push and pop then need one copy only
	}
	return n
}

// drop forgets all bytes and gives the memory back.
func (r *ring) drop() { *r = ring{limit: r.limit} }

// reserve grows the memory to hold size bytes. Doubling keeps the copies few;
// an idle connection costs what it once needed, not the limit.
func (r *ring) reserve(size int) {
	if size <= len(r.buf) {
		return
	}
	larger := make([]byte, min(r.limit, max(size, 2*len(r.buf), minRing)))
	kept := r.pop(larger)
	r.buf, r.start, r.size = larger, 0, kept
}
