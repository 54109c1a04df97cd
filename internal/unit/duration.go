// Package unit holds the quantities that stand in files: durations such as
// "250ms", shares such as 0.2 or "20%", rates such as "50/s".
package unit

import (
	"encoding/json"
	"fmt"
	"time"
)

// Duration is a time.Duration that reads and prints as "250ms" in files.
type Duration time.Duration

// MarshalJSON implements json.Marshaler.
func (d Duration) MarshalJSON() ([]byte, error) {
	return json.Marshal(time.Duration(d).String())
}

// UnmarshalJSON implements json.Unmarshaler.
func (d *Duration) UnmarshalJSON(data []byte) error {
	var s string
	if err := json.Unmarshal(data, &s); err != nil {
		return fmt.Errorf("%s, want a duration such as \"250ms\"", data)
	}
	v, err := ParseDuration(s)
	*d = Duration(v)
	return err
}

// ParseDuration reads a duration that is not negative.
func ParseDuration(s string) (time.Duration, error) {
	v, err := time.ParseDuration(s)
	if err != nil || v < 0 {
		return 0, fmt.Errorf("%q, want a duration such as \"250ms\" or \"2s\", not negative", s)
	}
	return v, nil
}
