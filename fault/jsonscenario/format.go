package jsonscenario

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/brunt-go/brunt/fit"
)

// Format returns s as JSON. It rejects what [fit.CheckScenario] does, and a
// Delay that isn't whole milliseconds.
func Format(s fit.Scenario) (string, error) {
	text, err := format(s)
	if err != nil {
		return "", &Error{Err: err}
	}
	return text, nil
}

func format(s fit.Scenario) (string, error) {
	document := document{Rules: make([]rule, len(s.Rules))}
	var problems []error
	for i, r := range s.Rules {
		if d := r.Fault.Delay; d < 0 || d%time.Millisecond != 0 {
			problems = append(problems, &fit.RuleError{Index: i, Field: "delay_ms", Problem: fmt.Sprintf("%v, must be whole milliseconds, 0 or more", d)})
		}
		document.Rules[i] = wire(r)
	}
	if problems == nil {
		problems = append(problems, fit.CheckScenario(s))
	}
	if err := errors.Join(problems...); err != nil {
		return "", err
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false) // an escape is three times as long in a header
	if err := encoder.Encode(document); err != nil {
		return "", err
	}
	return string(bytes.TrimSuffix(text.Bytes(), []byte("\n"))), nil
}

// What is written. What is read is in parse.go: the standard library's decoder
// takes a field in any case and any number of times, and can't say which rule
// was wrong.
type (
	document struct {
		Rules []rule `json:"rules"`
	}
	rule struct {
		Point    string  `json:"point"`
		DelayMS  int64   `json:"delay_ms,omitempty"`
		Abort    bool    `json:"abort,omitempty"`
		Lost     bool    `json:"lost,omitempty"`
		Reply    *reply  `json:"reply,omitempty"`
		Attempts *[2]int `json:"attempts,omitempty"`
		Share    float64 `json:"share,omitempty"`
		Seed     uint64  `json:"seed,omitempty"`
	}
	reply struct {
		Status   int    `json:"status,omitempty"`
		Body     string `json:"body,omitempty"`
		GRPCCode int    `json:"grpc_code,omitempty"`
	}
)

func wire(r fit.Rule) rule {
	w := rule{
		Point:   r.Point,
		DelayMS: r.Fault.Delay.Milliseconds(),
		Abort:   r.Fault.Abort,
		Lost:    r.Fault.Lost,
		Share:   r.Share,
		Seed:    r.Seed,
	}
	if !r.Fault.Reply.IsZero() {
		w.Reply = (*reply)(&r.Fault.Reply)
	}
	if r.Attempts != (fit.Attempts{}) {
		w.Attempts = &[2]int{r.Attempts.First, r.Attempts.Last}
	}
	return w
}
