package toxic

import (
	"errors"
	"fmt"
	"time"

	"github.com/brunt-go/brunt/internal/seeded"
)

// Latency delays bytes and the end of the stream. It limits no rate: any number
// of bytes are on their way at once, in order.
type Latency struct {
	// Latency is the delay. From 0 to MaxDelay. Default: 0.
	Latency time.Duration
	// Jitter spreads the delay, each chunk by its place in the stream. From 0
	// to MaxDelay. Default: 0.
	Jitter time.Duration
	// Distribution says how Jitter spreads it: "uniform", "normal", "pareto",
	// "lognormal"; or "table", after Percentiles. Default: uniform.
	Distribution string
	// Percentiles are delays in milliseconds by percentile, such as
	// {"50":20,"99":250}. Between two, the delay grows evenly; outside the
	// lowest and the highest it is theirs. For the distribution "table" alone.
	Percentiles Percentiles
	// OnConnect counts a delay for the connection being made too: nothing
	// leaves as if it had come before the connection was a delay old.
	// Default: false.
	OnConnect bool
}

var (
	_ Toxic   = (*Latency)(nil)
	_ Checker = (*Latency)(nil)
)

// Kind implements Toxic.
func (*Latency) Kind() string { return "latency" }

// Attributes implements Toxic.
func (l *Latency) Attributes() []Attribute {
	return []Attribute{
		Millis("latency", &l.Latency),
		Millis("jitter", &l.Jitter),
		Choice("distribution", &l.Distribution, uniform, normal, pareto, lognormal, table),
		Value("percentiles", &l.Percentiles, Percentiles.check).In(`ms by percentile, such as {"50":20,"99":250}`),
		Bool("on_connect", &l.OnConnect),
	}
}

// Check implements Checker.
func (l *Latency) Check() error {
	byTable := l.Distribution == table
	switch {
	case byTable && len(l.Percentiles) == 0:
		return errors.New("percentiles: empty, must not be with distribution table")
	case byTable && (l.Latency != 0 || l.Jitter != 0):
		return fmt.Errorf("latency: %v, jitter: %v, must be 0 with distribution table", l.Latency, l.Jitter)
	case !byTable && len(l.Percentiles) > 0:
		return fmt.Errorf("percentiles: %d, must be empty unless distribution is table", len(l.Percentiles))
	case l.Distribution == lognormal && l.Latency == 0 && l.Jitter > 0:
		return errors.New("latency: 0, must be > 0 with distribution lognormal: it is the median")
	}
	return nil
}

// Arm implements Toxic.
func (l *Latency) Arm() Start {
	draw, early := l.draw(), l.OnConnect
	return func(site Site) Stage {
		open := site.Opened.Add(draw(seeded.Unit(seeded.Derive(site.Seed, "connect"), 0)))
		return StageFunc(func(c Chunk) Step {
			from := c.At
			if early {
				from = later(from, open)
			}
			return Step{Due: from.Add(draw(seeded.Unit(site.Seed, seeded.Seed(uint64(c.Offset)))))}
		})
	}
}
