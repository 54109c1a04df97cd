//go:build !unix

package role

import (
	"errors"
	"time"
)

// processorTime is how long this process has kept processors busy.
func processorTime() (time.Duration, error) {
	return 0, errors.New("the time on processors is measured on Unix systems alone")
}
