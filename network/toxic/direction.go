package toxic

import (
	"errors"
	"io"
	"net"
	"sync"
	"time"
)

// direction runs one pipeline of a link: it reads, writes and waits. One
// goroutine reads. What is due is written by the goroutine that made it so: the
// reader itself while there are no toxics, otherwise the timer's or one made for
// it. One at a time writes.
type direction struct {
	link *Link

	mu       sync.Mutex // never held during I/O
	room     sync.Cond  // the reader may go on
	pipe     pipeline
	src, dst net.Conn // nil before start
	relay    *relay   // nil before start, and if the two are not both TCP
	writing  bool
	parked   bool // the reader waits for room, with an eye on src
	called   bool // src has a deadline to end that
	hurried  bool // dst has a deadline for the end of the connection
	finished bool // FIN was passed on
	stopped  bool // what comes is thrown away
	closed   bool // nothing comes any more
	alarm    alarm
	wake     time.Time // when alarm goes off, zero if it does not
	written  int64
}

const (
	// readSize is how much is read at once.
	readSize = 32 << 10
	// atOnce is how many chunks of a connection are written before others get
	// their turn.
	atOnce = 4
	// flush is how long a peer that does not read may hold up the end of the
	// connection.
	flush = time.Second
)

// past returns a deadline that ends what waits.
func past() time.Time { return time.Unix(1, 0) }

func (d *direction) init(l *Link) {
	d.link = l
	d.pipe.limit = l.set.settings.Buffer
	d.room.L = &d.mu
}

// start gives the direction its connections. read must follow.
func (d *direction) start(src, dst net.Conn) {
	d.mu.Lock()
	d.src, d.dst = src, dst
	d.relay = newRelay(d, src, dst)
	d.release(time.Now(), byAnother)
}

// update changes the pipeline. It waits for nothing.
func (d *direction) update(change func(p *pipeline, now time.Time)) {
	d.mu.Lock()
	now := time.Now()
	d.pipe.advance(now) // by the old rules until now
	change(&d.pipe, now)
	d.release(now, byAnother)
}

// by is who writes what is due.
type by int

const (
	byAnother   by = iota // a goroutine made for it
	byCaller              // who may wait
	byCallerNow           // who may not: what would need that is left to another
)

// release moves on what is due, gives up the lock, and sees to it that what came
// out is written, if nobody is at it.
func (d *direction) release(now time.Time, who by) {
	next := d.pipe.advance(now)
	d.arm(now, next)
	if by := d.pipe.abort; by != nil && d.src != nil && !d.stopped {
		d.stopped = true
		d.link.work.Go(func() { d.link.end(EndAbort, causeOf(by, EndAbort)) })
	}
	if d.pipe.size < d.pipe.limit || d.stopped {
		d.callReader()
	}
	if d.pipe.ending != EndNone && d.writing && !d.hurried && !d.stopped {
		d.hurried = true
		_ = d.dst.SetWriteDeadline(now.Add(flush)) // fails when closed, which ends Write too
	}
	begin := d.dst != nil && !d.writing && !d.stopped && d.pipe.out.len() > 0
	d.writing = d.writing || begin
	if begin && who == byAnother {
		d.link.work.Go(d.write)
	}
	d.mu.Unlock()
	switch {
	case !begin:
	case who == byCaller:
		d.write()
	case who == byCallerNow:
		d.writeNow()
	}
}

// arm sets the alarm. Each call it will make, or has not ended yet, is one of
// link.work.
func (d *direction) arm(now, next time.Time) {
	if d.stopped || d.src == nil {
		next = time.Time{}
	}
	if next.Equal(d.wake) {
		return
	}
	d.wake = next
	switch {
	case next.IsZero():
		if d.alarm.stop() {
			d.link.work.Done()
		}
	case d.alarm == nil:
		d.link.work.Add(1)
		d.alarm = d.startAlarm(now, next)
	case !d.alarm.set(now, next):
		d.link.work.Add(1)
	}
}

func (d *direction) tick() { d.awake(byCaller) }

// tickNow is tick for who must not wait.
func (d *direction) tickNow() { d.awake(byCallerNow) }

func (d *direction) awake(who by) {
	defer d.link.work.Done()
	d.mu.Lock()
	now := time.Now()
	if !d.wake.After(now) {
		d.wake = time.Time{}
	}
	d.release(now, who)
}

// read reads until the stream ends.
func (d *direction) read() {
	var err error
	for err == nil {
		err = d.carry()
	}
	switch {
	case errors.Is(err, io.EOF):
		d.arrive(nil, EndFIN)
	default:
		d.arrive(nil, EndReset) // nobody listens when the link itself has closed src
	}
}

// carry moves some bytes, or waits for them.
func (d *direction) carry() error {
	d.mu.Lock()
	for d.pipe.size >= d.pipe.limit && !d.stopped {
		if err := d.awaitRoom(); err != nil {
			d.mu.Unlock()
			return err
		}
	}
	if d.closed {
		d.mu.Unlock()
		return net.ErrClosed
	}
	size := readSize
	if !d.stopped {
		size = min(size, max(1, d.pipe.limit-d.pipe.size-overhead))
	}
	direct := d.direct()
	d.mu.Unlock()
	if d.relay != nil {
		return d.between(size, direct)
	}

	buf := d.link.set.buffer()
	n, err := d.src.Read(buf[:size])
	d.arriveBytes(buf[:n])
	return err
}

// awaitRoom waits until the reader is called, or a reset comes. It is called with
// the lock and returns with it.
func (d *direction) awaitRoom() error {
	if d.relay == nil {
		d.room.Wait()
		return nil
	}
	d.parked, d.called = true, false
	d.mu.Unlock()
	err := d.relay.awaitReset()
	d.mu.Lock()
	d.parked = false
	if d.called {
		_ = d.src.SetReadDeadline(time.Time{}) // fails when closed: reading will say so
		return nil
	}
	return err
}

// callReader makes the reader look again whether there is room.
func (d *direction) callReader() {
	d.room.Signal()
	if d.parked && !d.called {
		d.called = true
		_ = d.src.SetReadDeadline(past()) // fails when closed, which calls it too
	}
}

// between is carry between sockets. What happens to the bytes is decided when they
// are there: a toxic that came meanwhile gets them.
func (d *direction) between(size int, direct bool) error {
	moved, err := d.relay.read(size, direct)
	if err != nil {
		return err
	}
	d.mu.Lock()
	switch {
	case d.stopped || d.pipe.sealed:
		d.pipe.arrived += int64(moved)
		d.pipe.dropped += int64(moved)
		d.mu.Unlock()
		d.relay.rest()
		return nil
	case !d.relay.moves() && !d.direct():
		d.mu.Unlock()
		d.arriveBytes(d.relay.take())
		return nil
	}
	d.pipe.arrived += int64(moved)
	d.pipe.left += int64(moved)
	d.writing = true
	d.mu.Unlock()

	n, err := d.relay.pass()

	d.mu.Lock()
	d.written += int64(n)
	d.writing = false
	if d.direct() && d.pipe.ending == EndNone {
		d.mu.Unlock() // which is what release would find to do
	} else {
		d.release(time.Now(), byAnother)
	}
	if err != nil {
		d.finish(EndReset)
	}
	return err
}

// direct says whether what is read can be written at once.
func (d *direction) direct() bool {
	return !d.writing && len(d.pipe.stations) == 0 && d.pipe.size == 0 && !d.pipe.sealed && !d.stopped
}

// arriveBytes lets what was read into a buffer into the pipeline.
func (d *direction) arriveBytes(data []byte) {
	if len(data) < readSize/2 || len(data) < cap(data) { // else a few bytes would hold all of it
		buf := data
		data = append([]byte(nil), data...)
		d.link.set.recycle(buf)
	}
	if len(data) > 0 {
		d.arrive(data, EndNone)
	}
}

// arrive lets what was read into the pipeline.
func (d *direction) arrive(data []byte, end End) {
	d.mu.Lock()
	if d.stopped {
		d.mu.Unlock()
		return
	}
	now := time.Now()
	d.pipe.push(Chunk{Data: data, End: end, At: now})
	who := byAnother
	if len(d.pipe.stations) == 0 {
		who = byCaller
	}
	d.release(now, who)
}

// write writes what is out until there is no more.
func (d *direction) write() {
	for {
		c, ok := d.next()
		if !ok {
			return
		}
		d.put(c, 0)
	}
}

// writeNow is write for who must not wait. It leaves what would have to, or what
// would keep it long, to another goroutine.
func (d *direction) writeNow() {
	for range atOnce {
		c, ok := d.next()
		if !ok {
			return
		}
		n := sendNow(d.dst, c.Data)
		if n < len(c.Data) || c.End != EndNone {
			d.link.work.Go(func() {
				d.put(c, n)
				d.write()
			})
			return
		}
		d.sent(c, n)
	}
	d.link.work.Go(d.write)
}

// next takes what is to be written next, or ends the writing.
func (d *direction) next() (Chunk, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.stopped || d.pipe.out.len() == 0 {
		d.writing = false
		return Chunk{}, false
	}
	return d.pipe.out.pop(), true
}

// put writes a chunk but for its first bytes, which have been.
func (d *direction) put(c Chunk, before int) {
	n, err := before, error(nil)
	if n < len(c.Data) {
		n, err = d.dst.Write(c.Data[n:])
		n += before
	}
	d.sent(c, n)
	switch {
	case err != nil:
		d.finish(EndReset)
	case c.End == EndFIN:
		d.passFIN()
	case c.End == EndReset:
		awaitSent(d.dst, flush) // a reset throws away what is not
		d.finish(EndReset)
	case c.End != EndNone:
		d.finish(c.End)
	}
}

// sent is called when a chunk has been written, or n bytes of it.
func (d *direction) sent(c Chunk, n int) {
	d.link.set.recycle(c.Data)
	d.mu.Lock()
	d.written += int64(n)
	d.pipe.size -= cost(c)
	d.release(time.Now(), byAnother)
}

// finish ends the link, as a toxic wanted it if one did.
func (d *direction) finish(end End) {
	d.mu.Lock()
	ender, ending := d.pipe.ender, d.pipe.ending
	d.mu.Unlock()
	err := ErrReset
	if ending != EndNone {
		end = ending
		if ender != nil {
			err = causeOf(ender, end)
		}
	}
	d.link.end(end, err)
}

// passFIN ends the direction; the other one goes on.
func (d *direction) passFIN() {
	if err := closeWrite(d.dst); err != nil {
		d.finish(EndReset)
		return
	}
	d.mu.Lock()
	d.finished = true
	d.mu.Unlock()
	d.link.finished()
}

func (d *direction) isFinished() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.finished
}

// stop throws away what there is and what comes. With closed, nothing comes any
// more.
func (d *direction) stop(closed bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.stopped = true
	d.closed = d.closed || closed
	d.arm(time.Time{}, time.Time{})
	d.callReader()
}
