package toxic

import (
	"slices"
	"time"
)

// pipeline is one direction of one connection without its goroutines and
// clocks: chunks go in by push, move on by advance and come out of out. It is
// not safe for concurrent use.
type pipeline struct {
	stations []*station // by armed.serial
	out      queue
	limit    int // of size, where the reader stops
	// size is how much memory all chunks in it take, the one being written
	// included.
	size int
	// arrived, left and dropped count bytes.
	arrived, left, dropped int64
	// sealed is set once the stream has ended inside: nothing gets in any more.
	sealed bool
	// abort is the toxic that aborted the connection, nil while none did.
	abort *armed
	// ender is the toxic that ended the stream, nil while none did.
	ender *armed
	// ending is how the connection ends when what is out is written.
	ending End
}

// station is a toxic's place in a pipeline.
type station struct {
	armed *armed
	link  *Link
	stage Stage
	site  Site
	line  queue // what has arrived and not left
	step  Step  // about the first in line
	asked bool  // step is valid
	left  time.Time
	// from is the first Offset the toxic is about; what comes before passes.
	from   int64
	begun  bool // that point was reached
	immune bool // but the toxic had hit as many connections as it may
	done   bool // it has ended the stream
	offset int64
	tally  tally
}

// tally is what a toxic did on one direction of one connection.
type tally struct {
	bytes, dropped int64
	ended          bool
	flipped        int64
	marks          []Mark // the first keptMarks
}

// keptMarks is how many marks of a connection are remembered.
const keptMarks = 1024

// overhead is what a chunk takes besides its bytes.
const overhead = 64

func cost(c Chunk) int { return cap(c.Data) + overhead }

// push lets a chunk in. c.At is when it came.
func (p *pipeline) push(c Chunk) {
	p.arrived += int64(len(c.Data))
	if p.sealed {
		p.dropped += int64(len(c.Data))
		return
	}
	p.size += cost(c)
	p.pass(0, c)
}

// pass moves c to station i, or out behind the last.
func (p *pipeline) pass(i int, c Chunk) {
	if i == len(p.stations) {
		c.Offset = p.left
		p.left += int64(len(c.Data))
		if c.End > EndFIN {
			p.ending = c.End
		}
		p.out.push(c)
		return
	}
	s := p.stations[i]
	c.Offset = s.offset
	s.offset += int64(len(c.Data))
	s.line.push(c)
}

// advance moves everything on that is due by now, and returns when there is
// more to do; the zero time if only a push or a change can bring it.
func (p *pipeline) advance(now time.Time) time.Time {
	var next time.Time
	for i := 0; i < len(p.stations); i++ {
		if t := p.run(i, now); !t.IsZero() && (next.IsZero() || t.Before(next)) {
			next = t
		}
	}
	return next
}

// run lets station i work until now, and returns when it has more to do.
func (p *pipeline) run(i int, now time.Time) time.Time {
	s := p.stations[i]
	for p.abort == nil {
		due, moves := s.due()
		at, end := s.deadline()
		switch {
		case end != EndNone && (!moves || due.After(at)):
			if at.After(now) {
				return at
			}
			p.finish(i, later(at, s.left), end)
		case !moves || s.line.len() == 0:
			return time.Time{}
		case due.After(now):
			return due
		case p.size > 2*p.limit && p.out.len() > 0 && s.step.Size < len(s.line.first().Data):
			return time.Time{} // cutting it up costs memory: first let the writer catch up
		default:
			p.move(i, due)
		}
	}
	return time.Time{}
}

// due is when the first in line leaves. It asks the toxic if need be.
func (s *station) due() (due time.Time, moves bool) {
	if s.line.len() == 0 {
		return time.Time{}, false
	}
	c := s.line.first()
	c.Left = s.left
	if !s.asked {
		s.step, s.asked = s.ask(*c), true
	}
	return later(s.step.Due, c.First()), !s.step.Hold
}

// ask asks the toxic about c, unless c is not its business yet.
func (s *station) ask(c Chunk) Step {
	if before := s.from - c.Offset; before > 0 {
		return Step{Size: int(min(before, int64(len(c.Data))))}
	}
	if s.immune || s.done {
		return Step{}
	}
	step := s.stage.Next(c)
	if step.Size <= 0 || step.Size > len(c.Data) {
		step.Size = len(c.Data)
	}
	return step
}

// begin makes the toxic hit the connection, or lets it go when the toxic has
// hit as many as it may.
func (s *station) begin(now time.Time) {
	s.begun = true
	s.immune = !s.armed.take(s.link, now)
	s.site.Begun, s.site.Offset = now, s.from
	if !s.immune {
		s.stage = s.armed.start(s.site)
	}
}

func (s *station) deadline() (time.Time, End) {
	timed, ok := s.stage.(Timed)
	if !ok || s.done {
		return time.Time{}, EndNone
	}
	return timed.Deadline()
}

// move carries out the step about the first in line of station i.
func (p *pipeline) move(i int, due time.Time) {
	s := p.stations[i]
	first := s.line.first()
	c := *first
	step := s.step
	s.asked, s.left = false, due
	if step.Size < len(c.Data) && step.Size > 0 {
		// A slice of its own: what is left behind can go when it has gone.
		c.Data, c.End = c.Data[:step.Size:step.Size], EndNone
		first.Data = first.Data[step.Size:]
		first.Offset += int64(step.Size)
		p.size += overhead
	} else {
		s.line.pop()
	}
	c.At = due
	s.note(c, step)
	if !s.begun && !s.done && c.Offset+int64(len(c.Data)) >= s.from {
		s.begin(due)
	}
	if step.Drop {
		p.drop(c)
	} else {
		p.pass(i+1, c)
	}
	if step.End != EndNone {
		p.finish(i, due, step.End)
	}
}

func (s *station) note(c Chunk, step Step) {
	if s.begun && !s.immune {
		s.tally.bytes += int64(len(c.Data))
	}
	if step.Drop {
		s.tally.dropped += int64(len(c.Data))
	}
	s.tally.flipped += int64(len(step.Marks))
	s.tally.marks = append(s.tally.marks, step.Marks[:min(len(step.Marks), keptMarks-len(s.tally.marks))]...)
}

// finish ends the stream at station i: what is at or before it is lost.
func (p *pipeline) finish(i int, now time.Time, end End) {
	s := p.stations[i]
	s.tally.ended = true
	p.sealed = true
	p.ender = s.armed
	for _, before := range p.stations[:i+1] {
		p.clear(before)
	}
	if end == EndAbort {
		p.abort = s.armed
		return
	}
	c := Chunk{End: end, At: now}
	p.size += cost(c)
	p.pass(i+1, c)
}

func (p *pipeline) clear(s *station) {
	s.asked = false
	for s.line.len() > 0 {
		p.drop(s.line.pop())
	}
	s.done = true
}

func (p *pipeline) drop(c Chunk) {
	p.size -= cost(c)
	p.dropped += int64(len(c.Data))
}

// insert puts a station in its place. The toxic begins after bytes of the stream.
func (p *pipeline) insert(s *station, after int64, now time.Time) {
	i := p.place(s.armed)
	s.offset = p.left
	for _, behind := range p.stations[i:] {
		for _, c := range behind.line.items[behind.line.start:] {
			s.offset += int64(len(c.Data))
		}
	}
	s.done = p.sealed
	p.stations = slices.Insert(p.stations, i, s)
	s.await(after, now)
}

// await makes the toxic begin after bytes of the stream, now if they have passed.
func (s *station) await(after int64, now time.Time) {
	s.from = max(after, s.next())
	if s.from == s.next() && !s.done {
		s.begin(now)
	}
}

// next is the Offset of what leaves next.
func (s *station) next() int64 {
	if s.line.len() > 0 {
		return s.line.first().Offset
	}
	return s.offset
}

// place is where a toxic's station is, or would be.
func (p *pipeline) place(a *armed) int {
	i, _ := slices.BinarySearchFunc(p.stations, a.serial, func(s *station, serial uint64) int {
		return int(int64(s.armed.serial) - int64(serial))
	})
	return i
}

// find returns the station of the toxic with a serial number, nil if it has none.
func (p *pipeline) find(a *armed) *station {
	if i := p.place(a); i < len(p.stations) && p.stations[i].armed.serial == a.serial {
		return p.stations[i]
	}
	return nil
}

// remove takes station s out. What waits there goes on now.
func (p *pipeline) remove(s *station, now time.Time) {
	i := p.place(s.armed)
	for s.line.len() > 0 {
		c := s.line.pop()
		c.At = later(c.At, now)
		p.pass(i+1, c)
	}
	p.stations = slices.Delete(p.stations, i, i+1)
}

// change gives station s other attributes. What waits there is asked about
// again; its wait so far counts, but does not earn it more than now.
func (p *pipeline) change(s *station, a *armed, now time.Time) {
	s.armed = a
	s.asked = false
	switch {
	case s.done || s.immune:
	case !s.begun:
		s.await(a.spec.Select.AfterBytes, now)
	default:
		s.site.Passed, s.site.Left = s.next()-s.site.Offset, s.left
		s.stage = a.start(s.site)
	}
	s.left = later(s.left, now)
}
