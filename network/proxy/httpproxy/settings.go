package httpproxy

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"time"
)

// Settings describe a Proxy.
type Settings struct {
	// Name is the point the proxy is: it stands in ledgers and reports.
	// Required.
	Name string
	// Upstream is where requests go: "host:port", "http://host:port" or
	// "https://host:port". Required.
	Upstream string
	// DialTimeout bounds connecting to the upstream. Must be > 0. Default: 10s.
	DialTimeout time.Duration
}

// DefaultSettings returns the defaults; Name and Upstream have none.
func DefaultSettings() Settings { return Settings{DialTimeout: 10 * time.Second} }

// CheckSettings reports everything that is wrong with s, one problem a line.
func CheckSettings(s Settings) error {
	var errs []error
	if s.Name == "" {
		errs = append(errs, errors.New("name: must not be empty"))
	}
	if _, err := upstreamURL(s.Upstream); err != nil {
		errs = append(errs, fmt.Errorf("upstream: %w", err))
	}
	if s.DialTimeout <= 0 {
		errs = append(errs, fmt.Errorf("dial_timeout: %v, must be > 0", s.DialTimeout))
	}
	return errors.Join(errs...)
}

// upstreamURL reads the forms Settings.Upstream may have.
func upstreamURL(s string) (*url.URL, error) {
	wrong := func(why string) error {
		return fmt.Errorf("%q %s, want host:port, http://host:port or https://host:port", s, why)
	}
	u, err := url.Parse(s)
	if err != nil || u.Host == "" {
		if u, err = url.Parse("http://" + s); err != nil {
			return nil, wrong("is not an address")
		}
	}
	if u.Scheme != "http" && u.Scheme != "https" {
		return nil, wrong("has the scheme " + u.Scheme)
	}
	if (u.Path != "" && u.Path != "/") || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
		return nil, wrong("has more than an address")
	}
	if _, port, err := net.SplitHostPort(u.Host); err != nil {
		return nil, wrong("has no port")
	} else if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
		return nil, wrong("has no port from 1 to 65535")
	}
	return &url.URL{Scheme: u.Scheme, Host: u.Host}, nil
}
