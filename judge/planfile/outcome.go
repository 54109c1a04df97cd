package planfile

import (
	"net/http"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"github.com/google/cel-go/interpreter"

	"github.com/brunt-go/brunt/judge/experiment"
)

func readOutcomes(r *reader, p part, e *experiment.Experiment) {
	each(p, func(name string, p part) {
		x, ok := r.compile(p, answerVariables())
		if !ok {
			return
		}
		e.Outcomes = append(e.Outcomes, experiment.Outcome{Name: name, Holds: func(a experiment.Answer) (bool, error) {
			return x.holds(&answer{Answer: a})
		}})
	})
}

// answerVariables are what an outcome's condition sees of an answer.
func answerVariables() []variable {
	return []variable{
		{"status", cel.IntType},
		{"json", cel.DynType},
		{"body", cel.StringType},
		{"headers", cel.MapType(cel.StringType, cel.StringType)},
		{"took", cel.DurationType},
		{"error", cel.StringType},
	}
}

// answer gives an expression the values it asks for, and works out no other: most
// conditions look at the status alone.
type answer struct {
	experiment.Answer
	json   any
	parsed bool
}

var _ interpreter.Activation = (*answer)(nil)

// Parent implements interpreter.Activation.
func (*answer) Parent() interpreter.Activation { return nil }

// ResolveName implements interpreter.Activation.
func (a *answer) ResolveName(name string) (any, bool) {
	switch name {
	case "status":
		return a.Status, true
	case "json":
		if !a.parsed {
			a.json, a.parsed = a.JSON(), true
		}
		return a.json, true
	case "body":
		return strings.ToValidUTF8(string(a.Body), "\ufffd"), true
	case "headers":
		return newHeaders(a.Header), true
	case "took":
		return a.Took, true
	case "error":
		if a.Err == nil {
			return "", true
		}
		return a.Err.Error(), true
	}
	return nil, false
}

// headers is a map of header fields that is asked for them in whatever case;
// its own keys are in lower case. Of a field that comes more than once the values
// are joined with ", ".
type headers struct{ traits.Mapper }

func newHeaders(h http.Header) headers {
	fields := make(map[string]string, len(h))
	for name, values := range h {
		fields[strings.ToLower(name)] = strings.Join(values, ", ")
	}
	return headers{types.NewStringStringMap(types.DefaultTypeAdapter, fields)}
}

func lower(key ref.Val) ref.Val {
	if s, ok := key.(types.String); ok {
		return types.String(strings.ToLower(string(s)))
	}
	return key
}

// Find implements traits.Mapper.
func (h headers) Find(key ref.Val) (ref.Val, bool) { return h.Mapper.Find(lower(key)) }

// Get implements traits.Indexer.
func (h headers) Get(key ref.Val) ref.Val { return h.Mapper.Get(lower(key)) }

// Contains implements traits.Container.
func (h headers) Contains(key ref.Val) ref.Val { return h.Mapper.Contains(lower(key)) }
