package toxic

// queue is first in, first out.
type queue struct {
	items []Chunk
	start int
}

func (q *queue) len() int { return len(q.items) - q.start }

func (q *queue) push(c Chunk) { q.items = append(q.items, c) }

func (q *queue) first() *Chunk { return &q.items[q.start] }

func (q *queue) pop() Chunk {
	c := q.items[q.start]
	q.items[q.start] = Chunk{}
	q.start++
	switch {
	case q.start == len(q.items):
		q.items, q.start = q.items[:0], 0
		if cap(q.items) > keptItems {
			q.items = nil
		}
	case q.start > keptItems && q.start > len(q.items)/2: // else the front grows for ever
		n := copy(q.items, q.items[q.start:])
		clear(q.items[n:])
		q.items, q.start = q.items[:n], 0
	}
	return c
}

// keptItems is how much room an empty queue keeps.
const keptItems = 64
