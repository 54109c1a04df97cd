package planfile

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/brunt-go/brunt/internal/golden"
)

// The page about the file says what the schema, the reader and the tests say.
func TestReference(t *testing.T) {
	t.Parallel()
	const page = "../../docs/reference/plan.md"
	s, err := compileSchema()
	if err != nil {
		t.Fatal(err)
	}
	loan, err := os.ReadFile("testdata/loan.yaml")
	if err != nil {
		t.Fatal(err)
	}
	golden.CheckSection(t, page, "example", "```yaml\n"+string(loan)+"```")
	golden.CheckSection(t, page, "fields", fieldTables(s))
	golden.CheckSection(t, page, "variables", variableTable())
	mistaken := strings.NewReplacer(
		"requests: 200", "request: 200",
		"0.20, delay", "1.2, delay",
		"json.status", "jsn.status",
	).Replace(string(loan))
	_, err = Parse("loan.yaml", []byte(mistaken))
	golden.CheckSection(t, page, "mistakes", fmt.Sprintf("```\n%v\n```", err))
}

// fieldTables has a table for each mapping of the schema, in the order in which
// a file would have them.
func fieldTables(s *schema) string {
	var b strings.Builder
	for _, mapping := range []struct{ heading, pointer string }{
		{"the file", "#"},
		{"`services.NAME`", "#/$defs/service"},
		{"`proxies.NAME`", "#/$defs/proxy"},
		{"`load`", "#/$defs/load"},
		{"`load.http`", "#/$defs/load/properties/http"},
		{"`outcomes`", "#/$defs/outcomes"},
		{"`plan`", "#/$defs/plan"},
		{"`faults.NAME`", "#/$defs/fault"},
		{"`faults.NAME.match`", "#/$defs/fault/properties/match"},
		{"`faults.NAME.delay`", "#/$defs/fault/properties/delay/anyOf/1"},
		{"`faults.NAME.reply`", "#/$defs/fault/properties/reply"},
		{"`faults.NAME.truncate`", "#/$defs/fault/properties/truncate/anyOf/1"},
		{"`faults.NAME.lost`", "#/$defs/fault/properties/lost/anyOf/1"},
		{"`limits`", "#/$defs/limits"},
		{"`verdict`", "#/$defs/verdict"},
		{"`verdict.require[]`, an oracle with settings", "#/$defs/demand/anyOf/1"},
		{"`timeout_engaged`", "#/$defs/demand/anyOf/1/properties/timeout_engaged"},
		{"`coverage`", "#/$defs/demand/anyOf/1/properties/coverage"},
		{"`variants.NAME`", "#/$defs/variant"},
		{"`variants.NAME.services.NAME`", "#/$defs/variant/properties/services/additionalProperties"},
	} {
		fmt.Fprintf(&b, "### %s\n\n", mapping.heading)
		if d := description(s, mapping.pointer); d != "" {
			fmt.Fprintf(&b, "%s\n\n", d)
		}
		b.WriteString("| key | value | default | meaning |\n|---|---|---|---|\n")
		path := s.at(mapping.pointer)
		required, _ := path[len(path)-1]["required"].([]any)
		for _, name := range s.order(mapping.pointer) {
			pointer := mapping.pointer + "/properties/" + name
			standard := byDefault(s, pointer)
			if slices.Contains(required, any(name)) {
				standard = "required"
			}
			meaning := description(s, pointer)
			if examples := examplesOf(s, pointer); examples != "" {
				meaning += " For example " + examples + "."
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", name, s.title(pointer), standard, strings.ReplaceAll(meaning, "|", `\|`))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// order are the keys of a mapping as the schema's text has them.
func (s *schema) order(pointer string) []string {
	names := s.properties(pointer)
	slices.SortFunc(names, func(a, b string) int {
		return place(pointer, a) - place(pointer, b)
	})
	return names
}

// place is where in the schema's text a property is.
func place(pointer, name string) int {
	at := 0
	steps := strings.Split(strings.TrimPrefix(pointer, "#"), "/")
	for _, step := range append(steps, "properties", name) {
		if step == "" || strings.Trim(step, "0123456789") == "" {
			continue
		}
		at += strings.Index(schemaText[at:], `"`+step+`": `)
	}
	return at
}

// byDefault is what holds for a field that is left out.
func byDefault(s *schema, pointer string) string {
	path := s.at(pointer)
	v, ok := path[len(path)-1]["default"]
	if !ok {
		return ""
	}
	return "`" + inline(v) + "`"
}

func examplesOf(s *schema, pointer string) string {
	path := s.at(pointer)
	values, _ := path[len(path)-1]["examples"].([]any)
	var words []string
	for _, v := range values {
		words = append(words, "`"+inline(v)+"`")
	}
	return either(words)
}

// inline is a value as it may stand in a YAML file, in one line.
func inline(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []any:
		var items []string
		for _, item := range v {
			items = append(items, nested(item))
		}
		return "[" + strings.Join(items, ", ") + "]"
	case map[string]any:
		var pairs []string
		for _, key := range sortedKeys(v) {
			pairs = append(pairs, key+": "+nested(v[key]))
		}
		return "{" + strings.Join(pairs, ", ") + "}"
	default:
		data, err := json.Marshal(v)
		if err != nil {
			return err.Error()
		}
		return string(data)
	}
}

// nested is inline, in quotes where braces around it ask for them.
func nested(v any) string {
	if s := inline(v); !strings.Contains(s, "{{") {
		return s
	}
	return `"` + inline(v) + `"`
}

// variableTable says which expression sees what.
func variableTable() string {
	var b strings.Builder
	b.WriteString("| expression | sees |\n|---|---|\n")
	for _, row := range []struct {
		name      string
		variables []variable
	}{
		{"`outcomes`", answerVariables()},
		{"`limits.abort_when`", abortVariables()},
		{"`verdict.require[]`", figureVariables()},
	} {
		var words []string
		for _, v := range row.variables {
			kind := strings.ToLower(strings.TrimPrefix(v.kind.String(), "google.protobuf."))
			words = append(words, fmt.Sprintf("`%s` (%s)", v.name, kind))
		}
		fmt.Fprintf(&b, "| %s | %s |\n", row.name, strings.Join(words, ", "))
	}
	return b.String()
}
