package toxic

import (
	"strconv"
	"sync/atomic"
	"time"

	"github.com/brunt-go/brunt/internal/seeded"
)

// armed is a toxic of a Set. A change makes another armed, with the same serial
// and hits.
type armed struct {
	spec   Spec
	serial uint64 // toxics work in the order they were added
	seed   uint32
	start  Start
	hits   *atomic.Int64
	onHit  func(Hit)
}

// Hit is a toxic beginning to work on a connection.
type Hit struct {
	// Toxic is its name.
	Toxic string
	// Stream is the direction.
	Stream Stream
	// Connection is the connection's ordinal.
	Connection uint64
	// Time is when it began.
	Time time.Time
}

// concerns reports whether the toxic is to hit a connection: by its identity
// alone.
func (a *armed) concerns(l *Link) bool {
	return a.spec.Select.takes(l.ordinal, l.client.RemoteAddr()) &&
		seeded.Unit(a.seed, seeded.Seed(l.ordinal)) < a.spec.Toxicity
}

// take counts a hit, or reports that there are none left.
func (a *armed) take(l *Link, now time.Time) bool {
	for {
		n := a.hits.Load()
		if limit := a.spec.Select.Count; limit > 0 && n >= limit {
			return false
		}
		if a.hits.CompareAndSwap(n, n+1) {
			break
		}
	}
	if a.onHit != nil {
		a.onHit(Hit{Toxic: a.spec.Name, Stream: a.spec.Stream, Connection: l.ordinal, Time: now})
	}
	return true
}

// healed reports whether there are no hits left.
func (a *armed) healed() bool {
	return a.spec.Select.Count > 0 && a.hits.Load() >= a.spec.Select.Count
}

// station returns the toxic's place on a link.
func (a *armed) station(l *Link) *station {
	return &station{armed: a, link: l, site: Site{
		Seed:   seeded.Derive(a.seed, strconv.FormatUint(l.ordinal, 10)),
		Opened: l.opened,
	}}
}
