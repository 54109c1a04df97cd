package retry

// Decision is what is done after an attempt. Whoever knows the attempt's result says
// Retry or Stop; a [Policy] may turn a Retry into one of the others, which all end the
// call.
type Decision string

// The decisions, as brunt.retry.decision has them.
const (
	// Retry is another attempt.
	Retry Decision = "retry"
	// Stop is the end of the call: its result is one that stands.
	Stop Decision = "stop"
	// Exhausted is the end because there have been MaxAttempts.
	Exhausted Decision = "exhausted"
	// OverBudget is the end because the Budget had no token.
	OverBudget Decision = "over_budget"
	// Expired is the end because the call's context is done, or would be before the
	// next attempt.
	Expired Decision = "expired"
)

var decisions = []Decision{Retry, Stop, Exhausted, OverBudget, Expired}
