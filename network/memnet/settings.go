package memnet

import (
	"errors"
	"fmt"
)

// Settings are the sizes of a Network.
type Settings struct {
	// Buffer is how many bytes one direction of a connection holds before
	// its writer has to wait. Memory is taken as it fills. Must be >= 1.
	// Default: 65536.
	Buffer int `json:"buffer"`
	// Backlog is how many connections a listener keeps ready for Accept
	// before dialers have to wait. Must be >= 1. Default: 128.
	Backlog int `json:"backlog"`
}

// DefaultSettings returns the settings of New.
func DefaultSettings() Settings { return Settings{Buffer: 64 << 10, Backlog: 128} }

// CheckSettings reports everything that is wrong with s, one line a problem.
func CheckSettings(s Settings) error {
	var problems []error
	if s.Buffer < 1 {
		problems = append(problems, fmt.Errorf("memnet.buffer: %d, must be >= 1", s.Buffer))
	}
	if s.Backlog < 1 {
		problems = append(problems, fmt.Errorf("memnet.backlog: %d, must be >= 1", s.Backlog))
	}
	return errors.Join(problems...)
}
