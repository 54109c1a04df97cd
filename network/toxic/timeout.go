package toxic

import "time"

// Timeout holds everything back and closes the connection after a time, however
// much is sent meanwhile. When it is removed first, what it held goes on: nothing
// is lost.
type Timeout struct {
	// Timeout is how long after the toxic began to work on the connection it
	// closes. 0 means never. From 0 to MaxDelay. Default: 0.
	Timeout time.Duration
}

var _ Toxic = (*Timeout)(nil)

// Kind implements Toxic.
func (*Timeout) Kind() string { return "timeout" }

// Attributes implements Toxic.
func (t *Timeout) Attributes() []Attribute { return []Attribute{Millis("timeout", &t.Timeout)} }

// Arm implements Toxic.
func (t *Timeout) Arm() Start {
	timeout := t.Timeout
	return func(site Site) Stage {
		if timeout == 0 {
			return holding{}
		}
		return holding{at: site.Begun.Add(timeout), end: EndClose}
	}
}

// holding lets nothing through until it ends the stream.
type holding struct {
	at  time.Time
	end End
}

var _ Timed = holding{}

// Next implements Stage.
func (holding) Next(Chunk) Step { return Step{Hold: true} }

// Deadline implements Timed.
func (h holding) Deadline() (time.Time, End) { return h.at, h.end }
