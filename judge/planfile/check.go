package planfile

import (
	"errors"
	"strconv"
	"strings"

	"github.com/brunt-go/brunt/judge/experiment"
)

// checkExperiment reports what only makes sense together, at the node nearest to
// the field it is about.
func (r *reader) checkExperiment(whole part, e experiment.Experiment) {
	if r.services.unreadable || r.proxies.unreadable {
		return // it would miss what could not be read
	}
	err := experiment.Check(e)
	if err == nil {
		return
	}
	all := []error{err}
	var joined interface{ Unwrap() []error }
	if errors.As(err, &joined) {
		all = joined.Unwrap()
	}
	for _, err := range all {
		field, problem := "", err.Error()
		var fieldErr *experiment.FieldError
		if errors.As(err, &fieldErr) {
			field, problem = fieldErr.Field, fieldErr.Problem
		}
		p := nearest(whole, field)
		if name, rest, ok := strings.Cut(problem, ": "); ok {
			if p.node.has(name) {
				p, field, problem = p.get(name), join(field, name), rest
			}
		}
		p.path = field
		r.wrong(p, "%s", problem)
	}
}

// nearest is the part a path leads to, or the last one on the way that exists.
// Names may contain dots: of several keys the path may go on with, it is the
// longest.
func nearest(p part, path string) part {
	if rest, ok := strings.CutPrefix(path, "["); ok {
		index, rest, _ := strings.Cut(rest, "]")
		if i, err := strconv.Atoi(index); err == nil && i >= 0 && i < len(p.node.items) {
			return nearest(p.items()[i], rest)
		}
		return p
	}
	path = strings.TrimPrefix(path, ".")
	if path == "" {
		return p
	}
	best, rest := -1, ""
	for i, pair := range p.node.pairs {
		if after, ok := strings.CutPrefix(path, pair.name); ok && within(path, pair.name) &&
			(best < 0 || len(pair.name) > len(p.node.pairs[best].name)) {
			best, rest = i, after
		}
	}
	if best < 0 {
		return p
	}
	return nearest(p.child(p.node.pairs[best]), rest)
}
