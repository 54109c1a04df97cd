package planfile

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

//go:embed plan.schema.json
var schemaText string

// Schema returns the JSON Schema (draft 2020-12) of the experiment file, for
// editors and for reference.
func Schema() []byte { return []byte(schemaText) }

// schema is the compiled Schema, and its text as a tree: an error's words come
// from the titles that stand in it.
type schema struct {
	compiled *jsonschema.Schema
	tree     any
	// keys are what keys must be like that are the user's own, by the name of
	// the definition.
	keys map[string]*jsonschema.Schema
}

// Definitions of keys in the schema.
const (
	partName     = "name"
	variableName = "variable"
	headerName   = "header"
)

func compileSchema() (*schema, error) {
	tree, err := jsonschema.UnmarshalJSON(strings.NewReader(schemaText))
	if err != nil {
		return nil, err
	}
	const url = "plan.schema.json"
	c := jsonschema.NewCompiler()
	if err := c.AddResource(url, tree); err != nil {
		return nil, err
	}
	compiled, err := c.Compile(url)
	if err != nil {
		return nil, err
	}
	keys := map[string]*jsonschema.Schema{}
	for _, name := range []string{partName, variableName, headerName} {
		if keys[name], err = c.Compile(url + "#/$defs/" + name); err != nil {
			return nil, err
		}
	}
	return &schema{compiled, tree, keys}, nil
}

// keyed calls read with every pair of a mapping, in the file's order, and reports
// keys that are not as the schema defines them. The validator does too, but loses
// track of which mapping it was.
func (r *reader) keyed(p part, definition string, read func(name string, p part)) {
	each(p, func(name string, child part) {
		if r.schema.keys[definition].Validate(name) != nil {
			title := r.schema.title("#/$defs/" + definition)
			r.problem(child.key.line, child.key.col, child.path, fmt.Sprintf("%s, want %s", quoted(name), title))
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
		known := v.schema.properties(e.SchemaURL)
		slices.Sort(k.Properties)
		for _, name := range k.Properties {
			if guess := near(name, known); guess != "" {
				v.meant[join(p.path, guess)] = true
			}
			child, _ := p.node.get(name)
			if len(known) == 0 {
				v.wrong(p.child(child), "unknown key, there are no settings here")
				continue
			}
			v.wrong(p.child(child), "unknown key, %s", wantOneOf(name, known))
		}
	case *kind.Required:
		for _, name := range k.Missing {
			missing := p
			missing.path = join(p.path, name)
			if !v.meant[missing.path] {
				v.wrong(missing, "is missing, want %s", v.schema.title(e.SchemaURL+"/properties/"+name))
			}
		}
	case *kind.DependentRequired:
		if child, ok := p.node.get(k.Prop); ok && !v.meantAny(p.path, k.Missing) {
			v.wrong(p.child(child), "goes only with %s, which is missing", either(k.Missing))
		}
	case *kind.AnyOf, *kind.OneOf:
		if names := v.schema.required(e.SchemaURL); names != nil {
			if !v.meantAny(p.path, names) {
				v.wrong(p, "want %s", v.schema.title(e.SchemaURL))
			}
			return
		}
		v.wrong(p, "%v, %s", p.node, want)
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

func (v *violations) meantAny(path string, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return v.meant[join(path, name)] })
}

// part is the part an instance location leads to.
func (v *violations) part(location []string) part {
	p := v.whole
	for _, step := range location {
		if p.node.kind == list {
			if i, err := strconv.Atoi(step); err == nil && i < len(p.node.items) {
				p = p.items()[i]
			}
		} else if pair, ok := p.node.get(step); ok {
			p = p.child(pair)
		}
	}
	return p
}

// at returns the schema at a location such as
// "plan.schema.json#/$defs/load/properties/rate", and those it stands in.
func (s *schema) at(url string) (path []map[string]any) {
	_, pointer, _ := strings.Cut(url, "#")
	tree := s.tree
	for step := range strings.SplitSeq(pointer, "/") {
		if step != "" {
			switch t := tree.(type) {
			case map[string]any:
				tree = t[strings.NewReplacer("~1", "/", "~0", "~").Replace(step)]
			case []any:
				i, err := strconv.Atoi(step)
				if err != nil || i < 0 || i >= len(t) {
					return path
				}
				tree = t[i]
			}
		}
		if m, ok := tree.(map[string]any); ok {
			path = append(path, m)
		}
	}
	return path
}

// title is what the schema at a location calls the values it is about, or what
// the one it stands in or refers to calls them.
func (s *schema) title(url string) string {
	for _, m := range slices.Backward(s.at(url)) {
		if title, ok := m["title"].(string); ok {
			return title
		}
		if ref, ok := m["$ref"].(string); ok {
			return s.title(ref)
		}
	}
	return "something else"
}

// properties are the keys of the mapping a location is about.
func (s *schema) properties(url string) []string {
	path := s.at(url)
	properties, _ := path[len(path)-1]["properties"].(map[string]any)
	return sortedKeys(properties)
}

// required are the keys that the alternatives at a location ask for, or nil.
func (s *schema) required(url string) (names []string) {
	path := s.at(url)
	for _, keyword := range []string{"anyOf", "oneOf"} {
		alternatives, _ := path[len(path)-1][keyword].([]any)
		for _, a := range alternatives {
			m, _ := a.(map[string]any)
			required, _ := m["required"].([]any)
			for _, name := range required {
				names = append(names, fmt.Sprint(name))
			}
		}
	}
	return names
}
