package statuspage

import (
	"context"
	"io"
	"net/http"
	"time"

	"github.com/brunt-go/brunt/network/proxy"
	"github.com/brunt-go/brunt/network/proxy/control"
)

const (
	// pause is how long after a message the next comes at the soonest.
	pause = 250 * time.Millisecond
	// look is how often the counters are looked at.
	look = time.Second
	// slowest is how long a reader may take for one write.
	slowest = 10 * time.Second
	// settles is how many looks after the last byte a rate is 0 again.
	settles = 3
	// heartbeat is how many looks without a change a stream stays silent.
	heartbeat = 15
)

// stream tells a view that something has changed, as server-sent events, at most
// four times a second: the view then asks for itself anew. The query says which
// proxy it is about, all of them if it is empty.
func (p *pages) stream(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	q := r.URL.Query()
	k := key{q.Get("session"), q.Get("proxy")}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	control := http.NewResponseController(w)
	send := func(text string) bool {
		_ = control.SetWriteDeadline(time.Now().Add(slowest)) // where there is none, a write may take longer
		if _, err := io.WriteString(w, text+"\n\n"); err != nil {
			return false
		}
		return control.Flush() == nil
	}
	const change = "event: change\ndata: "
	happened := p.follow(ctx, k)
	looks := time.NewTicker(look)
	defer looks.Stop()
	before, quiet := p.traffic(k), 0 // the first looks make a rate
	for ok := send(": changes"); ok; {
		select {
		case _, open := <-happened:
			if !open {
				return
			}
			ok = send(change) && sleep(ctx, pause)
		case <-looks.C:
			now := p.traffic(k)
			if quiet++; now != before {
				before, quiet = now, 0
			}
			switch {
			case quiet <= settles:
				ok = send(change)
			case quiet%heartbeat == 0:
				ok = send(":")
			}
		case <-ctx.Done():
			return
		}
	}
}

// sleep reports whether ctx has gone on so long.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// follow says that there was an event, or several, until ctx is done or the
// server closed.
func (p *pages) follow(ctx context.Context, k key) <-chan struct{} {
	happened := make(chan struct{}, 1)
	all := p.server.Events(ctx, control.Filter{}) // from now on
	go func() {
		defer close(happened)
		for e := range all {
			if !k.has(e) {
				continue
			}
			select {
			case happened <- struct{}{}:
			default: // it is said already
			}
		}
	}()
	return happened
}

// has reports whether an event is about the proxy, or any if there is none.
func (k key) has(e control.Event) bool {
	return k.name == "" || e.Session == k.session && e.Proxy == k.name || e.Type == control.Lost
}

// traffic is what changes without an event: bytes, and with those of connections
// that end, how many are open.
func (p *pages) traffic(k key) proxy.Stats {
	var sum proxy.Stats
	for _, s := range p.stats(k) {
		sum.Open += s.Open
		sum.DialErrors += s.DialErrors
		sum.Upstream.Written += s.Upstream.Written
		sum.Downstream.Written += s.Downstream.Written
		sum.Upstream.Read += s.Upstream.Read
		sum.Downstream.Read += s.Downstream.Read
	}
	return sum
}

// stats are the counters of a proxy, or of all.
func (p *pages) stats(k key) []control.Stats {
	if k.name == "" {
		return p.server.AllStats()
	}
	s, err := p.server.Stats(k.session, k.name)
	if err != nil { // deleted
		return nil
	}
	return []control.Stats{s}
}
