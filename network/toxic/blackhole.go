package toxic

// Blackhole drops every byte of its direction. The peer sees an open connection
// on which nothing comes, not even its end; that goes on when the toxic is
// removed, the bytes do not.
type Blackhole struct{}

var _ Toxic = (*Blackhole)(nil)

// Kind implements Toxic.
func (*Blackhole) Kind() string { return "blackhole" }

// Attributes implements Toxic.
func (*Blackhole) Attributes() []Attribute { return nil }

// Arm implements Toxic.
func (*Blackhole) Arm() Start {
	return func(Site) Stage {
		return StageFunc(func(c Chunk) Step {
			if c.End != EndNone {
				return Step{Hold: true}
			}
			return Step{Drop: true}
		})
	}
}
