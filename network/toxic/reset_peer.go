package toxic

import "time"

// ResetPeer resets the connection: both peers get a TCP RST, whether or not they
// send anything.
type ResetPeer struct {
	// Timeout is how long after the toxic began to work on the connection, or
	// after the last of AfterBytes has passed, the reset comes. What is sent
	// meanwhile is held back. From 0 to MaxDelay. Default: 0, at once.
	Timeout time.Duration
	// AfterBytes is how many bytes of its direction pass first. From 0 to
	// MaxBytes. Default: 0.
	AfterBytes int64
}

var _ Toxic = (*ResetPeer)(nil)

// Kind implements Toxic.
func (*ResetPeer) Kind() string { return "reset_peer" }

// Attributes implements Toxic.
func (r *ResetPeer) Attributes() []Attribute {
	return []Attribute{
		Millis("timeout", &r.Timeout),
		Int("after_bytes", &r.AfterBytes, 0, MaxBytes).In("bytes"),
	}
}

// Arm implements Toxic.
func (r *ResetPeer) Arm() Start {
	settings := *r
	return func(site Site) Stage {
		switch {
		case settings.AfterBytes == 0:
			return holding{at: site.Begun.Add(settings.Timeout), end: EndAbort}
		case site.Passed >= settings.AfterBytes:
			return holding{at: site.Left.Add(settings.Timeout), end: EndReset}
		}
		return &resetAfter{until: site.Offset + settings.AfterBytes, timeout: settings.Timeout}
	}
}

// resetAfter resets the connection when bytes have passed.
type resetAfter struct {
	until   int64
	timeout time.Duration
	holding // once they have
}

var _ Timed = (*resetAfter)(nil)

// Next implements Stage.
func (r *resetAfter) Next(c Chunk) Step {
	left := r.until - c.Offset
	switch {
	case left <= 0:
		return r.holding.Next(c)
	case int64(len(c.Data)) >= left:
		r.holding = holding{at: c.First().Add(r.timeout), end: EndReset}
		return Step{Size: int(left)}
	default:
		return Step{}
	}
}
