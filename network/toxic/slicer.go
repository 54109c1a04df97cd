package toxic

import (
	"fmt"
	"time"

	"github.com/brunt-go/brunt/internal/seeded"
)

// Slicer cuts what is sent into pieces that are written one by one.
type Slicer struct {
	// AverageSize is the average size of a piece, in bytes. From 1 to
	// MaxBytes. Required.
	AverageSize int64
	// SizeVariation is by how much a piece may be smaller or larger, by its
	// place in the stream. From 0 to below AverageSize. Default: 0.
	SizeVariation int64
	// Delay is the pause after a piece. From 0 to MaxDelay. Default: 0.
	Delay time.Duration
}

var (
	_ Toxic   = (*Slicer)(nil)
	_ Checker = (*Slicer)(nil)
)

// Kind implements Toxic.
func (*Slicer) Kind() string { return "slicer" }

// Attributes implements Toxic.
func (s *Slicer) Attributes() []Attribute {
	return []Attribute{
		Int("average_size", &s.AverageSize, 1, MaxBytes).In("bytes"),
		Int("size_variation", &s.SizeVariation, 0, MaxBytes).In("bytes"),
		Micros("delay", &s.Delay),
	}
}

// Check implements Checker.
func (s *Slicer) Check() error {
	if s.SizeVariation >= s.AverageSize {
		return fmt.Errorf("size_variation: %d, must be below average_size, %d", s.SizeVariation, s.AverageSize)
	}
	return nil
}

// Arm implements Toxic.
func (s *Slicer) Arm() Start {
	settings := *s
	return func(site Site) Stage {
		return StageFunc(func(c Chunk) Step {
			u := seeded.Unit(site.Seed, seeded.Seed(uint64(c.Offset)))
			size := settings.AverageSize - settings.SizeVariation + int64(u*float64(2*settings.SizeVariation+1))
			step := Step{Size: int(min(size, int64(len(c.Data))))}
			if !c.Left.IsZero() {
				step.Due = c.Left.Add(settings.Delay)
			}
			return step
		})
	}
}
