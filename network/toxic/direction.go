package toxic

import (
	"net"
	"sync"
	"time"
)

// direction runs one pipeline of a link: it reads, writes and waits. One
// goroutine reads. What is due is written by the goroutine that made it so: the
// reader itself while there are no toxics, otherwise the alarm's, or one made for
// it where that one might have to wait. One at a time writes.
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
