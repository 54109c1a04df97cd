package planfile

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
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
	return "something else" // a test keeps the schema from having no title
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
