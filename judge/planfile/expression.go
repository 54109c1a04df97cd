package planfile

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"
)

// Bounds of an expression. CEL has no loops but those over lists and maps, and
// an answer can hold a long list.
const (
	// maxNesting is how deep an expression may be nested, maxLoops how deep
	// its loops may.
	maxNesting = 50
	maxLoops   = 2
	// maxCost is how many steps an evaluation may take, as CEL counts them.
	// Searching an answer of 1 MiB takes some 100,000.
	maxCost = 2_000_000
	// maxTime is how long it may take: a step can be longer than CEL thinks.
	maxTime = time.Second
)

// variable is a name an expression may use.
type variable struct {
	name string
	kind *cel.Type
}

func nameList(variables []variable) []string {
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
	options := []cel.EnvOption{
		cel.CrossTypeNumericComparisons(true), // injected > 0.5
		cel.ParserRecursionLimit(maxNesting),
		cel.ASTValidators(
			cel.ValidateComprehensionNestingLimit(maxLoops),
			cel.ValidateDurationLiterals(),
			cel.ValidateRegexLiterals(),
			cel.ValidateTimestampLiterals(),
		),
	}
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
			problem, syntax := plainIssue(issue.Message, nameList(variables))
			r.problem(line, col, p.path, problem)
			if syntax {
				break // what follows, follows from it
			}
		}
		return expression{}, false
	}
	if !ast.OutputType().IsExactType(cel.BoolType) {
		hint := ""
		if ast.OutputType().IsExactType(cel.DynType) {
			hint = ": compare it with something, as in `… == true`"
		}
		r.wrong(p, "%v is of type %s, want a condition%s", p.node, ast.OutputType(), hint)
		return expression{}, false
	}
	program, err := env.Program(ast, cel.CostLimit(maxCost), cel.InterruptCheckFrequency(16), cel.EvalOptions(cel.OptOptimize))
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

// plainIssue says what CEL's compiler says in the words of the file, and whether
// it is about syntax.
func plainIssue(message string, known []string) (problem string, syntax bool) {
	if rest, ok := strings.CutPrefix(message, "Syntax error: "); ok {
		return "CEL syntax: " + plainSyntax(rest), true
	}
	if m := regexp.MustCompile(`^undeclared reference to '([^']*)'`).FindStringSubmatch(message); m != nil {
		return fmt.Sprintf("nothing is named %s here, %s", m[1], wantOneOf(m[1], known)), false
	}
	m := regexp.MustCompile(`^found no matching overload for '([^']*)' applied to '(.*)'$`).FindStringSubmatch(message)
	if m == nil {
		return "CEL: " + message, false
	}
	hint := ""
	equality := m[1] == "_==_" || m[1] == "_!=_"
	if equality && (m[2] == "(double, int)" || m[2] == "(int, double)") {
		hint = ": write the whole number as 0.0"
	}
	return fmt.Sprintf("CEL: `%s` does not take %s%s", strings.Trim(m[1], "_"), m[2], hint), false
}

// plainSyntax leaves the grammar's own words out of a syntax error.
func plainSyntax(message string) string {
	message, _, _ = strings.Cut(message, " expecting ")
	if strings.Contains(message, "'<EOF>'") {
		return "the expression ends too early"
	}
	for _, prefix := range []string{"mismatched input ", "extraneous input ", "token recognition error at: ", "no viable alternative at input "} {
		if rest, ok := strings.CutPrefix(message, prefix); ok {
			return "unexpected " + strings.ReplaceAll(rest, " '", "'")
		}
	}
	return message
}

// holds evaluates the condition. What asks an answer for something it does not
// have, such as a JSON field, does not hold; an error is an expression that could
// not be evaluated at all.
func (x expression) holds(vars any) (bool, error) {
	ctx, cancel := context.WithTimeout(context.Background(), maxTime)
	defer cancel()
	v, _, err := x.program.ContextEval(ctx, vars)
	var cancelled interpreter.EvalCancelledError
	switch {
	case err == nil:
		return v == ref.Val(types.True), nil
	case errors.As(err, &cancelled) || ctx.Err() != nil:
		return false, errTooLong
	case absent(err):
		return false, nil
	default:
		return false, err
	}
}

// errTooLong is an evaluation that went over one of its bounds.
var errTooLong = fmt.Errorf("it took more than %d steps or %v", maxCost, maxTime)

// absent reports whether an evaluation failed because a value lacks what was
// asked of it, or is of another type.
func absent(err error) bool {
	return slices.ContainsFunc([]string{
		"no such key", "no such overload", "no such attribute", "index out of bounds", "unsupported index",
	}, func(s string) bool { return strings.HasPrefix(err.Error(), s) })
}
