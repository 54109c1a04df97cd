package planfile

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"
)

// Bounds of an expression's evaluation.
const (
	// maxCost is about how many steps an evaluation may take, as CEL counts
	// them: a tenth of a second. Searching an answer of 1 MiB takes some
	// 100,000.
	maxCost = 2_000_000
	// maxNesting is how deep an expression may be nested.
	maxNesting = 50
)

// variable is a name an expression may use.
type variable struct {
	name string
	kind *cel.Type
}

func names(variables []variable) []string {
	var out []string
	for _, v := range variables {
		out = append(out, v.name)
	}
	slices.Sort(out)
	return out
}

// expression is a compiled condition. It is safe for concurrent use.
type expression struct{ program cel.Program }

// compile reads a condition over variables. What is wrong with it is reported at
// its place inside the text.
func (r *reader) compile(p part, variables []variable) (expression, bool) {
	options := []cel.EnvOption{cel.CrossTypeNumericComparisons(true), cel.ParserRecursionLimit(maxNesting)}
	for _, v := range variables {
		options = append(options, cel.Variable(v.name, v.kind))
	}
	env, err := cel.NewEnv(options...)
	if err != nil {
		r.wrong(p, "%v", err)
		return expression{}, false
	}
	ast, issues := env.Compile(p.node.text)
	if issues.Err() != nil {
		for _, issue := range issues.Errors() {
			line, col := r.src.locate(p.node, offset(p.node.text, issue.Location.Line(), issue.Location.Column()))
			r.problem(line, col, p.path, plainIssue(issue.Message, names(variables)))
		}
		return expression{}, false
	}
	if !ast.OutputType().IsExactType(cel.BoolType) {
		hint := ""
		if ast.OutputType().IsExactType(cel.DynType) {
			hint = ": compare it with something, as in `… == true`"
		}
		r.wrong(p, "%v is of type %s, want a condition, of type bool%s", p.node, ast.OutputType(), hint)
		return expression{}, false
	}
	program, err := env.Program(ast, cel.CostLimit(maxCost), cel.EvalOptions(cel.OptOptimize))
	if err != nil {
		r.wrong(p, "%v", err)
		return expression{}, false
	}
	return expression{program}, true
}

// offset is the place of a line (from 1) and a column (from 0) of a text, in
// characters.
func offset(text string, line, col int) int {
	at := 0
	for l := range strings.SplitSeq(text, "\n") {
		if line--; line == 0 {
			return at + min(col, len([]rune(l)))
		}
		at += len([]rune(l)) + 1
	}
	return at
}

// plainIssue says what CEL's compiler says in the words of the file.
func plainIssue(message string, known []string) string {
	if m := regexp.MustCompile(`^undeclared reference to '([^']*)'`).FindStringSubmatch(message); m != nil {
		return fmt.Sprintf("nothing is named %s here, %s", m[1], wantOneOf(m[1], known))
	}
	if rest, ok := strings.CutPrefix(message, "Syntax error: "); ok {
		return "CEL syntax: " + rest
	}
	return "CEL: " + message
}

// holds evaluates the condition. What asks an answer for something it does not
// have, such as a JSON field, does not hold; an error is an expression that could
// not be evaluated at all.
func (x expression) holds(vars any) (bool, error) {
	v, _, err := x.program.Eval(vars)
	if err != nil {
		if absent(err) {
			return false, nil
		}
		return false, err
	}
	return v == ref.Val(types.True), nil
}

// absent reports whether an evaluation failed because a value lacks what was
// asked of it, or is of another type.
func absent(err error) bool {
	var cancelled interpreter.EvalCancelledError
	if errors.As(err, &cancelled) {
		return false
	}
	msg := err.Error()
	return slices.ContainsFunc([]string{"no such key", "no such overload", "no such attribute", "index out of bounds"}, func(s string) bool {
		return strings.HasPrefix(msg, s)
	})
}
