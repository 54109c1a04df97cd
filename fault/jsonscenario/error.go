package jsonscenario

// Error is why a scenario can't be read or written. It is or holds a
// [*fit.RuleError] when a field of a rule is to blame. In a trace, its type is
// the error.type of a rejected scenario.
type Error struct {
	// Member is the key of the member, or "" for text that is in none.
	Member string
	// Err says what is wrong.
	Err error
}

// Error implements error.
func (e *Error) Error() string {
	if e.Member == "" {
		return "jsonscenario: " + e.Err.Error()
	}
	return "jsonscenario: member " + e.Member + ": " + e.Err.Error()
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }
