package proxy

import (
	"errors"
	"fmt"
	"time"

	"github.com/brunt-go/brunt/network/toxic"
)

// Settings describe a Proxy.
type Settings struct {
	// Name is what the proxy is called. With Seed it decides which connections
	// a toxic hits. Required.
	Name string `json:"name"`
	// Listen is the address to listen on, such as "127.0.0.1:26379". Port 0 is
	// one that is free, no host all addresses of the machine. Default: any
	// free port of 127.0.0.1.
	Listen string `json:"listen"`
	// Upstream is the address connections are carried to. It is looked up for
	// each of them. Required.
	Upstream string `json:"upstream"`
	// Seed decides which connections are hit. Zero is a valid seed. Default: 0.
	Seed uint64 `json:"seed"`
	// DialTimeout is how long the upstream may take to accept. Must be > 0.
	// Default: 10s.
	DialTimeout time.Duration `json:"dial_timeout"`
	// Buffer is how many bytes each direction of a connection may hold. Must be
	// >= 1. Default: 4194304.
	Buffer int `json:"buffer"`
	// MaxConnections is how many connections may be open. One more is reset.
	// Must be >= 1. Default: 50000.
	MaxConnections int `json:"max_connections"`
}

// DefaultSettings returns the defaults. Name and Upstream are left to set.
func DefaultSettings() Settings {
	return Settings{
		Listen:         "127.0.0.1:0",
		DialTimeout:    10 * time.Second,
		Buffer:         toxic.DefaultSettings().Buffer,
		MaxConnections: 50_000,
	}
}

// CheckSettings reports everything that is wrong with s, one problem a line.
func CheckSettings(s Settings) error {
	var problems []error
	if s.Name == "" {
		problems = append(problems, errors.New("proxy.name: must not be empty"))
	}
	if s.Upstream == "" {
		problems = append(problems, errors.New("proxy.upstream: must not be empty, want an address such as 127.0.0.1:6379"))
	}
	if s.DialTimeout <= 0 {
		problems = append(problems, fmt.Errorf("proxy.dial_timeout: %v, must be > 0", s.DialTimeout))
	}
	if s.Buffer < 1 {
		problems = append(problems, fmt.Errorf("proxy.buffer: %d, must be >= 1", s.Buffer))
	}
	if s.MaxConnections < 1 {
		problems = append(problems, fmt.Errorf("proxy.max_connections: %d, must be >= 1", s.MaxConnections))
	}
	return errors.Join(problems...)
}
