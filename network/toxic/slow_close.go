package toxic

import "time"

// SlowClose holds back the end of the stream. Bytes pass at once.
type SlowClose struct {
	// Delay is how long. From 0 to MaxDelay. Default: 0.
	Delay time.Duration
}

var _ Toxic = (*SlowClose)(nil)

// Kind implements Toxic.
func (*SlowClose) Kind() string { return "slow_close" }

// Attributes implements Toxic.
func (s *SlowClose) Attributes() []Attribute { return []Attribute{Millis("delay", &s.Delay)} }

// Arm implements Toxic.
func (s *SlowClose) Arm() Start {
	delay := s.Delay
	return func(Site) Stage {
		return StageFunc(func(c Chunk) Step {
			if c.End == EndNone {
				return Step{}
			}
			return Step{Due: c.At.Add(delay)}
		})
	}
}
