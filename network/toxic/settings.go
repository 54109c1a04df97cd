package toxic

import (
	"errors"
	"fmt"
)

// Settings describe a Set.
type Settings struct {
	// Name is the proxy's. With Seed it decides which connections are hit.
	// Default: empty.
	Name string `json:"name"`
	// Seed decides which connections are hit. Zero is a valid seed.
	Seed uint64 `json:"seed"`
	// Buffer is how many bytes of memory a direction of a connection holds
	// before its reader stops reading, counting 64 for each chunk besides the
	// bytes. A toxic that cuts chunks up may double it. Must be >= 1. Default:
	// 4194304.
	Buffer int `json:"buffer"`
}

// DefaultSettings returns the defaults.
func DefaultSettings() Settings { return Settings{Buffer: 4 << 20} }

// CheckSettings reports everything that is wrong with s, one problem a line.
func CheckSettings(s Settings) error {
	var problems []error
	if s.Buffer < 1 {
		problems = append(problems, fmt.Errorf("toxic.buffer: %d, must be >= 1", s.Buffer))
	}
	return errors.Join(problems...)
}

// Option gives a Set a collaborator. Of several of a kind the last one wins.
type Option interface{ apply(*Set) }

type optionFunc func(*Set)

func (f optionFunc) apply(s *Set) { f(s) }

// WithHitFunc calls f for each hit. f must return at once and must not call the
// Set or its links; it may be called concurrently. Default: nothing is called.
func WithHitFunc(f func(Hit)) Option { return optionFunc(func(s *Set) { s.onHit = f }) }
