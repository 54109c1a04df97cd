package planfile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/brunt-go/brunt/judge/oracle"
	"github.com/brunt-go/brunt/network/proxy/httpproxy"
)

// schemaTree is the schema as encoding/json reads it.
func schemaTree(t *testing.T) map[string]any {
	t.Helper()
	tree := map[string]any{}
	if err := json.Unmarshal(Schema(), &tree); err != nil {
		t.Fatal(err)
	}
	return tree
}

// walkSchema calls visit with every mapping of the schema and the pointer that
// leads to it, in order. What stands in examples and defaults is no schema.
func walkSchema(pointer string, tree any, visit func(pointer string, m map[string]any)) {
	switch tree := tree.(type) {
	case map[string]any:
		visit(pointer, tree)
		for _, key := range sortedKeys(tree) {
			if key != "examples" && key != "default" {
				walkSchema(pointer+"/"+key, tree[key], visit)
			}
		}
	case []any:
		for i, item := range tree {
			walkSchema(fmt.Sprintf("%s/%d", pointer, i), item, visit)
		}
	}
}

// isSchema reports whether a pointer leads to a schema, not to a mapping from
// names to schemas.
func isSchema(pointer string) bool {
	return !slices.Contains([]string{"properties", "$defs", "dependentRequired"}, pointer[strings.LastIndex(pointer, "/")+1:])
}

func TestSchema_valid(t *testing.T) {
	t.Parallel()
	tree, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema()))
	if err != nil {
		t.Fatal(err)
	}
	draft, err := jsonschema.NewCompiler().Compile("https://json-schema.org/draft/2020-12/schema")
	if err != nil {
		t.Fatal(err)
	}
	if err := draft.Validate(tree); err != nil {
		t.Errorf("the schema is not one of draft 2020-12: %v", err)
	}
}

func fieldNames[T any](fields []field[T]) []string {
	var out []string
	for _, f := range fields {
		out = append(out, f.name)
	}
	return out
}

// jsonNames are the keys under which encoding/json knows the fields of a struct.
func jsonNames(v any) []string {
	var out []string
	for f := range reflect.TypeOf(v).Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		out = append(out, name)
	}
	return out
}

// The reader and the schema know the same fields: one that is added to only one
// of them fails here.
func TestSchema_fields(t *testing.T) {
	t.Parallel()
	const defs = "/$defs/"
	known := map[string][]string{
		"":                                      fieldNames(planFields()),
		defs + "service":                        fieldNames(serviceFields()),
		defs + "proxy":                          fieldNames(proxyFields()),
		defs + "load":                           fieldNames(loadFields()),
		defs + "load/properties/http":           fieldNames(requestFields()),
		defs + "outcomes":                       {oracle.Full, oracle.Degraded},
		defs + "plan":                           fieldNames(seedFields()),
		defs + "fault":                          fieldNames(faultFields()),
		defs + "fault/properties/match":         fieldNames(matchFields()),
		defs + "fault/properties/delay/anyOf/1": {"header", "body", "after_bytes"}, // see TestSchema_delay
		defs + "fault/properties/reply":         jsonNames(httpproxy.Reply{}),
		defs + "fault/properties/truncate/anyOf/1":                jsonNames(httpproxy.Truncate{}),
		defs + "fault/properties/lost/anyOf/1":                    jsonNames(httpproxy.Lost{}),
		defs + "limits":                                           fieldNames(limitFields()),
		defs + "verdict":                                          fieldNames(verdictFields()),
		defs + "demand/anyOf/1":                                   sortedKeys(oracles()),
		defs + "demand/anyOf/1/properties/fallback_engaged":       nil,
		defs + "demand/anyOf/1/properties/timeout_engaged":        fieldNames(timeoutFields()),
		defs + "demand/anyOf/1/properties/coverage":               fieldNames(coverageFields()),
		defs + "variant":                                          fieldNames(variantFields()),
		defs + "variant/properties/services/additionalProperties": fieldNames(overrideFields()),
	}
	got := map[string][]string{}
	walkSchema("", schemaTree(t), func(pointer string, m map[string]any) {
		if properties, ok := m["properties"].(map[string]any); ok && isSchema(pointer) {
			got[pointer] = sortedKeys(properties)
		}
	})
	for _, list := range known {
		slices.Sort(list)
	}
	if diff := cmp.Diff(known, got); diff != "" {
		t.Errorf("fields of the reader (-), of the schema (+):\n%s", diff)
	}
}

// A Delay reads its JSON itself: it takes what the schema has, and no more.
func TestSchema_delay(t *testing.T) {
	t.Parallel()
	for _, data := range []string{`{"header":"1ms"}`, `{"body":"1ms","after_bytes":1}`} {
		if _, err := httpproxy.ParseFault("delay", []byte(data)); err != nil {
			t.Errorf("ParseFault(delay, %s) = %v", data, err)
		}
	}
	if n := reflect.TypeFor[httpproxy.Delay]().NumField(); n != 3 {
		t.Errorf("Delay has %d fields, the schema 3", n)
	}
}

// Every kind of fault stands where the schema asks for at least one.
func TestSchema_kinds(t *testing.T) {
	t.Parallel()
	s, err := compileSchema()
	if err != nil {
		t.Fatal(err)
	}
	const group = "#/$defs/fault/allOf/0"
	got := s.required(group)
	if want := httpproxy.Kinds(); !slices.Equal(got, want) {
		t.Errorf("a fault needs one of %v, want %v", got, want)
	}
	if title := s.title(group); title != "at least one of "+either(httpproxy.Kinds()) {
		t.Errorf("the title is %q", title)
	}
}

// Names an expression may use stand in the schema's words for it.
func TestSchema_variables(t *testing.T) {
	t.Parallel()
	tree := schemaTree(t)
	defs, _ := tree["$defs"].(map[string]any)
	for name, variables := range map[string][]variable{
		"outcome": answerVariables(), "abort": abortVariables(), "demand": figureVariables(),
	} {
		def, _ := defs[name].(map[string]any)
		words := strings.FieldsFunc(fmt.Sprint(def["description"]), func(r rune) bool { return strings.ContainsRune(" ,():", r) })
		for _, v := range variables {
			if !slices.Contains(words, v.name) {
				t.Errorf("$defs/%s does not tell of %s", name, v.name)
			}
		}
	}
}

// Every field says what it is, and what it means.
func TestSchema_words(t *testing.T) {
	t.Parallel()
	s, err := compileSchema()
	if err != nil {
		t.Fatal(err)
	}
	walkSchema("", schemaTree(t), func(pointer string, m map[string]any) {
		if !isField(pointer) {
			return
		}
		if m["title"] == nil && m["$ref"] == nil {
			t.Errorf("%s has no title", pointer)
		}
		if description(s, "#"+pointer) == "" {
			t.Errorf("%s has no description", pointer)
		}
	})
}

// isField reports whether a pointer leads to a property.
func isField(pointer string) bool {
	steps := strings.Split(pointer, "/")
	return len(steps) > 2 && steps[len(steps)-2] == "properties"
}

// description is what the schema says of a location, or of what it refers to.
func description(s *schema, url string) string {
	path := s.at(url)
	m := path[len(path)-1]
	if d, ok := m["description"].(string); ok {
		return d
	}
	if ref, ok := m["$ref"].(string); ok {
		return description(s, ref)
	}
	return ""
}

// Examples and defaults are values the schema itself takes.
func TestSchema_examples(t *testing.T) {
	t.Parallel()
	tree, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("plan.json", tree); err != nil {
		t.Fatal(err)
	}
	walkSchema("", tree, func(pointer string, m map[string]any) {
		values, _ := m["examples"].([]any)
		if v, ok := m["default"]; ok {
			values = append(values, v)
		}
		if len(values) == 0 || !isSchema(pointer) {
			return
		}
		compiled, err := c.Compile("plan.json#" + pointer)
		if err != nil {
			t.Errorf("%s: %v", pointer, err)
			return
		}
		for _, v := range values {
			if err := compiled.Validate(v); err != nil {
				t.Errorf("%s: %v is an example: %v", pointer, v, err)
			}
		}
	})
}

// The schema takes the files the reader takes, and everything.yaml leaves no
// field out.
func TestSchema_files(t *testing.T) {
	t.Parallel()
	s, err := compileSchema()
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"testdata/loan.yaml", "testdata/everything.yaml"} {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		root, _, problems := parseYAML(file, data)
		if len(problems) > 0 {
			t.Fatal(sorted(problems))
		}
		if err := s.compiled.Validate(root.instance()); err != nil {
			t.Errorf("the schema refuses %s: %v", file, err)
		}
		if file != "testdata/everything.yaml" {
			continue
		}
		used := map[string]bool{}
		keysOf(root, used)
		walkSchema("", s.tree, func(pointer string, _ map[string]any) {
			name := pointer[strings.LastIndex(pointer, "/")+1:]
			if isField(pointer) && name != "requests" && name != "concurrency" && !used[name] {
				t.Errorf("%s has no %s (%s)", file, name, pointer)
			}
		})
	}
}

// keysOf collects the keys of a file.
func keysOf(n *node, into map[string]bool) {
	for _, p := range n.pairs {
		into[p.name] = true
		keysOf(p.value, into)
	}
	for _, item := range n.items {
		keysOf(item, into)
	}
}

// Everything in testdata/bad that is a matter of structure is refused by the
// schema alone, so that an editor shows it too.
func TestSchema_refuses(t *testing.T) {
	t.Parallel()
	s, err := compileSchema()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{
		"unknown_key", "unknown_section", "version_2", "load_both_loops", "load_neither_loop", "load_rate_alone",
		"requests_zero", "share_above_one", "fault_no_kind", "fault_at_missing", "reply_status", "hang_false",
		"service_name_space", "header_name", "env_name", "listen_no_port", "timeout_number", "truth",
		"oracle_two_in_one", "oracle_settings_unknown", "outcome_no_full", "require_empty", "seed_negative",
	} {
		data, err := os.ReadFile("testdata/bad/" + name + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		root, _, problems := parseYAML(name, data)
		if len(problems) > 0 {
			t.Fatal(sorted(problems))
		}
		if s.compiled.Validate(root.instance()) == nil {
			t.Errorf("the schema takes %s", name)
		}
	}
}
