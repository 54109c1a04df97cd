package planfile

import (
	"net"
	"strconv"
	"time"

	"github.com/brunt-go/brunt/internal/unit"
)

// The methods of this file read a scalar. What it may look like is in the
// schema too; they report what the schema let pass.

func (r *reader) duration(p part) time.Duration {
	d, err := unit.ParseDuration(p.node.text)
	if err != nil {
		r.wrong(p, "%v", err)
	}
	return d
}

// time is a duration above 0: where 0 would mean "the default", a file that says
// 0 is mistaken.
func (r *reader) time(p part) time.Duration {
	d, err := unit.ParseDuration(p.node.text)
	switch {
	case err != nil:
		r.wrong(p, "%v", err)
	case d == 0:
		r.wrong(p, "%v, must be more than 0", p.node)
	}
	return d
}

func (r *reader) share(p part) float64 {
	v, err := unit.ParseShare(p.node.text)
	if err != nil {
		r.wrong(p, "%v", err)
	}
	return v
}

// positiveShare is a share above 0.
func (r *reader) positiveShare(p part) float64 {
	v, err := unit.ParseShare(p.node.text)
	switch {
	case err != nil:
		r.wrong(p, "%v", err)
	case v == 0:
		r.wrong(p, "%v, must be more than 0", p.node)
	}
	return v
}

// integer is a whole number. The schema has its bounds.
func (r *reader) integer(p part) int {
	switch v := p.node.value.(type) {
	case uint64:
		return int(min(v, 1<<62))
	case int64:
		return int(v)
	case float64:
		return int(v) // 2e2 is a whole number too
	}
	return 0
}

// address is host:port.
func (r *reader) address(p part) string {
	_, port, err := net.SplitHostPort(p.node.text)
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil {
		r.wrong(p, "%v, want host:port, port 0 for any free one", p.node)
	}
	return p.node.text
}

// words are the scalars of a list, as they are written.
func (r *reader) words(p part) []string {
	var words []string
	for _, item := range p.items() {
		words = append(words, item.node.text)
	}
	return words
}

// headers are header fields and their values, as they are written.
func (r *reader) headers(p part) map[string]string {
	fields := map[string]string{}
	r.keyed(p, headerName, func(name string, p part) { fields[name] = p.node.text })
	return fields
}
