package statuspage

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// failure is a form that could not be carried out. Its methods are for a nil
// failure too, which is none.
type failure struct {
	form     string // its ID
	code     int
	typed    url.Values
	problems []problem
}

// problem is one thing that is wrong, with a field if it is about one.
type problem struct{ Field, Text string }

// failed makes a failure of what the server said: a problem a line, each beginning
// with its field.
func failed(form string, typed url.Values, err error) *failure {
	e := asError(err)
	f := &failure{form: form, code: e.Status, typed: typed}
	for line := range strings.Lines(strings.TrimPrefix(e.Message, "bad request body: ")) {
		line = strings.TrimSpace(line)
		name, text, found := strings.Cut(line, ": ")
		if name, _, _ = strings.Cut(name, "["); !found || strings.ContainsAny(name, " \"") {
			name, text = "", line
		}
		f.problems = append(f.problems, problem{name, text})
	}
	return f
}

// of is the failure if it is the form's.
func (f *failure) of(form string) *failure {
	if f == nil || f.form != form {
		return nil
	}
	return f
}

func (f *failure) status() int {
	if f == nil {
		return http.StatusOK
	}
	return f.code
}

// Problems are those of no field.
func (f *failure) Problems() []string { return f.about("") }

// about are the problems of a field.
func (f *failure) about(name string) []string {
	if f == nil {
		return nil
	}
	var out []string
	for _, p := range f.problems {
		if p.Field == name {
			out = append(out, p.Text)
		}
	}
	return out
}

// settle makes the problems of fields that a form does not have its own.
func (f *failure) settle(fields []string) {
	if f == nil {
		return
	}
	for i, p := range f.problems {
		if p.Field != "" && !slices.Contains(fields, p.Field) {
			f.problems[i] = problem{"", p.Field + ": " + p.Text}
		}
	}
}
