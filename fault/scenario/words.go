package scenario

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/brunt-go/brunt/fit"
)

// Words are the words a rule is written in, for a command's help.
const Words = `POINT [delay=250ms] [abort] [lost] [reply=503] [grpc=14] [attempts=1-2] [share=5%] [seed=7] [body=TEXT TO THE END]`

// ParseRule returns the rule that text says in words: the point first, such as
//
//	http:payments:8443 abort
//	kafka:* delay=250ms share=5% seed=7
//	http:* attempts=1-2 reply=503 body={"error":"down"}
//
// A body takes the rest of the line.
func ParseRule(text string) (fit.Rule, error) {
	point, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	if point == "" {
		return fit.Rule{}, fmt.Errorf("rule %q: empty, must be %s", text, Words)
	}
	r := fit.Rule{Point: point}
	seen := map[string]bool{}
	for rest = strings.TrimSpace(rest); rest != ""; rest = strings.TrimSpace(rest) {
		var word string
		if strings.HasPrefix(rest, "body=") {
			word, rest = rest, ""
		} else {
			word, rest, _ = strings.Cut(rest, " ")
		}
		name, value, _ := strings.Cut(word, "=")
		if seen[name] {
			return fit.Rule{}, fmt.Errorf("rule %q: %s comes twice", text, name)
		}
		seen[name] = true
		if err := setWord(&r, word, name, value); err != nil {
			return fit.Rule{}, fmt.Errorf("rule %q: %w", text, err)
		}
	}
	return r, nil
}

// setWord sets what word says.
func setWord(r *fit.Rule, word, name, value string) (err error) {
	switch {
	case word == "abort":
		r.Fault.Abort = true
	case word == "lost":
		r.Fault.Lost = true
	case name == "delay":
		r.Fault.Delay, err = time.ParseDuration(value)
	case name == "reply":
		r.Fault.Reply.Status, err = strconv.Atoi(value)
	case name == "grpc":
		r.Fault.Reply.GRPCCode, err = strconv.Atoi(value)
	case name == "body":
		r.Fault.Reply.Body = value
	case name == "attempts":
		r.Attempts, err = parseAttempts(value)
	case name == "share":
		r.Share, err = parseShare(value)
	case name == "seed":
		r.Seed, err = strconv.ParseUint(value, 10, 64)
	default:
		return fmt.Errorf("%q is unknown, must be one of %s", word, Words)
	}
	if err != nil {
		return fmt.Errorf("%s: %q, must be like %s", name, value, like[name])
	}
	return nil
}

// like are samples for the errors of values that can't be read.
var like = map[string]string{
	"delay":    "250ms or 1.5s",
	"reply":    "503",
	"grpc":     "14",
	"attempts": "1-2, 3- or 2",
	"share":    "5% or 0.05",
	"seed":     "7",
}

func parseAttempts(value string) (fit.Attempts, error) {
	first, last, isRange := strings.Cut(value, "-")
	var a fit.Attempts
	var err error
	if a.First, err = strconv.Atoi(first); err != nil || a.First < 1 {
		return a, strconv.ErrRange
	}
	switch {
	case !isRange:
		a.Last = a.First
	case last != "":
		if a.Last, err = strconv.Atoi(last); a.Last == 0 {
			return a, strconv.ErrRange // a Last of 0 would be no end, which has a word: 3-
		}
	}
	return a, err
}

func parseShare(value string) (float64, error) {
	percent, isPercent := strings.CutSuffix(value, "%")
	share, err := strconv.ParseFloat(percent, 64)
	if isPercent {
		share /= 100
	}
	if share == 0 {
		return 0, strconv.ErrRange // a Share of 0 would be everyone
	}
	return share, err
}
