package toxic

import (
	"errors"
	"time"
)

// Toxic is a kind of trouble with its attributes. It is data: once given to a Set
// it must not be changed.
type Toxic interface {
	// Kind names the toxic in files, such as "latency".
	Kind() string
	// Attributes lists its attributes as they stand in files, each with a
	// pointer to its field and its bounds.
	Attributes() []Attribute
	// Arm readies the toxic. It is called once when the toxic is added or
	// changed, so what Start closes over is shared by all connections.
	Arm() Start
}

// Checker is a Toxic with rules about several attributes at once.
type Checker interface {
	Check() error
}

// Start puts a toxic to work on one direction of one connection. It may be
// called concurrently.
type Start func(Site) Stage

// Site is where and when a toxic works.
type Site struct {
	// Seed is the toxic's own on this connection.
	Seed uint32
	// Opened is when the connection began.
	Opened time.Time
	// Begun is when the toxic first hit the connection. A change of its
	// attributes leaves it as it is.
	Begun time.Time
	// Offset is how many bytes had passed then.
	Offset int64
	// Passed is how many have left the toxic since, and Left when the last of
	// them did: 0 unless its attributes were changed.
	Passed int64
	Left   time.Time
}

// Stage is a toxic at work on one direction of one connection. Its calls never
// overlap, and must return at once: the engine waits, a stage only says how long.
type Stage interface {
	// Next says what happens to the chunk that is first in line. It is asked
	// once for each Step, and about a Step that was not yet due it is asked
	// again only when the toxic was changed, as a new Stage.
	Next(Chunk) Step
}

// StageFunc is a Stage that remembers nothing.
type StageFunc func(Chunk) Step

// Next implements Stage.
func (f StageFunc) Next(c Chunk) Step { return f(c) }

// Timed is a Stage that ends the stream by the clock, whether or not anything
// comes.
type Timed interface {
	// Deadline says when and how, after what leaves then; EndNone means not. It
	// is asked again after
	// each Step.
	Deadline() (time.Time, End)
}

// Check reports everything that is wrong with the attributes of t, one problem a
// line: field, value, bound.
func Check(t Toxic) error {
	var errs []error
	for _, a := range t.Attributes() {
		if err := a.check(); err != nil {
			errs = append(errs, err)
		}
	}
	if c, ok := t.(Checker); ok && len(errs) == 0 {
		errs = append(errs, c.Check())
	}
	return errors.Join(errs...)
}
