package toxic

import (
	"errors"
	"fmt"
	"slices"

	"github.com/brunt-go/brunt/internal/seeded"
)

// Corrupt flips bits: of a byte that is chosen one bit, by the seed and the
// byte's place in the stream. A Status says which.
type Corrupt struct {
	// Offsets are the places in the stream, from 0, of bytes that are chosen.
	// At most 1024.
	Offsets []int64
	// Rate is the share of bytes that is chosen. From 0 to 1. Default: 0. One
	// of Offsets and Rate must be set.
	Rate float64
}

var (
	_ Toxic   = (*Corrupt)(nil)
	_ Checker = (*Corrupt)(nil)
)

// Kind implements Toxic.
func (*Corrupt) Kind() string { return "corrupt" }

// Attributes implements Toxic.
func (c *Corrupt) Attributes() []Attribute {
	return []Attribute{
		Value("offsets", &c.Offsets, checkOffsets).In("places from 0, such as [0,100]"),
		Share("rate", &c.Rate),
	}
}

func checkOffsets(offsets []int64) error {
	if len(offsets) > keptMarks {
		return fmt.Errorf("offsets: %d of them, must be at most %d", len(offsets), keptMarks)
	}
	var errs []error
	for i, n := range offsets {
		errs = append(errs, within(fmt.Sprintf("offsets[%d]", i), n, 0, MaxBytes))
	}
	return errors.Join(errs...)
}

// Check implements Checker.
func (c *Corrupt) Check() error {
	if (len(c.Offsets) == 0) == (c.Rate == 0) {
		return fmt.Errorf("offsets: %d of them, rate: %v, exactly one must be set", len(c.Offsets), c.Rate)
	}
	return nil
}

// Arm implements Toxic.
func (c *Corrupt) Arm() Start {
	offsets, rate := slices.Clone(c.Offsets), c.Rate
	slices.Sort(offsets)
	offsets = slices.Compact(offsets)
	return func(site Site) Stage {
		flip := flipper{seed: seeded.Derive(site.Seed, "bit")}
		if rate == 0 {
			return StageFunc(func(c Chunk) Step { return flip.at(c, offsets) })
		}
		return StageFunc(func(c Chunk) Step { return flip.share(c, site.Seed, rate) })
	}
}

// flipper decides which bit of a byte is flipped.
type flipper struct{ seed uint32 }

// at flips bits of the bytes at offsets, which are sorted.
func (f flipper) at(c Chunk, offsets []int64) Step {
	var step Step
	first, _ := slices.BinarySearch(offsets, c.Offset)
	for _, offset := range offsets[first:] {
		if offset >= c.Offset+int64(len(c.Data)) {
			break
		}
		step.Marks = append(step.Marks, f.flip(c, offset))
	}
	return step
}

// share flips bits of a share of the bytes.
func (f flipper) share(c Chunk, seed uint32, rate float64) Step {
	var step Step
	for i := range c.Data {
		offset := c.Offset + int64(i)
		if seeded.Unit(seed, seeded.Seed(uint64(offset))) < rate {
			step.Marks = append(step.Marks, f.flip(c, offset))
		}
	}
	return step
}

func (f flipper) flip(c Chunk, offset int64) Mark {
	bit := uint8(8 * seeded.Unit(f.seed, seeded.Seed(uint64(offset))))
	c.Data[offset-c.Offset] ^= 1 << bit
	return Mark{Offset: offset, Bit: bit}
}
