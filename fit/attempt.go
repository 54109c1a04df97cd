package fit

import "context"

// Attempts is a range of a call's attempts, both ends included. An attempt's
// ordinal starts at 1. "Fail the first two, then succeed" is {1, 2}.
type Attempts struct {
	// First is the first attempt of the range. 0 is the same as 1.
	First int
	// Last is the last attempt of the range. 0 is no end.
	Last int
}

func (a Attempts) include(attempt int) bool {
	return attempt >= a.First && (a.Last == 0 || attempt <= a.Last)
}

type attemptKey struct{}

// ContextWithAttempt returns ctx for attempt n of a call, counted from 1. A
// client that retries calls it before each attempt, so that a rule can tell
// them apart. A smaller n counts as 1.
func ContextWithAttempt(ctx context.Context, n int) context.Context {
	return context.WithValue(ctx, attemptKey{}, max(n, 1))
}

// AttemptFromContext is the ordinal of the attempt that ctx belongs to: 1 when
// no client counts.
func AttemptFromContext(ctx context.Context) int {
	if n, ok := ctx.Value(attemptKey{}).(int); ok {
		return n
	}
	return 1
}
