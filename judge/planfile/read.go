package planfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/brunt-go/brunt/judge/experiment"
)

// Read reads the experiment file at path. The error, if any, is of type Errors.
func Read(path string) (experiment.Experiment, error) {
	data, err := load(path)
	if err != nil {
		problem := err.Error()
		var pathErr *fs.PathError
		if errors.As(err, &pathErr) {
			problem = pathErr.Err.Error()
		}
		return experiment.Experiment{}, Errors{{File: path, Problem: problem, cause: err}}
	}
	return Parse(path, data)
}

// load reads a file, of a large one just enough to see that it is too large.
func load(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(f, MaxSize+1))
	return data, errors.Join(err, f.Close())
}

// Parse reads an experiment file that is in memory. file is its name: errors
// bear it, and folders in the file are relative to its folder. The error, if any,
// is of type Errors and holds everything that can be told to be wrong at once.
func Parse(file string, data []byte) (experiment.Experiment, error) {
	root, src, problems := parseYAML(file, data)
	if root == nil {
		return experiment.Experiment{}, sorted(problems)
	}
	schema, err := compileSchema()
	if err != nil {
		return experiment.Experiment{}, Errors{{File: file, Line: 1, Column: 1, Problem: err.Error(), cause: err}}
	}
	r := &reader{file: file, src: src, schema: schema, problems: problems}
	whole := part{node: root}
	r.gate(func() { r.checkSchema(whole) })
	var e experiment.Experiment
	r.gate(func() {
		r.collectNames(whole)
		readFields(r, whole, planFields(), &e)
	})
	r.gate(func() { r.checkExperiment(whole, e) })
	if len(r.problems) > 0 {
		return experiment.Experiment{}, sorted(r.problems)
	}
	return e, nil
}

// reader reads an experiment from the nodes of a file.
type reader struct {
	file     string
	src      *source
	schema   *schema
	problems []*Error
	// settled are the paths of fields that are wrong because of a problem
	// that is reported elsewhere.
	settled []string
	// services and proxies are the names the file has.
	services, proxies names
}

// gate runs one of the reader's stages. Of the problems it finds, those stay
// that are about a field none of the earlier stages complained about, nor about
// what it is part of or consists of: a wrong value is one mistake, whatever
// follows from it.
func (r *reader) gate(stage func()) {
	before, known := r.problems, slices.Clone(r.settled)
	for _, problem := range before {
		known = append(known, problem.Field)
	}
	r.problems = nil
	stage()
	found := r.problems
	r.problems = before
	for _, problem := range found {
		if !slices.ContainsFunc(known, func(field string) bool {
			return within(field, problem.Field) || within(problem.Field, field)
		}) {
			r.problems = append(r.problems, problem)
		}
	}
}

// within reports whether field is path or a part of it.
func within(field, path string) bool {
	rest, ok := strings.CutPrefix(field, path)
	return ok && (rest == "" || path == "" || rest[0] == '.' || rest[0] == '[')
}

// wrong reports a problem with a part.
func (r *reader) wrong(p part, format string, args ...any) {
	line, col := p.at()
	r.problem(line, col, p.path, fmt.Sprintf(format, args...))
}

// wrongKey reports a problem with the key of a part.
func (r *reader) wrongKey(p part, format string, args ...any) {
	if p.key == nil {
		r.wrong(p, format, args...)
		return
	}
	r.problem(p.key.line, p.key.col, p.path, fmt.Sprintf(format, args...))
}

func (r *reader) problem(line, col int, field, problem string) {
	r.problems = append(r.problems, &Error{File: r.file, Line: line, Column: col, Field: field, Problem: problem})
}

// field reads one key of a mapping into a T.
type field[T any] struct {
	name string
	read func(r *reader, p part, into *T)
}

// readFields reads the keys of a mapping, in the file's order. Those it does not
// know are the schema's to report.
func readFields[T any](r *reader, p part, fields []field[T], into *T) {
	for _, pair := range p.node.pairs {
		for _, f := range fields {
			if f.name == pair.name {
				f.read(r, p.child(pair), into)
			}
		}
	}
}

// each calls read with every pair of a mapping, in the file's order.
func each(p part, read func(name string, p part)) {
	for _, pair := range p.node.pairs {
		read(pair.name, p.child(pair))
	}
}

// items are the parts a list consists of.
func (p part) items() []part {
	parts := make([]part, len(p.node.items))
	for i, item := range p.node.items {
		parts[i] = part{path: fmt.Sprintf("%s[%d]", p.path, i), node: item}
	}
	return parts
}

// planFields are the keys of the file itself.
func planFields() []field[experiment.Experiment] {
	return []field[experiment.Experiment]{
		{"version", func(*reader, part, *experiment.Experiment) {}}, // all is in the schema
		{"name", func(_ *reader, p part, e *experiment.Experiment) { e.Name = p.node.text }},
		{"services", readServices},
		{"proxies", readProxies},
		{"load", func(r *reader, p part, e *experiment.Experiment) { r.load(p, &e.Load) }},
		{"outcomes", readOutcomes},
		{"plan", func(r *reader, p part, e *experiment.Experiment) { readFields(r, p, seedFields(), e) }},
		{"faults", readFaults},
		{"limits", func(r *reader, p part, e *experiment.Experiment) { readFields(r, p, limitFields(), &e.Limits) }},
		{"verdict", func(r *reader, p part, e *experiment.Experiment) { readFields(r, p, verdictFields(), &e.Judge) }},
		{"variants", readVariants},
	}
}

// collectNames notes what texts and oracles may refer to.
func (r *reader) collectNames(whole part) {
	r.services = namesOf(whole, "services", "service")
	r.proxies = namesOf(whole, "proxies", "proxy")
}

// dir is a folder the file names, as seen from where the program runs.
func (r *reader) dir(name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(filepath.Dir(r.file), name)
}
