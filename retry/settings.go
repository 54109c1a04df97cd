package retry

import (
	"errors"
	"fmt"
	"time"
)

// Settings configures a [Policy]. A zero value means zero: begin with
// [DefaultSettings].
type Settings struct {
	// MaxAttempts is the most attempts of a call, the first included.
	//
	// Default: 3. Valid: 1, which is no retry, or more. Check: CheckMaxAttempts.
	MaxAttempts int

	// BackoffBase is the longest wait before the second attempt. It doubles with each
	// attempt after that. 0 waits never.
	//
	// Default: 100ms. Valid: 0 or more, up to BackoffMax. Check: CheckBackoffBase.
	BackoffBase time.Duration

	// BackoffMax is the longest wait before any attempt, also when the dependency asks
	// for a longer one.
	//
	// Default: 5s. Valid: 0 or more. Check: CheckBackoffMax.
	BackoffMax time.Duration

	// Jitter is the part of each wait that is drawn: with 1 a wait is anything up to
	// its longest, with 0 it is the longest, and callers that failed together come back
	// together.
	//
	// Default: 1. Valid: 0 to 1. Check: CheckJitter.
	Jitter float64

	// Budget bounds the retries of all calls together. See [WithBudget] for one that
	// several Policies share.
	//
	// Default: that of DefaultBudgetSettings. Check: CheckBudget.
	Budget BudgetSettings
}

// DefaultSettings returns the defaults.
func DefaultSettings() Settings {
	return Settings{
		MaxAttempts: 3,
		BackoffBase: 100 * time.Millisecond,
		BackoffMax:  5 * time.Second,
		Jitter:      1,
		Budget:      DefaultBudgetSettings(),
	}
}

// CheckMaxAttempts says what is wrong with n, without naming the field.
func CheckMaxAttempts(n int) error {
	if n < 1 {
		return fmt.Errorf("%d, must be 1 or more", n)
	}
	return nil
}

// CheckBackoffBase says what is wrong with d, without naming the field.
func CheckBackoffBase(d time.Duration) error { return checkNotNegative(d) }

// CheckBackoffMax says what is wrong with d, without naming the field.
func CheckBackoffMax(d time.Duration) error { return checkNotNegative(d) }

// CheckJitter says what is wrong with j, without naming the field.
func CheckJitter(j float64) error {
	if !(j >= 0 && j <= 1) {
		return fmt.Errorf("%v, must be from 0 to 1", j)
	}
	return nil
}

func checkNotNegative(d time.Duration) error {
	if d < 0 {
		return fmt.Errorf("%v, must not be negative", d)
	}
	return nil
}

// CheckSettings reports every bad field of s in one error that names each.
func CheckSettings(s Settings) error {
	problems := []error{
		named("MaxAttempts", CheckMaxAttempts(s.MaxAttempts)),
		named("BackoffBase", CheckBackoffBase(s.BackoffBase)),
		named("BackoffMax", CheckBackoffMax(s.BackoffMax)),
		named("Jitter", CheckJitter(s.Jitter)),
		named("Budget", CheckBudget(s.Budget)),
	}
	if s.BackoffMax >= 0 && s.BackoffBase > s.BackoffMax {
		problems = append(problems, fmt.Errorf("BackoffBase: %v, must not be over BackoffMax, %v", s.BackoffBase, s.BackoffMax))
	}
	return errors.Join(problems...)
}

func named(field string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", field, err)
}
