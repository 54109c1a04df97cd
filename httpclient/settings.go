package httpclient

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"time"

	"golang.org/x/net/http/httpguts"

	"github.com/brunt-go/brunt/circuit"
	"github.com/brunt-go/brunt/httpclient/transport"
	"github.com/brunt-go/brunt/retry"
)

// Classification is what the result of an attempt means.
type Classification = transport.Classification

// Settings configures a client. A zero value means zero: begin with [DefaultSettings]
// and set BaseURL.
type Settings struct {
	// BaseURL is where the service is. What is relative in a request's URL is added to
	// it, path to path. Everything the client does is for this host and port.
	//
	// Default: none. Valid: a URL with http or https and a host, without query,
	// fragment and user. Check: CheckBaseURL.
	BaseURL string

	// TLS is for https. It is copied.
	//
	// Default: nil: the system's authorities, no client certificate.
	TLS *tls.Config

	// Timeout bounds a call with all its attempts, waits and redirects, to the end of
	// the answer's body. It is http.Client's, and a call it ends fails with net/http's
	// error.
	//
	// Default: 15s. Valid: positive. Check: CheckTimeout.
	Timeout time.Duration

	// AttemptTimeout bounds one attempt, to the end of its answer's body.
	//
	// Default: 5s. Valid: positive. Check: CheckAttemptTimeout.
	AttemptTimeout time.Duration

	// MaxAttempts is the most attempts of a call, the first included.
	//
	// Default: 3. Valid: 1 or more. Check: CheckMaxAttempts.
	MaxAttempts int

	// BackoffBase is the longest wait before the second attempt. It doubles with each
	// attempt after that; how much of it is waited is drawn.
	//
	// Default: 100ms. Valid: 0 or more, up to BackoffMax. Check: CheckBackoffBase.
	BackoffBase time.Duration

	// BackoffMax is the longest wait before any attempt, also when the service asks for
	// a longer one by Retry-After.
	//
	// Default: 5s. Valid: 0 or more. Check: CheckBackoffMax.
	BackoffMax time.Duration

	// RetryBudget bounds the retries of all the client's calls together.
	//
	// Default: that of retry.DefaultBudgetSettings. Check: CheckRetryBudget.
	RetryBudget retry.BudgetSettings

	// Breaker says whether there is a circuit breaker.
	//
	// Default: true. Valid: either.
	Breaker bool

	// BreakerPolicy says when it opens and closes. Without Breaker it is not looked at.
	//
	// Default: that of circuit.DefaultPolicy. Check: CheckBreakerPolicy.
	BreakerPolicy circuit.Policy

	// Classify says what an attempt's response or error means to the retries and the
	// breaker; see transport.Classify. It is set in code, not sourced.
	//
	// Default: transport.DefaultClassify. Valid: set.
	Classify transport.Classify

	// ForwardScenario sends the failure scenario a call carries on to the service, for
	// one that takes part in failure injection with the same codec. When it is false,
	// the scenario is stripped from what is sent, and the rest of the baggage still goes.
	//
	// Default: false. Valid: either.
	ForwardScenario bool

	// RemainingHeader is the header field that tells the service how long an attempt
	// still has when it is sent, in whole milliseconds, so that it need not work for
	// nobody.
	//
	// Default: X-Envoy-Expected-Rq-Timeout-Ms, which Envoy sends and understands.
	// Valid: a header's name, or empty, which sends none. Check: CheckRemainingHeader.
	RemainingHeader string
}

// DefaultSettings returns the defaults. Its BaseURL is empty, which [NewClient] rejects.
func DefaultSettings() Settings {
	again := retry.DefaultSettings()
	return Settings{
		Timeout:         15 * time.Second,
		AttemptTimeout:  5 * time.Second,
		MaxAttempts:     again.MaxAttempts,
		BackoffBase:     again.BackoffBase,
		BackoffMax:      again.BackoffMax,
		RetryBudget:     again.Budget,
		Breaker:         true,
		BreakerPolicy:   circuit.DefaultPolicy(),
		Classify:        transport.DefaultClassify,
		RemainingHeader: "X-Envoy-Expected-Rq-Timeout-Ms",
	}
}

// CheckBaseURL says what is wrong with u, without naming the field.
func CheckBaseURL(u string) error {
	_, err := parseBase(u)
	return err
}

// CheckTimeout says what is wrong with d, without naming the field.
func CheckTimeout(d time.Duration) error { return checkPositive(d) }

// CheckAttemptTimeout says what is wrong with d, without naming the field.
func CheckAttemptTimeout(d time.Duration) error { return checkPositive(d) }

// CheckMaxAttempts says what is wrong with n, without naming the field.
func CheckMaxAttempts(n int) error { return retry.CheckMaxAttempts(n) }

// CheckBackoffBase says what is wrong with d, without naming the field.
func CheckBackoffBase(d time.Duration) error { return retry.CheckBackoffBase(d) }

// CheckBackoffMax says what is wrong with d, without naming the field.
func CheckBackoffMax(d time.Duration) error { return retry.CheckBackoffMax(d) }

// CheckRetryBudget says what is wrong with b, without naming the field.
func CheckRetryBudget(b retry.BudgetSettings) error { return retry.CheckBudget(b) }

// CheckBreakerPolicy says what is wrong with p, without naming the field.
func CheckBreakerPolicy(p circuit.Policy) error { return circuit.CheckPolicy(p) }

// CheckRemainingHeader says what is wrong with name, without naming the field.
func CheckRemainingHeader(name string) error {
	if name != "" && !httpguts.ValidHeaderFieldName(name) {
		return fmt.Errorf("%q, must be a header's name", name)
	}
	return nil
}

func checkPositive(d time.Duration) error {
	if d <= 0 {
		return fmt.Errorf("%v, must be positive", d)
	}
	return nil
}

// check reports every bad field in one error that names each.
func (s Settings) check() error {
	problems := []error{
		named("BaseURL", CheckBaseURL(s.BaseURL)),
		named("Timeout", CheckTimeout(s.Timeout)),
		named("AttemptTimeout", CheckAttemptTimeout(s.AttemptTimeout)),
		named("RemainingHeader", CheckRemainingHeader(s.RemainingHeader)),
		named("RetryBudget", CheckRetryBudget(s.RetryBudget)),
		retry.CheckSettings(s.retry()), // its fields have the same names here
	}
	if s.Breaker {
		problems = append(problems, named("BreakerPolicy", CheckBreakerPolicy(s.BreakerPolicy)))
	}
	if s.Classify == nil {
		problems = append(problems, named("Classify", errors.New("not set, must be set")))
	}
	if s.Timeout == 0 && s.AttemptTimeout == 0 && s.MaxAttempts == 0 {
		problems = append(problems, errors.New("begin with DefaultSettings(): nothing here has a default of its own"))
	}
	if err := errors.Join(problems...); err != nil {
		return fmt.Errorf("httpclient settings: %w", err)
	}
	return nil
}

func (s Settings) retry() retry.Settings {
	return retry.Settings{
		MaxAttempts: s.MaxAttempts, BackoffBase: s.BackoffBase, BackoffMax: s.BackoffMax,
		Jitter: 1, // the Budget is made by itself
	}
}

func named(field string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", field, err)
}

// parseBase reads what CheckBaseURL takes.
func parseBase(text string) (*url.URL, error) {
	if text == "" {
		return nil, errors.New("not set, must be a URL such as https://payments:8443")
	}
	u, err := url.Parse(text)
	if err != nil {
		return nil, errors.New("must be a URL such as https://payments:8443") // what it holds may be a secret
	}
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, fmt.Errorf("%q, must begin with http:// or https://", u.Redacted())
	case u.Hostname() == "":
		return nil, fmt.Errorf("%q, must have a host", u.Redacted())
	case u.User != nil, u.RawQuery != "", u.Fragment != "":
		return nil, fmt.Errorf("%q, must have no user, query or fragment", u.Redacted())
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return nil, fmt.Errorf("%q, must have a port from 1 to 65535", u.Redacted())
		}
	}
	if u.Path == "" {
		u.Path = "/" // or JoinPath makes paths that begin with nothing
	}
	return u, nil
}
