package proxy

import (
	"context"
	"errors"
	"net"
	"syscall"
	"time"

	"github.com/brunt-go/brunt/network/toxic"
)

// admit begins a connection that was accepted. Its ordinal, and so what hits it,
// is decided here, in the order clients were accepted.
func (p *Proxy) admit(c net.Conn) {
	p.mu.Lock()
	s := p.session
	p.mu.Unlock()
	if s == nil { // stopped in that moment
		_ = c.Close() // nothing was sent or read
		return
	}
	if !p.tally.open(p.settings.MaxConnections) {
		reset(c)
		p.log.Warn("connection reset: too many are open", "proxy", p.settings.Name, "max_connections", p.settings.MaxConnections)
		p.tell(Event{Type: Rejected, Client: c.RemoteAddr().String(), Error: "too many connections"})
		return
	}
	l := p.enter(c)
	p.tally.add(l, s)
	p.arrive(arrival{s, l})
}

// enter gives a connection its link.
func (p *Proxy) enter(c net.Conn) *toxic.Link {
	p.admission.Lock()
	defer p.admission.Unlock()
	p.telling.Lock()
	p.entering = c
	p.telling.Unlock()
	l := p.toxics.NewLink(c)
	p.announce(l.Ordinal())
	return l
}

// announce tells of the connection that enters, unless that was done.
func (p *Proxy) announce(ordinal uint64) {
	p.telling.Lock()
	defer p.telling.Unlock()
	if ordinal > p.announced {
		p.announced = ordinal
		p.tell(Event{Type: Opened, Connection: ordinal, Client: p.entering.RemoteAddr().String()})
		p.entering = nil
	}
}

// hit tells of a hit. Those of a connection that enters come before it has a link
// that we know of.
func (p *Proxy) hit(h toxic.Hit) {
	p.announce(h.Connection)
	p.tell(Event{Time: h.Time, Type: ToxicHit, Toxic: h.Toxic, Stream: h.Stream, Connection: h.Connection})
}

// join dials the upstream and hands the connection on: to a goroutine of its own,
// because dialling leaves a large stack behind, and most connections are idle most
// of the time.
func (p *Proxy) join(s *session, l *toxic.Link) {
	upstream, err := p.reach(s.ctx)
	if err != nil {
		p.unreached(s, l, err)
		return
	}
	if s.ctx.Err() != nil { // it ended when the link was not among its links yet
		l.CloseCause(context.Cause(s.ctx))
	}
	p.work.Add(1)
	go p.carry(l, upstream)
}

// carry carries a connection until it has ended.
func (p *Proxy) carry(l *toxic.Link, upstream net.Conn) {
	defer p.work.Done()
	p.ended(l, l.Run(context.Background(), upstream))
}

// end ends a session: its dials, and its connections, for which it does not wait.
func (p *Proxy) end(s *session, why error) {
	s.stop(why)
	links := p.tally.of(s)
	p.work.Go(func() { toxic.CloseAll(links, why) })
}

// unreached ends a connection whose upstream could not be reached.
func (p *Proxy) unreached(s *session, l *toxic.Link, err error) {
	if cause := context.Cause(s.ctx); cause != nil {
		l.Close()
		p.ended(l, cause)
		return
	}
	p.tally.dialFailed()
	p.log.Warn("upstream not reached", "proxy", p.settings.Name, "upstream", p.Upstream(), "error", err)
	p.tell(Event{Type: DialFailed, Connection: l.Ordinal(), Error: err.Error()})
	if errors.Is(err, syscall.ECONNREFUSED) && p.down(toxic.DownMirror) {
		l.Reset() // what is nearest to a refusal, once it was accepted
		select {
		case p.refused <- struct{}{}:
		default:
		}
	} else {
		l.Close()
	}
	p.ended(l, err)
}

// ended is called when a connection has.
func (p *Proxy) ended(l *toxic.Link, err error) {
	c := p.tally.close(l, err)
	e := Event{
		Time: c.Closed, Type: Closed, Connection: c.Connection, Client: c.Client,
		Sent: c.Upstream.Written, Received: c.Downstream.Written, Error: c.Error,
	}
	p.tell(e)
	p.log.Debug("connection closed", "proxy", p.settings.Name, "connection", e.Connection, "client", e.Client,
		"sent", e.Sent, "received", e.Received, "open", e.Time.Sub(c.Opened).Round(time.Millisecond), "error", e.Error)
}

// reset closes a connection with a reset, if it can.
func reset(c net.Conn) {
	if s, ok := c.(interface{ SetLinger(sec int) error }); ok {
		_ = s.SetLinger(0) // fails on a connection that is closed: nothing to do
	}
	_ = c.Close() // it is not used again
}
