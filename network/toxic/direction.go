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
	link  *Link
	ended chan struct{} // closed when read returns

	mu          sync.Mutex // never held during I/O
	room        sync.Cond  // the reader may go on
	pipe        pipeline
	src, dst    net.Conn // nil before start
	writing     bool
	splicing    bool // the kernel moves bytes
	interrupted bool // src has a deadline to end that
	hurried     bool // dst has a deadline for the end of the connection
	finished    bool // FIN was passed on
	stopped     bool // what comes is thrown away
	closed      bool // nothing comes any more
	timer       *time.Timer
	wake        time.Time // when timer goes off, zero if it does not
	written     int64
}

const (
	// readSize is how much is read at once.
	readSize = 32 << 10
	// flush is how long a peer that does not read may hold up the end of the
	// connection.
	flush = time.Second
)

func (d *direction) init(l *Link) {
	d.link = l
	d.pipe.limit = l.set.settings.Buffer
	d.room.L = &d.mu
	d.ended = make(chan struct{})
}

// start gives the direction its connections. read must follow.
func (d *direction) start(src, dst net.Conn) {
	d.mu.Lock()
	d.src, d.dst = src, dst
	d.release(time.Now(), false)
}

// update changes the pipeline. It waits for nothing.
func (d *direction) update(change func(p *pipeline, now time.Time)) {
	d.mu.Lock()
	now := time.Now()
	d.pipe.advance(now) // by the old rules until now
	change(&d.pipe, now)
	if d.splicing && !d.interrupted && len(d.pipe.stations) > 0 {
		d.interrupted = true
		_ = d.src.SetReadDeadline(time.Unix(1, 0)) // fails when closed, which ends it too
	}
	d.release(now, false)
}

// release moves on what is due, gives up the lock, and sees to it that what came
// out is written, if nobody is at it: by the caller with inline, which it must
// use only where it may wait.
func (d *direction) release(now time.Time, inline bool) {
	next := d.pipe.advance(now)
	d.arm(now, next)
	if by := d.pipe.abort; by != nil && d.src != nil && !d.stopped {
		d.stopped = true
		d.link.work.Go(func() { d.link.end(EndAbort, causeOf(by, EndAbort)) })
	}
	if d.pipe.size < d.pipe.limit || d.stopped {
		d.room.Signal()
	}
	if d.pipe.ending != EndNone && d.writing && !d.hurried && !d.stopped {
		d.hurried = true
		_ = d.dst.SetWriteDeadline(now.Add(flush)) // fails when closed, which ends Write too
	}
	begin := d.dst != nil && !d.writing && !d.stopped && d.pipe.out.len() > 0
	d.writing = d.writing || begin
	if begin && !inline {
		d.link.work.Go(d.write)
	}
	d.mu.Unlock()
	if begin && inline {
		d.write()
	}
}

// arm sets the timer. Each call it will make, or has not ended yet, is one of
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
		if d.timer.Stop() {
			d.link.work.Done()
		}
	case d.timer == nil:
		d.link.work.Add(1)
		d.timer = time.AfterFunc(next.Sub(now), d.tick)
	case !d.timer.Reset(next.Sub(now)):
		d.link.work.Add(1)
	}
}

func (d *direction) tick() {
	defer d.link.work.Done()
	d.mu.Lock()
	now := time.Now()
	if !d.wake.After(now) {
		d.wake = time.Time{}
	}
	d.release(now, true)
}

// read reads until the stream ends.
func (d *direction) read() {
	defer close(d.ended)
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
		d.room.Wait()
	}
	if d.closed {
		d.mu.Unlock()
		return net.ErrClosed
	}
	src, dst, ok := d.sockets()
	if ok {
		d.splicing = true
		d.mu.Unlock()
		return d.splice(dst, src)
	}
	size := readSize
	if !d.stopped {
		size = min(size, max(1, d.pipe.limit-d.pipe.size-overhead))
	}
	d.mu.Unlock()

	buf := d.link.set.buffer()
	n, err := d.src.Read(buf[:size])
	data := buf[:n]
	if n < readSize/2 || size < readSize { // else a few bytes would hold all of it
		data = append([]byte(nil), data...)
		d.link.set.recycle(buf)
	}
	if n > 0 {
		d.arrive(data, EndNone)
	}
	return err
}

// sockets returns both connections if the kernel can move bytes between them
// and there is nothing else to do.
func (d *direction) sockets() (src, dst *net.TCPConn, ok bool) {
	if !canSplice || d.stopped || d.writing || len(d.pipe.stations) > 0 || d.pipe.size > 0 || d.pipe.sealed {
		return nil, nil, false
	}
	src, fromTCP := d.src.(*net.TCPConn)
	dst, toTCP := d.dst.(*net.TCPConn)
	return src, dst, fromTCP && toTCP
}

// splice lets the kernel move what there is, or waits for some, until a toxic
// comes.
func (d *direction) splice(dst, src *net.TCPConn) error {
	n, readErr, writeErr := splice(dst, src)
	d.mu.Lock()
	d.splicing = false
	d.pipe.arrived += n
	d.pipe.left += n
	d.written += n
	interrupted := d.interrupted
	if interrupted {
		d.interrupted = false
		_ = src.SetReadDeadline(time.Time{}) // fails when closed: Read will say so
	}
	d.mu.Unlock()
	if writeErr != nil {
		d.link.end(EndReset, ErrReset)
		return writeErr
	}
	if interrupted && isTimeout(readErr) {
		return nil
	}
	return readErr
}

func isTimeout(err error) bool {
	var t net.Error
	return errors.As(err, &t) && t.Timeout()
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
	d.release(now, len(d.pipe.stations) == 0)
}

// write writes what is out until there is no more.
func (d *direction) write() {
	for {
		d.mu.Lock()
		if d.stopped || d.pipe.out.len() == 0 {
			d.writing = false
			d.mu.Unlock()
			return
		}
		c := d.pipe.out.pop()
		d.mu.Unlock()

		n, err := 0, error(nil)
		if len(c.Data) > 0 {
			n, err = d.dst.Write(c.Data)
			d.link.set.recycle(c.Data)
		}

		d.mu.Lock()
		d.written += int64(n)
		d.pipe.size -= cost(c)
		d.release(time.Now(), false)
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
	d.room.Broadcast()
}
