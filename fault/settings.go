package fault

import (
	"errors"
	"fmt"
	"time"

	"github.com/brunt-go/brunt/fit"
)

// Settings configures failure injection. Start from [DefaultSettings] and set
// the Decoder.
type Settings struct {
	// Decoder reads the scenario a request carries from its baggage, and
	// strips it. It owns the wire format, which the edge that writes scenarios
	// and every service that reads them agree on. It is set in code, and must
	// be safe for concurrent use.
	//
	// Default: none. Valid: set, which New checks.
	Decoder fit.Decoder

	// MaxDelay is the longest Delay any point waits. A longer one is clamped
	// to it, so that services with different maximums still agree on the rest
	// of a scenario.
	//
	// Default: 10s. Valid: positive. Check: CheckMaxDelay.
	MaxDelay time.Duration
}

// DefaultSettings returns the defaults. Its Decoder is nil, which [New] rejects.
func DefaultSettings() Settings { return Settings{MaxDelay: 10 * time.Second} }

// CheckMaxDelay says what is wrong with d, without naming the field.
func CheckMaxDelay(d time.Duration) error {
	if d <= 0 {
		return fmt.Errorf("%v, must be positive", d)
	}
	return nil
}

// check reports every bad field in one error that names each.
func (s Settings) check() error {
	var problems []error
	if s.Decoder == nil {
		problems = append(problems, fmt.Errorf("%s: not set, must be set", "Decoder"))
	}
	if err := CheckMaxDelay(s.MaxDelay); err != nil {
		problems = append(problems, fmt.Errorf("MaxDelay: %w", err))
	}
	if len(problems) == 0 {
		return nil
	}
	return fmt.Errorf("fault settings: %w", errors.Join(problems...))
}
