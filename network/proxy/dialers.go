package proxy

import (
	"time"

	"github.com/brunt-go/brunt/network/toxic"
)

// unneeded is how long a dialer waits for a connection to dial for.
const unneeded = 100 * time.Millisecond

// arrival is a connection whose upstream is to be dialled.
type arrival struct {
	session *session
	link    *toxic.Link
}

// arrive has a dialer join the connection: one that waits, or a new one.
func (p *Proxy) arrive(a arrival) {
	select {
	case p.arrivals <- a:
	default:
		p.work.Go(func() { p.dialFor(a) })
	}
}

// dialFor dials for one connection after another while there are any. Dialling grows a
// goroutine's stack, and to grow a new one for each costs a tenth of what a connection
// does.
func (p *Proxy) dialFor(a arrival) {
	timer := time.NewTimer(unneeded)
	defer timer.Stop()
	for {
		p.join(a.session, a.link)
		timer.Reset(unneeded)
		select {
		case a = <-p.arrivals:
		case <-timer.C:
			return
		case <-p.retired:
			return
		}
	}
}
