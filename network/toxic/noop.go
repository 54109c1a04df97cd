package toxic

// Noop changes nothing. It has a place in the line and counts what passes.
type Noop struct{}

var _ Toxic = (*Noop)(nil)

// Kind implements Toxic.
func (*Noop) Kind() string { return "noop" }

// Attributes implements Toxic.
func (*Noop) Attributes() []Attribute { return nil }

// Arm implements Toxic.
func (*Noop) Arm() Start {
	return func(Site) Stage {
		return StageFunc(func(Chunk) Step { return Step{} })
	}
}
