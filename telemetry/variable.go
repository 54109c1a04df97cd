package telemetry

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// VariableError is an environment variable that New cannot use.
type VariableError struct {
	// Name is the variable, such as OTEL_TRACES_SAMPLER.
	Name string
	// Value is what it says; empty for one that may hold a secret.
	Value string
	// Want is what it may be.
	Want string
}

// Error returns name, value and what it may be.
func (e *VariableError) Error() string {
	if e.Value == "" {
		return fmt.Sprintf("%s: must be %s", e.Name, e.Want)
	}
	return fmt.Sprintf("%s: %q, must be %s", e.Name, e.Value, e.Want)
}

// variables reads environment variables and remembers all that is wrong. An empty
// one counts as one that is not set, as OpenTelemetry has it.
type variables struct {
	lookup   func(name string) string
	readFile func(name string) ([]byte, error)
	problems []error
}

func (v *variables) get(name string) (string, bool) {
	value := strings.TrimSpace(v.lookup(name))
	return value, value != ""
}

func (v *variables) bad(name, value, want string) {
	v.problems = append(v.problems, &VariableError{Name: name, Value: value, Want: want})
}

func (v *variables) err() error { return errors.Join(v.problems...) }

func (v *variables) text(name string, into *string) {
	if value, ok := v.get(name); ok {
		*into = value
	}
}

func (v *variables) bool(name string, into *bool) {
	value, ok := v.get(name)
	if !ok {
		return
	}
	switch strings.ToLower(value) {
	case "true":
		*into = true
	case "false":
		*into = false
	default:
		v.bad(name, value, "true or false")
	}
}

// milliseconds is how OpenTelemetry writes durations.
func (v *variables) milliseconds(name string, into *time.Duration) {
	value, ok := v.get(name)
	if !ok {
		return
	}
	n, err := strconv.ParseInt(value, 10, 32)
	if err != nil || n <= 0 {
		v.bad(name, value, "a whole number of milliseconds above 0")
		return
	}
	*into = time.Duration(n) * time.Millisecond
}

// choose reads a variable that is one of choices.
func choose[T ~string](v *variables, name string, choices []T, into *T) {
	value, ok := v.get(name)
	if !ok {
		return
	}
	for _, choice := range choices {
		if strings.EqualFold(value, string(choice)) {
			*into = choice
			return
		}
	}
	v.bad(name, value, oneOf(choices))
}

func oneOf[T ~string](choices []T) string {
	words := make([]string, len(choices))
	for i, c := range choices {
		words[i] = string(c)
	}
	if len(words) == 1 {
		return words[0]
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
