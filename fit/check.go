package fit

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// RuleError says what is wrong with a field of a rule.
type RuleError struct {
	// Index is the rule's place in the scenario, from 0.
	Index int
	// Field is the field's name, such as "point" or "reply.status".
	Field string
	// Problem is what it holds and what it may hold.
	Problem string
}

// Error returns the rule, the field and the problem, such as
// "rules[1].share: 2, must be above 0 and at most 1".
func (e *RuleError) Error() string {
	return fmt.Sprintf("rules[%d].%s: %s", e.Index, e.Field, e.Problem)
}

// CheckScenario returns a [*RuleError] for each field of s that means nothing,
// joined, or nil. A codec calls it on what it reads and on what it writes. An
// Evaluator doesn't, and makes sense of any Scenario.
func CheckScenario(s Scenario) error {
	var problems []error
	for i, r := range s.Rules {
		r.check(func(field, format string, args ...any) {
			problems = append(problems, &RuleError{Index: i, Field: field, Problem: fmt.Sprintf(format, args...)})
		})
	}
	return errors.Join(problems...)
}

func (r Rule) check(problem func(field, format string, args ...any)) {
	switch {
	case r.Point == "":
		problem("point", "empty, must name a point")
	case !utf8.ValidString(r.Point):
		problem("point", "%s, must be UTF-8", excerpt(r.Point))
	case strings.Contains(r.Point[:len(r.Point)-1], "*"):
		problem("point", "%s, must have a * at its end alone", excerpt(r.Point))
	}
	if r.Fault.Delay < 0 {
		problem("delay", "%v, must be >= 0", r.Fault.Delay)
	}
	if a := r.Attempts; a != (Attempts{}) {
		if a.First < 1 {
			problem("attempts", "first is %d, must be >= 1", a.First)
		}
		if a.Last != 0 && a.Last < a.First {
			problem("attempts", "last is %d, must be 0 or >= the first, %d", a.Last, a.First)
		}
	}
	if r.Share != 0 && !(r.Share > 0 && r.Share <= 1) {
		problem("share", "%v, must be above 0 and at most 1", r.Share)
	}
	if r.Share == 0 && r.Seed != 0 {
		problem("seed", "%d, must come with a share", r.Seed)
	}
	if r.Fault.Lost && r.Fault.Abort {
		problem("lost", "true, must not come with abort: what is never sent has no answer to lose")
	}
	if r.Fault.Lost && !r.Fault.Reply.IsZero() {
		problem("lost", "true, must not come with a reply: it is never sent")
	}
	r.Fault.Reply.check(problem)
}

func (r Reply) check(problem func(field, format string, args ...any)) {
	if r.Status != 0 && (r.Status < 200 || r.Status > 599) {
		problem("reply.status", "%d, must be 200 to 599", r.Status)
	}
	if r.GRPCCode < 0 || r.GRPCCode > 16 {
		problem("reply.grpc_code", "%d, must be 1 to 16", r.GRPCCode)
	}
	if r.Body != "" && r.Status == 0 && r.GRPCCode == 0 {
		problem("reply", "has a body alone, must have a status or a grpc_code")
	}
	if !utf8.ValidString(r.Body) {
		problem("reply.body", "%s, must be UTF-8", excerpt(r.Body))
	}
}

// excerpt quotes the start of s: what it belongs to is reported in telemetry,
// and s may be as long as whoever wrote it liked.
func excerpt(s string) string {
	const enough = 64
	if len(s) <= enough {
		return strconv.Quote(s)
	}
	return strconv.Quote(s[:enough]) + "..."
}
