package jsonscenario

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/brunt-go/brunt/fit"
)

// Parse returns the scenario that text, a JSON object, describes. Its error
// names the rule's index and the field.
func Parse(text string) (fit.Scenario, error) {
	s, err := parse(text)
	if err != nil {
		return fit.Scenario{}, &Error{Err: err}
	}
	return s, nil
}

func parse(text string) (fit.Scenario, error) {
	in := &scanner{text: text}
	s, err := parseScenario(in)
	if err == nil {
		err = in.end()
	}
	if err == nil {
		err = fit.CheckScenario(s)
	}
	if err != nil {
		return fit.Scenario{}, err
	}
	return s, nil
}

func parseScenario(in *scanner) (fit.Scenario, error) {
	var s fit.Scenario
	err := in.object("", func(field string) error {
		if field != "rules" {
			return fmt.Errorf("%s: unknown field, there is only rules", excerpt(field))
		}
		if in.null() {
			return nil
		}
		return in.array("rules", func(i int) error {
			r, err := parseRule(in)
			if problem := (*fieldError)(nil); errors.As(err, &problem) {
				return &fit.RuleError{Index: i, Field: problem.field, Problem: problem.problem}
			} else if err != nil {
				return fmt.Errorf("rules[%d]: %w", i, err)
			}
			s.Rules = append(s.Rules, r)
			return nil
		})
	})
	return s, err
}

// fieldError is a RuleError that doesn't know its rule yet.
type fieldError struct{ field, problem string }

func (e *fieldError) Error() string { return e.field + ": " + e.problem }

// maxDelayMS is the longest delay a time.Duration holds.
const maxDelayMS = math.MaxInt64 / uint64(time.Millisecond)

func parseRule(in *scanner) (fit.Rule, error) {
	var r fit.Rule
	named := false
	err := in.object("", func(field string) (err error) {
		if in.null() {
			return knownField(field, "point", "delay_ms", "abort", "lost", "reply", "attempts", "share", "seed")
		}
		switch field {
		case "point":
			named = true
			r.Point, err = in.str(field)
		case "delay_ms":
			var ms uint64
			ms, err = in.whole(field, "milliseconds", maxDelayMS)
			r.Fault.Delay = time.Duration(ms) * time.Millisecond //nolint:gosec // at most maxDelayMS
		case "abort":
			r.Fault.Abort, err = in.boolean(field)
		case "lost":
			r.Fault.Lost, err = in.boolean(field)
		case "reply":
			r.Fault.Reply, err = parseReply(in)
		case "attempts":
			r.Attempts, err = parseAttempts(in)
		case "share":
			r.Share, err = in.share(field)
		case "seed":
			r.Seed, err = in.whole(field, "", math.MaxUint64)
		default:
			return knownField(field)
		}
		return err
	})
	if err == nil && !named {
		err = &fieldError{"point", "missing, must name a point"}
	}
	return r, err
}

func knownField(field string, known ...string) error {
	for _, k := range known {
		if k == field {
			return nil
		}
	}
	return &fieldError{bare(field), "unknown field"}
}

func parseReply(in *scanner) (fit.Reply, error) {
	var r fit.Reply
	err := in.object("reply", func(field string) (err error) {
		if in.null() {
			return knownField("reply."+field, "reply.status", "reply.body", "reply.grpc_code")
		}
		switch path := "reply." + field; field {
		case "status":
			var n uint64
			n, err = in.whole(path, "", math.MaxInt32)
			r.Status = int(n)
		case "body":
			r.Body, err = in.str(path)
		case "grpc_code":
			var n uint64
			n, err = in.whole(path, "", math.MaxInt32)
			r.GRPCCode = int(n)
		default:
			return knownField(path)
		}
		return err
	})
	if err == nil && r.IsZero() {
		err = &fieldError{"reply", "empty, must have a status or a grpc_code"}
	}
	return r, err
}

func parseAttempts(in *scanner) (fit.Attempts, error) {
	var ends [2]int
	n := 0
	err := in.array("attempts", func(i int) error {
		if n = i + 1; n > len(ends) {
			return &fieldError{"attempts", "more than 2 numbers, must be [first, last]"}
		}
		end, err := in.whole("attempts", "", math.MaxInt32)
		ends[i] = int(end)
		return err
	})
	switch {
	case err != nil:
		return fit.Attempts{}, err
	case n != len(ends):
		return fit.Attempts{}, &fieldError{"attempts", "fewer than 2 numbers, must be [first, last]"}
	case ends[0] == 0:
		// An Attempts of {0, 0} would be every attempt.
		return fit.Attempts{}, &fieldError{"attempts", "first is 0, must be >= 1"}
	}
	return fit.Attempts{First: ends[0], Last: ends[1]}, nil
}
