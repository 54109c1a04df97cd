package planfile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Error is one thing that is wrong with an experiment file.
type Error struct {
	// File is the file's name as it was given.
	File string
	// Line and Column are where, from 1. Columns count characters. A problem
	// of the file as a whole is at 1:1, of one that cannot be read at 0:0.
	Line, Column int
	// Field is the path of the field, such as "faults.delay.share", or "" when
	// the problem is about none.
	Field string
	// Problem says what is wrong and what was expected.
	Problem string
	// cause is the error of the system behind a file that cannot be read.
	cause error
}

// Error implements error: "loan.yaml:12:5: faults.delay.share: 1.2, want a
// share from 0 to 1".
func (e *Error) Error() string {
	where := e.File + ": "
	if e.Line > 0 {
		where = fmt.Sprintf("%s:%d:%d: ", e.File, e.Line, e.Column)
	}
	if e.Field != "" {
		where += e.Field + ": "
	}
	return oneLine(where + e.Problem)
}

// oneLine keeps what a file puts into an error from breaking its line.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return '␣'
		}
		return r
	}, s)
}

// Unwrap returns the system's error behind a file that cannot be read, or nil.
func (e *Error) Unwrap() error { return e.cause }

// Errors is everything that is wrong with a file, sorted by position.
type Errors []*Error

// Error implements error, one problem a line.
func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i, problem := range e {
		lines[i] = problem.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns each problem, for errors.As.
func (e Errors) Unwrap() []error {
	errs := make([]error, len(e))
	for i, problem := range e {
		errs[i] = problem
	}
	return errs
}

// sorted orders problems by position and drops repetitions: a mistake behind an
// anchor shows under every field that uses the anchor.
func sorted(problems []*Error) Errors {
	slices.SortStableFunc(problems, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Field, b.Field), cmp.Compare(a.Problem, b.Problem))
	})
	type mistake struct {
		line, column int
		problem      string
	}
	seen := map[mistake]bool{}
	return slices.DeleteFunc(problems, func(e *Error) bool {
		m := mistake{e.Line, e.Column, e.Problem}
		defer func() { seen[m] = true }()
		return seen[m]
	})
}
