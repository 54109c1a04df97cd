package httpserver

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"strconv"
	"time"
)

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

// CheckTLS says what is wrong with config, without naming the field. Nil is wrong.
func CheckTLS(config *tls.Config) error {
	if config == nil {
		return errors.New("not set, must have a certificate")
	}
	var problems []error
	if len(config.Certificates) == 0 && config.GetCertificate == nil && config.GetConfigForClient == nil {
		problems = append(problems, errors.New("no certificate, must have one, or a function that gets one"))
	}
	for i, c := range config.Certificates {
		if len(c.Certificate) == 0 || c.PrivateKey == nil {
			problems = append(problems, fmt.Errorf("certificate %d of %d is empty or has no key, must have both", i+1, len(config.Certificates)))
		}
	}
	if v := config.MinVersion; v != 0 && v < tls.VersionTLS12 {
		problems = append(problems, fmt.Errorf("from %s, must be from TLS 1.2 or later", tls.VersionName(v)))
	}
	// Without ClientCAs the system's authorities vouch for clients: everyone has a
	// certificate of one of them, and everyone would be trusted.
	if config.ClientAuth >= tls.VerifyClientCertIfGiven && config.ClientCAs == nil {
		problems = append(problems, fmt.Errorf("%v without ClientCAs, must name the authorities", config.ClientAuth))
	}
	return errors.Join(problems...)
}

// CheckTimeout says what is wrong with d, without naming the field.
func CheckTimeout(d time.Duration) error {
	if d <= 0 {
		return fmt.Errorf("%v, must be positive", d)
	}
	return nil
}

// CheckMax says what is wrong with n, without naming the field.
func CheckMax[T int | int64](n T) error {
	if n <= 0 {
		return fmt.Errorf("%d, must be positive", n)
	}
	return nil
}

// check reports every bad field in one error that names each.
func (s Settings) check() error {
	return settingsError(
		named("Addr", CheckAddr(s.Addr)),
		s.checkTLS(),
		named("RemainingHeader", CheckRemainingHeader(s.RemainingHeader)),
		named("ReadHeaderTimeout", CheckTimeout(s.ReadHeaderTimeout)),
		named("ReadTimeout", CheckTimeout(s.ReadTimeout)),
		named("WriteTimeout", CheckTimeout(s.WriteTimeout)),
		named("IdleTimeout", CheckTimeout(s.IdleTimeout)),
		s.checkOrder(),
		named("MaxHeaderBytes", CheckMax(s.MaxHeaderBytes)),
		named("MaxBodyBytes", CheckMax(s.MaxBodyBytes)),
		named("MaxConnections", CheckMax(s.MaxConnections)),
		s.checkBegun(),
	)
}

// checkBegun recognises settings that were made from nothing.
func (s Settings) checkBegun() error {
	if s.ReadHeaderTimeout == 0 && s.WriteTimeout == 0 && s.MaxConnections == 0 {
		return errors.New("begin with DefaultSettings(): nothing here has a default of its own")
	}
	return nil
}

func (s Settings) checkTLS() error {
	switch {
	case s.PlainText && s.TLS != nil:
		return errors.New("TLS: set, must be nil with PlainText")
	case s.PlainText:
		return nil
	case s.TLS == nil:
		return errors.New("TLS: not set, must have a certificate, unless PlainText is asked for")
	default:
		return named("TLS", CheckTLS(s.TLS))
	}
}

func (s Settings) checkOrder() error {
	if s.ReadTimeout > 0 && s.ReadHeaderTimeout > s.ReadTimeout {
		return fmt.Errorf("ReadHeaderTimeout: %v, must not be above ReadTimeout, %v", s.ReadHeaderTimeout, s.ReadTimeout)
	}
	return nil
}

func settingsError(problems ...error) error {
	if err := errors.Join(problems...); err != nil {
		return fmt.Errorf("httpserver settings: %w", err)
	}
	return nil
}

func named(field string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", field, err)
}
