package proxy

import (
	"context"
	"errors"
	"slices"
	"syscall"
	"time"

	"github.com/brunt-go/brunt/network/toxic"
)

// ErrDown is why connections end when their proxy is made to refuse them.
var ErrDown = errors.New("proxy refuses connections")

// ErrPartlyDown is the error of a Down toxic that is to refuse some connections: a
// listener refuses all of them or none.
var ErrPartlyDown = errors.New(`mode: refuse and mirror are about all connections: ` +
	`toxicity must be 1 and nothing selected; mode "rst" can do otherwise`)

// reprobe is how often the upstream of a mirror that refuses is tried.
const reprobe = 100 * time.Millisecond

// down reports whether there is a Down toxic of a mode.
func (p *Proxy) down(mode string) bool {
	for _, a := range p.toxics.Toxics() {
		if modeOf(a.Spec) == mode {
			return true
		}
	}
	return false
}

// modeOf returns the mode of a Down toxic, or nothing.
func modeOf(s toxic.Spec) string {
	d, ok := s.Toxic.(*toxic.Down)
	switch {
	case !ok:
		return ""
	case d.Mode == "":
		return toxic.DownRefuse
	default:
		return d.Mode
	}
}

// CheckToxic returns what a proxy finds wrong with a toxic that toxic.CheckSpec does
// not: ErrPartlyDown or nothing.
func CheckToxic(s toxic.Spec) error {
	if m := modeOf(s); m != toxic.DownRefuse && m != toxic.DownMirror {
		return nil
	}
	if s.Toxicity != 1 || s.Select != (toxic.Selection{}) {
		return ErrPartlyDown
	}
	return nil
}

// refuses reports whether connections are to be refused. It is called with change
// held.
func (p *Proxy) refuses() bool { return p.mirroring || p.down(toxic.DownRefuse) }

// readmits reports whether connections are accepted again once a toxic is gone. It is
// called with change held.
func (p *Proxy) readmits(without string) bool {
	p.mu.Lock()
	refusing := p.enabled && p.front == nil
	p.mu.Unlock()
	return refusing && !slices.ContainsFunc(p.toxics.Toxics(), func(a toxic.Active) bool {
		m := modeOf(a.Spec)
		return a.Spec.Name != without && (m == toxic.DownRefuse || m == toxic.DownMirror && p.mirroring)
	})
}

// settle makes what listens agree with what toxics want, after one of them was
// added or changed. It is called with change held. It can fail only when
// connections are to be accepted again.
func (p *Proxy) settle() error {
	p.mirror()
	p.mu.Lock()
	enabled, listening, address := p.enabled, p.front != nil, p.address
	p.mu.Unlock()
	switch refuses := p.refuses(); {
	case !enabled || refuses != listening:
		return nil
	case refuses:
		p.conceal()
		if !p.mirroring { // a server that is gone keeps no connections
			p.renew(ErrDown)
		}
		p.tell(Event{Type: Refusing})
		return nil
	default:
		l, err := p.open(address)
		if err != nil {
			return err
		}
		p.expose(l)
		p.tell(Event{Type: Accepting})
		return nil
	}
}

// renew ends every connection and goes on with a new session. It is called with
// change held, while nothing listens.
func (p *Proxy) renew(why error) {
	p.mu.Lock()
	old := p.session
	p.session = newSession()
	p.mu.Unlock()
	p.end(old, why)
	p.mirror()
}

// mirror starts or ends watching the upstream, as toxics want it. It is called
// with change held.
func (p *Proxy) mirror() {
	p.mu.Lock()
	s := p.session
	p.mu.Unlock()
	if s == nil || !p.down(toxic.DownMirror) {
		if p.unmirror != nil {
			p.unmirror()
			p.unmirror, p.mirroring = nil, false
		}
		return
	}
	if p.unmirror == nil {
		ctx, cancel := context.WithCancel(context.Background())
		p.unmirror = cancel
		p.work.Go(func() { p.watch(ctx) })
	}
}

// watch refuses connections while the upstream does, until ctx is done.
func (p *Proxy) watch(ctx context.Context) {
	for ctx.Err() == nil {
		refused := p.probe(ctx)
		if done := p.reflect(ctx, refused); refused || !done {
			select {
			case <-time.After(reprobe):
			case <-ctx.Done():
			}
			continue
		}
		select {
		case <-p.refused:
			p.reflect(ctx, true)
		case <-ctx.Done():
		}
	}
}

// reflect refuses connections or accepts them again, and reports whether it could.
func (p *Proxy) reflect(ctx context.Context, refuse bool) bool {
	p.change.Lock()
	defer p.change.Unlock()
	if ctx.Err() != nil {
		return true
	}
	was := p.mirroring
	p.mirroring = refuse
	if err := p.settle(); err != nil { // someone took the port: it may be given back
		p.mirroring = was
		p.log.Warn("upstream accepts again, but the proxy can't", "proxy", p.settings.Name, "error", err)
		return false
	}
	return true
}

// probe reports whether the upstream refuses a connection.
func (p *Proxy) probe(ctx context.Context) bool {
	c, err := p.reach(ctx)
	if err == nil {
		_ = c.Close() // it was only to see
	}
	return errors.Is(err, syscall.ECONNREFUSED)
}
