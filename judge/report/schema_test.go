package report_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/brunt-go/brunt/judge/report"
)

// compile reads a schema. A strict one also refuses what it does not describe,
// so that no property stays undocumented.
func compile(t *testing.T, schema []byte, strict bool) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		t.Fatal(err)
	}
	if strict {
		closeObjects(doc)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("urn:schema", doc); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("urn:schema")
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

func closeObjects(node any) {
	switch n := node.(type) {
	case map[string]any:
		for _, child := range n {
			closeObjects(child)
		}
		if n["type"] == "object" {
			n["additionalProperties"] = false
		}
	case []any:
		for _, child := range n {
			closeObjects(child)
		}
	}
}

func schemaOf(r *report.Report) []byte {
	if r.Kind == report.KindRun {
		return report.RunSchema()
	}
	return report.CalibrateSchema()
}

func validate(t *testing.T, r *report.Report) {
	t.Helper()
	var b bytes.Buffer
	if err := r.JSON(&b); err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(&b)
	if err != nil {
		t.Fatal(err)
	}
	if err := compile(t, schemaOf(r), true).Validate(value); err != nil {
		t.Errorf("%s does not fit its schema: %v", r.Kind, err)
	}
}

func TestSchema_fitsWhatIsWritten(t *testing.T) {
	t.Parallel()
	all := reports(200)
	all["hostile"] = report.Run(hostileResult(), hostile)
	all["hostile_calibration"] = report.Calibrate(hostileCalibration(), hostile)
	for name, r := range all {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			validate(t, r)
		})
	}
}

func TestSchema_refusesWhatIsWrong(t *testing.T) {
	t.Parallel()
	rows := []struct{ name, old, new string }{
		{"unknown_verdict", `"verdict": "PASS"`, `"verdict": "MAYBE"`},
		{"other_version", `"version": 1`, `"version": 2`},
		{"negative_count", `"injected": 45`, `"injected": -1`},
		{"share_in_percent", `"threshold": 0.05`, `"threshold": 5`},
		{"missing_property", `"seed":`, `"sea":`},
	}
	var b bytes.Buffer
	if err := reports(200)["pass"].JSON(&b); err != nil {
		t.Fatal(err)
	}
	schema := compile(t, report.RunSchema(), false)
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			changed := strings.Replace(b.String(), row.old, row.new, 1)
			if changed == b.String() {
				t.Fatalf("%s is not in the report", row.old)
			}
			value, err := jsonschema.UnmarshalJSON(strings.NewReader(changed))
			if err != nil {
				t.Fatal(err)
			}
			if schema.Validate(value) == nil {
				t.Errorf("the schema takes %s", row.new)
			}
		})
	}
}

// Both schemas stand alone, so what they share is written twice.
func TestSchema_agree(t *testing.T) {
	t.Parallel()
	var run, calibrate struct {
		Defs map[string]any `json:"$defs"`
	}
	if err := json.Unmarshal(report.RunSchema(), &run); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(report.CalibrateSchema(), &calibrate); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(run.Defs, calibrate.Defs); diff != "" {
		t.Errorf("$defs of run and calibrate (-run +calibrate):\n%s", diff)
	}
}
