package retry

import (
	"errors"
	"fmt"
	"sync/atomic"
)

// BudgetSettings configures a [Budget], in tokens. The zero value allows no retry.
type BudgetSettings struct {
	// Deposit is what each call adds by its first attempt: the part of the traffic that
	// retries may be in the long run.
	//
	// Default: 0.2. Valid: 0 to Max.
	Deposit float64
	// Max is the most the Budget holds: the longest burst of retries.
	//
	// Default: 100. Valid: 0 to 1e9.
	Max float64
	// Start is what it holds at first.
	//
	// Default: 10. Valid: 0 to Max.
	Start float64
}

// DefaultBudgetSettings returns the defaults.
func DefaultBudgetSettings() BudgetSettings {
	return BudgetSettings{Deposit: 0.2, Max: 100, Start: 10}
}

// CheckBudget says what is wrong with s, without naming the field it is in.
func CheckBudget(s BudgetSettings) error {
	const most = 1e9
	if !(s.Max >= 0 && s.Max <= most) {
		return named("Max", fmt.Errorf("%v, must be from 0 to %v", s.Max, most))
	}
	var problems []error
	for _, f := range []struct {
		name  string
		value float64
	}{{"Deposit", s.Deposit}, {"Start", s.Start}} {
		if !(f.value >= 0 && f.value <= s.Max) {
			problems = append(problems, fmt.Errorf("%s: %v, must be from 0 to Max, %v", f.name, f.value, s.Max))
		}
	}
	return errors.Join(problems...)
}

// Budget is a bucket of tokens that calls share. A retry takes a whole one, a first
// attempt adds a part of one. So a dependency that fails now and then is retried, and
// one that is down meets hardly more attempts than there are calls. It is safe for
// concurrent use.
type Budget struct {
	tokens       atomic.Int64 // in millionths, which add up where floats would not
	deposit, max int64
}

const token = 1_000_000

// NewBudget returns a Budget that holds Start tokens.
func NewBudget(s BudgetSettings) (*Budget, error) {
	if err := CheckBudget(s); err != nil {
		return nil, fmt.Errorf("retry budget: %w", err)
	}
	b := &Budget{deposit: millionths(s.Deposit), max: millionths(s.Max)}
	b.tokens.Store(millionths(s.Start))
	return b, nil
}

func millionths(tokens float64) int64 { return int64(tokens*token + 0.5) }

// Tokens returns how many there are.
func (b *Budget) Tokens() float64 { return float64(b.tokens.Load()) / token }

// add adds what a first attempt does.
func (b *Budget) add() {
	for {
		have := b.tokens.Load()
		if have == b.max || b.tokens.CompareAndSwap(have, min(have+b.deposit, b.max)) {
			return
		}
	}
}

// take takes a token and reports whether there was one.
func (b *Budget) take() bool {
	for {
		have := b.tokens.Load()
		if have < token {
			return false
		}
		if b.tokens.CompareAndSwap(have, have-token) {
			return true
		}
	}
}
