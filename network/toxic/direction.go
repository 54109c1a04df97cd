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
	room     *sync.Cond // the reader may go on; nil until one without a relay had to wait
	pipe     pipeline
	relay    *relay // nil before start, and if the two connections are not both TCP
	started  bool
	writing  bool
	parked   bool    // the reader waits for room, with an eye on src
	called   bool    // src has a deadline to end that
	hurried  bool    // dst has a deadline for the end of the connection
	finished bool    // FIN was passed on
	stopped  bool    // what comes is thrown away
	closed   bool    // nothing comes any more
	alarm    *wakeup // nil until there was something to wait for
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
}

// src is the connection that is read. It is not to be asked for before start.
func (d *direction) src() net.Conn {
	if d == &d.link.up {
		return d.link.client
	}
	return d.link.upstream
}

// dst is the connection that is written to, after start.
func (d *direction) dst() net.Conn {
	if d == &d.link.up {
		return d.link.upstream
	}
	return d.link.client
}

// start starts the direction, once its link has both connections. read must follow.
func (d *direction) start() {
	d.mu.Lock()
	d.started = true
	d.relay = newRelay(d, d.src(), d.dst())
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
	if by := d.pipe.abort; by != nil && d.started && !d.stopped {
		d.stopped = true
		d.link.work.Go(func() { d.link.end(EndAbort, causeOf(by, EndAbort)) })
	}
	if d.pipe.size < d.pipe.limit || d.stopped {
		d.callReader()
	}
	if d.pipe.ending != EndNone && d.writing && !d.hurried && !d.stopped {
		d.hurried = true
		_ = d.dst().SetWriteDeadline(now.Add(flush)) // fails when closed, which ends Write too
	}
	begin := d.started && !d.writing && !d.stopped && d.pipe.out.len() > 0
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

func (d *direction) tick() { d.awake(byCaller) }

// tickNow is tick for who must not wait.
func (d *direction) tickNow() { d.awake(byCallerNow) }

func (d *direction) awake(who by) {
	defer d.link.work.Done()
	d.mu.Lock()
	now := time.Now()
	d.alarm.wentOff(now)
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
