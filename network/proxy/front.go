package proxy

import (
	"context"
	"net"
	"time"
)

// lookup is how long a host name to listen on may take to be looked up.
const lookup = 5 * time.Second

// front is a listener and the loop that accepts from it.
type front struct {
	listener net.Listener
	over     chan struct{} // closed by conceal
}

// open listens on an address.
func (p *Proxy) open(address string) (net.Listener, error) {
	ctx, cancel := context.WithTimeout(context.Background(), lookup)
	defer cancel()
	return p.listen(ctx, "tcp", address)
}

// expose accepts from l. It is called with change held, on a started proxy.
func (p *Proxy) expose(l net.Listener) {
	f := &front{listener: l, over: make(chan struct{})}
	p.mu.Lock()
	p.front = f
	p.address = l.Addr().String()
	p.mu.Unlock()
	p.work.Go(func() { p.accept(f) })
}

// conceal stops listening; connections go on. It is called with change held.
func (p *Proxy) conceal() {
	p.mu.Lock()
	f := p.front
	p.front = nil
	p.mu.Unlock()
	if f != nil {
		close(f.over)
		_ = f.listener.Close() // it is not used again, whatever this says
	}
}

// accept takes connections until f is concealed. It carries none of them itself,
// so that none holds up the next.
func (p *Proxy) accept(f *front) {
	pause := backoff{}
	for {
		c, err := f.listener.Accept()
		if err == nil {
			pause = backoff{}
			p.admit(c)
			continue
		}
		select {
		case <-f.over:
			return
		default:
		}
		// The usual cause is a want of file descriptors, which passes.
		p.log.Warn("connection not accepted, trying again", "proxy", p.settings.Name, "error", err)
		p.tell(Event{Type: AcceptFailed, Error: err.Error()})
		p.tally.acceptFailed()
		select {
		case <-time.After(pause.next()):
		case <-f.over:
			return
		}
	}
}

// backoff is a pause that doubles from 5 ms to a second.
type backoff struct{ last time.Duration }

func (b *backoff) next() time.Duration {
	b.last = min(max(2*b.last, 5*time.Millisecond), time.Second)
	return b.last
}

func listenTCP(ctx context.Context, network, address string) (net.Listener, error) {
	return (&net.ListenConfig{KeepAlive: -1}).Listen(ctx, network, address)
}
