package toxic

import "time"

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
		n := sendNow(d.dst(), c.Data)
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
		n, err = d.dst().Write(c.Data[n:])
		n += before
	}
	d.sent(c, n)
	switch {
	case err != nil:
		d.finish(EndReset)
	case c.End == EndFIN:
		d.passFIN()
	case c.End == EndReset:
		awaitSent(d.dst(), flush) // a reset throws away what is not
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

// passFIN ends the direction; the other one goes on. If that has ended already,
// the connections are closed, which is a FIN too.
func (d *direction) passFIN() {
	if d.link.lastIs(d) {
		d.link.end(EndNone, nil)
		return
	}
	if err := closeWrite(d.dst()); err != nil {
		d.finish(EndReset)
		return
	}
	d.mu.Lock()
	d.finished = true
	d.mu.Unlock()
	d.link.finished()
}
