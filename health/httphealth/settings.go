package httphealth

import (
	"errors"
	"fmt"
	"net"
	"strconv"
	"time"
)

// Settings configures a Service. Start from [DefaultSettings] and set Addr.
type Settings struct {
	// Addr is the address the Service listens on, through the Setup's Host. An empty
	// host listens on every name, and port 0 picks a free port, which Service.Addr
	// reports.
	//
	// Default: none. Valid: host:port, with a port from 0 to 65535. Check: CheckAddr.
	Addr string

	// Timeout is how long a probe waits for its Monitor. A longer one counts as not
	// well.
	//
	// Default: 1s, which is how long Kubernetes waits for a probe. Valid: positive.
	// Check: CheckTimeout.
	Timeout time.Duration
}

// DefaultSettings returns the defaults. Its Addr is empty, which [NewService] rejects.
func DefaultSettings() Settings { return Settings{Timeout: time.Second} }

// CheckAddr says what is wrong with addr, without naming the field.
func CheckAddr(addr string) error {
	if addr == "" {
		return errors.New("not set, must be host:port")
	}
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("%q, must be host:port", addr)
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return fmt.Errorf("%q, must have a port from 0 to 65535", addr)
	}
	return nil
}

// CheckTimeout says what is wrong with d, without naming the field.
func CheckTimeout(d time.Duration) error {
	if d <= 0 {
		return fmt.Errorf("%v, must be positive", d)
	}
	return nil
}

// check reports every bad field in one error that names each.
func (s Settings) check() error {
	err := errors.Join(named("Addr", CheckAddr(s.Addr)), named("Timeout", CheckTimeout(s.Timeout)))
	if err == nil {
		return nil
	}
	return fmt.Errorf("httphealth settings: %w", err)
}

func named(field string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", field, err)
}
