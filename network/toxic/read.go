package toxic

import (
	"errors"
	"io"
	"net"
	"sync"
	"time"
)

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
	n, err := d.src().Read(buf[:size])
	d.arriveBytes(buf[:n])
	return err
}

// awaitRoom waits until the reader is called, or a reset comes. It is called with
// the lock and returns with it.
func (d *direction) awaitRoom() error {
	if d.relay == nil {
		if d.room == nil {
			d.room = sync.NewCond(&d.mu)
		}
		d.room.Wait()
		return nil
	}
	d.parked, d.called = true, false
	d.mu.Unlock()
	err := d.relay.awaitReset()
	d.mu.Lock()
	d.parked = false
	if d.called {
		_ = d.src().SetReadDeadline(time.Time{}) // fails when closed: reading will say so
		return nil
	}
	return err
}

// callReader makes the reader look again whether there is room.
func (d *direction) callReader() {
	if d.room != nil {
		d.room.Signal()
	}
	if d.parked && !d.called {
		d.called = true
		_ = d.src().SetReadDeadline(past()) // fails when closed, which calls it too
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
	case !d.direct():
		d.mu.Unlock()
		for data := d.relay.take(); len(data) > 0; data = d.relay.take() {
			d.arriveBytes(data)
		}
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
