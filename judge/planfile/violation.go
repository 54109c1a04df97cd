package planfile

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/brunt-go/brunt/internal/near"
)

// keyed calls read with every pair of a mapping, in the file's order, and reports
// keys that are not as the schema defines them. The validator does too, but loses
// track of which mapping it was.
func (r *reader) keyed(p part, definition string, read func(name string, p part)) {
	each(p, func(name string, child part) {
		if r.schema.keys[definition].Validate(name) != nil {
			r.wrongKey(child, "%s, want %s", quoted(name), r.schema.title("#/$defs/"+definition))
		}
		read(name, child)
	})
}

// checkSchema reports what is not as the schema has it.
func (r *reader) checkSchema(whole part) {
	var invalid *jsonschema.ValidationError
	if err := r.schema.compiled.Validate(whole.node.instance()); errors.As(err, &invalid) {
		v := &violations{reader: r, whole: whole}
		v.collect(invalid)
		v.report()
	}
}

// violations turns what a validator says into what a person needs to hear.
type violations struct {
	*reader
	whole part
	leafs []*jsonschema.ValidationError
	// meant are the keys that unknown ones were probably meant to be, by the
	// path they should have.
	meant map[string]bool
}

// collect finds the violations that stand for themselves.
func (v *violations) collect(e *jsonschema.ValidationError) {
	switch e.ErrorKind.(type) {
	case *kind.AnyOf:
		// The alternatives differ in type: the one of the value's own type is
		// the one that was meant.
		var meant []*jsonschema.ValidationError
		for _, cause := range e.Causes {
			if !v.otherType(cause, len(e.InstanceLocation)) {
				meant = append(meant, cause)
			}
		}
		if len(meant) == 1 && !v.groups(e) {
			v.collect(meant[0])
			return
		}
		v.leafs = append(v.leafs, e)
	case *kind.PropertyNames: // see keyed
	case *kind.OneOf:
		v.leafs = append(v.leafs, e)
	default:
		for _, cause := range e.Causes {
			v.collect(cause)
		}
		if len(e.Causes) == 0 {
			v.leafs = append(v.leafs, e)
		}
	}
}

// otherType reports whether an alternative fails because the value, at depth, is
// of another type altogether.
func (v *violations) otherType(e *jsonschema.ValidationError, depth int) bool {
	switch e.ErrorKind.(type) {
	case *kind.Type, *kind.Const:
		return len(e.InstanceLocation) == depth
	}
	return len(e.Causes) == 1 && len(e.InstanceLocation) == depth && v.otherType(e.Causes[0], depth)
}

// groups reports whether the alternatives are about which keys there are.
func (v *violations) groups(e *jsonschema.ValidationError) bool {
	for _, cause := range e.Causes {
		if _, ok := cause.ErrorKind.(*kind.Required); !ok {
			return false
		}
	}
	return true
}

func (v *violations) report() {
	v.meant = map[string]bool{}
	// What is called wrongly is not missing as well.
	var missing []*jsonschema.ValidationError
	for _, e := range v.leafs {
		switch e.ErrorKind.(type) {
		case *kind.Required, *kind.AnyOf, *kind.OneOf, *kind.DependentRequired:
			missing = append(missing, e)
		default:
			v.leaf(e)
		}
	}
	for _, e := range missing {
		v.leaf(e)
	}
}

func (v *violations) leaf(e *jsonschema.ValidationError) {
	p := v.part(e.InstanceLocation)
	want := "want " + v.schema.title(e.SchemaURL)
	switch k := e.ErrorKind.(type) {
	case *kind.AdditionalProperties:
		v.unknown(p, k.Properties, v.schema.properties(e.SchemaURL))
	case *kind.Required:
		for _, name := range k.Missing {
			if !v.called(p, name) {
				missing := part{join(p.path, name), p.key, p.node}
				v.wrong(missing, "is missing, want %s", v.schema.title(e.SchemaURL+"/properties/"+name))
			}
		}
	case *kind.DependentRequired:
		if !v.called(p, k.Missing...) {
			v.wrongKey(p.get(k.Prop), "goes only with %s, which is missing", either(k.Missing))
		}
	case *kind.AnyOf, *kind.OneOf:
		names := v.schema.required(e.SchemaURL)
		switch {
		case names == nil:
			v.wrong(p, "%v, %s", p.node, want)
		case !v.called(p, names...):
			v.wrong(p, "%s", want)
		}
	case *kind.MinItems, *kind.MinProperties, *kind.MinLength:
		v.wrong(p, "is empty, %s", want)
	case *kind.MaxItems:
		v.wrong(p, "has %d items, want at most %d", k.Got, k.Want)
	case *kind.MaxProperties:
		v.wrong(p, "has %d keys, %s", k.Got, want)
	case *kind.MaxLength:
		v.wrong(p, "has %d characters, want at most %d", k.Got, k.Want)
	case *kind.Maximum:
		if share, _ := strconv.ParseFloat(p.node.text, 64); share >= 2 && share <= 100 && strings.Contains(e.SchemaURL, "/share/") {
			want = fmt.Sprintf("did you mean `%s%%`? %s", p.node.text, want)
		}
		v.wrong(p, "%v, %s", p.node, want)
	default:
		v.wrong(p, "%v, %s", p.node, want)
	}
}

// unknown reports keys that a mapping should not have.
func (v *violations) unknown(p part, keys, known []string) {
	for _, name := range keys {
		if guess := near.Word(name, known); guess != "" {
			v.meant[join(p.path, guess)] = true
		}
		want := "there are no settings here"
		if len(known) > 0 {
			want = wantOneOf(name, known)
		}
		v.wrongKey(p.get(name), "unknown key, %s", want)
	}
}

// called reports whether any of the keys that a mapping lacks is there, under a
// wrong name that is reported already.
func (v *violations) called(p part, names ...string) bool {
	for _, name := range names {
		if path := join(p.path, name); v.meant[path] {
			v.settled = append(v.settled, path)
			return true
		}
	}
	return false
}

// part is the part an instance location leads to.
func (v *violations) part(location []string) part {
	p := v.whole
	for _, step := range location {
		if p.node.kind == list {
			if i, err := strconv.Atoi(step); err == nil && i < len(p.node.items) {
				p = p.items()[i]
			}
		} else {
			p = p.get(step)
		}
	}
	return p
}
