package fit

import (
	"context"
	"strings"
)

// Scenario says how a request fails: the first of its rules that matches a
// point decides, and a point that no rule matches is spared. A scenario with no
// rules injects nothing, yet every point it passes is reported.
type Scenario struct {
	// Rules are asked in order.
	Rules []Rule
}

// Rule says which visits to a point meet a Fault. Only Point and Fault are
// needed; a rule that sets nothing else matches every visit.
type Rule struct {
	// Point is a point's name, a prefix followed by *, such as http:*, or a
	// lone *, which is every point.
	Point string
	// Fault is what happens there.
	Fault Fault
	// Attempts narrows the rule to some attempts of a call. The zero value is
	// every attempt.
	Attempts Attempts
	// Share narrows the rule to a part of the requests, 0 < Share <= 1, chosen
	// by the request's identity. 0 is every request.
	Share float64
	// Seed chooses another part of the same size. It means nothing without
	// Share.
	Seed uint64
}

// Decide returns the place of the rule that decides about point, from 0, for the
// request and the attempt ctx belongs to, or -1 when none does.
func (s Scenario) Decide(ctx context.Context, point string) int {
	for i := range s.Rules {
		if r := &s.Rules[i]; names(r.Point, point) && r.picks(ctx, point) {
			return i
		}
	}
	return -1
}

// Names reports whether point is one the rule is about.
func (r Rule) Names(point string) bool { return names(r.Point, point) }

// names is Names without a copy of the rule.
func names(pattern, point string) bool {
	if prefix, ok := strings.CutSuffix(pattern, "*"); ok {
		return strings.HasPrefix(point, prefix)
	}
	return pattern == point
}

// picks reports whether this visit to point is one the rule is about.
func (r *Rule) picks(ctx context.Context, point string) bool {
	if r.Attempts == (Attempts{}) && r.Share == 0 {
		return true
	}
	attempt := AttemptFromContext(ctx)
	return r.Attempts.include(attempt) && r.shares(ctx, point, attempt)
}
