package planfile

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/cel-go/cel"

	"github.com/brunt-go/brunt/judge/experiment"
	"github.com/brunt-go/brunt/judge/oracle"
)

// textNode is a plain text that stands alone in a file.
func textNode(s string) (*reader, part) {
	return &reader{file: "plan.yaml", src: newSource([]byte(s))}, part{node: &node{kind: text, text: s, value: s, line: 1, col: 1}}
}

func mustCompile(t *testing.T, s string, variables []variable) expression {
	t.Helper()
	r, p := textNode(s)
	x, ok := r.compile(p, variables)
	if !ok {
		t.Fatalf("compile(%s): %v", s, sorted(r.problems))
	}
	return x
}

func TestExpression_answer(t *testing.T) {
	t.Parallel()
	whole := experiment.Answer{
		Status: 200,
		Header: http.Header{"Content-Type": {"application/json"}, "Via": {"a", "b"}},
		Body:   []byte(`{"status":"full","n":3,"big":1e300,"ok":true,"no":null,"list":[{"id":1},{"id":2}],"deep":{"er":{"x":"y"}}}`),
		Took:   30 * time.Millisecond,
	}
	array := experiment.Answer{Status: 200, Body: []byte(`[{"id":1}]`)}
	page := experiment.Answer{Status: 200, Body: []byte("<html>\xff</html>")}
	none := experiment.Answer{Err: errors.New("no answer within 10s"), Took: 10 * time.Second}
	rows := []struct {
		name, in string
		answer   experiment.Answer
		want     bool
	}{
		{"status", `status == 200`, whole, true},
		{"status_range", `status >= 200 && status < 300`, none, false},
		{"status_in", `status in [200, 204]`, whole, true},
		{"field", `json.status == "full"`, whole, true},
		{"field_by_index", `json["status"] == "full"`, whole, true},
		{"field_missing", `json.state == "full"`, whole, false},
		{"field_missing_unequal", `json.state != "full"`, whole, false},
		{"field_missing_negated", `!(json.state == "full")`, whole, false},
		{"field_missing_or", `json.state == "full" || status == 200`, whole, true},
		{"field_missing_deep", `json.deep.not.there == 1`, whole, false},
		{"field_missing_method", `json.state.startsWith("f")`, whole, false},
		{"field_deep", `json.deep.er.x == "y"`, whole, true},
		{"field_of_text", `json.status.x == 1`, whole, false},
		{"has", `has(json.status) && !has(json.state)`, whole, true},
		{"null_field", `json.no == null`, whole, true},
		{"bool_field", `json.ok == true`, whole, true},
		{"number_is_whole", `json.n == 3`, whole, true},
		{"number_in", `json.n in [1, 2, 3]`, whole, true},
		{"number_is_double", `json.n > 2.5 && json.n < 4`, whole, true},
		{"number_sum", `json.n + 1.0 > 3`, whole, true},
		{"number_as_text", `json.n == "3"`, whole, false},
		{"text_as_number", `json.status > 3`, whole, false},
		{"large_number", `json.big > 1`, whole, true},
		{"list", `json.list.exists(x, x.id == 2)`, whole, true},
		{"list_end", `json.list[2].id == 3`, whole, false},
		{"list_size", `size(json.list) == 2`, whole, true},
		{"array", `json[0].id == 1`, array, true},
		{"array_as_object", `json.id == 1`, array, false},
		{"no_json", `json.status == "full"`, page, false},
		{"no_json_null", `json == null`, page, true},
		{"no_body", `json.status == "full"`, none, false},
		{"body", `body.contains("<html>")`, page, true},
		{"body_not_utf8", `body == "<html>\ufffd</html>"`, page, true},
		{"body_regex", `body.matches("^<[a-z]+>")`, page, true},
		{"header", `headers["Content-Type"] == "application/json"`, whole, true},
		{"header_lower_case", `headers["content-type"] == "application/json"`, whole, true},
		{"header_field", `headers.via == "a, b"`, whole, true},
		{"header_missing", `headers["X-Cache"] == "hit"`, whole, false},
		{"header_in", `"VIA" in headers && !("x-cache" in headers)`, whole, true},
		{"header_has", `has(headers.via)`, whole, true},
		{"header_names", `headers.exists(name, name == "content-type")`, whole, true},
		{"headers_none", `size(headers) == 0`, none, true},
		{"took", `took < duration("50ms")`, whole, true},
		{"took_long", `took >= duration("10s")`, none, true},
		{"error", `error == ""`, whole, true},
		{"error_text", `error.contains("within 10s")`, none, true},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			got, err := mustCompile(t, row.in, answerVariables()).holds(&answer{Answer: row.answer})
			if got != row.want || err != nil {
				t.Errorf("%s = %v, %v, want %v", row.in, got, err, row.want)
			}
		})
	}
}

// What has no answer to blame is an error, and does not hold.
func TestExpression_error(t *testing.T) {
	t.Parallel()
	for _, in := range []string{`1 / (status - 200) == 1`, `int(body) == 1`} {
		got, err := mustCompile(t, in, answerVariables()).holds(&answer{Answer: experiment.Answer{Status: 200, Body: []byte("x")}})
		if got || err == nil {
			t.Errorf("%s = %v, %v, want an error", in, got, err)
		}
	}
}

// No expression can hang a run, whatever the answer.
func TestExpression_bounded(t *testing.T) {
	t.Parallel()
	long := []byte(`{"list":[` + strings.Repeat("1,", 3000) + `1]}`)
	nested := []byte(`{"list":[` + strings.Repeat("1,", 3000) + `1],"deep":[[` + strings.Repeat("1,", 200_000) + `1]]}`)
	large := []byte(strings.Repeat("ab", 1<<19))
	rows := []struct {
		name, in string
		body     []byte
	}{
		{"loop_in_loop", `json.list.all(x, json.list.all(y, x + y > 0.0))`, long},
		{"costly_step", `json.list.all(x, json.deep == json.deep)`, nested},
		{"growing_text", `size(` + strings.Repeat("body + ", 40) + `body) > 0`, large},
		{"texts_in_a_loop", `json.list.map(x, body + body).size() > 0`, append(long, strings.Repeat(" ", 1<<19)...)},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			x := mustCompile(t, row.in, answerVariables())
			start := time.Now()
			got, err := x.holds(&answer{Answer: experiment.Answer{Body: row.body}})
			if got || !errors.Is(err, errTooLong) {
				t.Errorf("%s = %v, %v, want %v", row.name, got, err, errTooLong)
			}
			if took := time.Since(start); took > 20*maxTime {
				t.Errorf("%s took %v", row.name, took)
			}
		})
	}
}

// One that searches the largest answer there is stays inside the bounds.
func TestExpression_largeAnswer(t *testing.T) {
	t.Parallel()
	for _, in := range []string{`body.contains("full")`, `!body.matches("(a|b)c{1,9}[d-f]+x")`, `size(body) == 1048580`, `body.endsWith("full")`} {
		body := []byte(strings.Repeat("ab", 1<<19) + "full")
		got, err := mustCompile(t, in, answerVariables()).holds(&answer{Answer: experiment.Answer{Body: body}})
		if !got || err != nil {
			t.Errorf("%s = %v, %v, want true", in, got, err)
		}
	}
}

func TestExpression_figures(t *testing.T) {
	t.Parallel()
	figures := oracle.Figures{Requests: 200, Full: 148, Degraded: 42, Dropped: 10, Injected: 45, Timeouts: 12, Exchanges: 210}
	for in, want := range map[string]bool{
		`full_share == 0.74 && degraded_share == 0.21 && dropped_share == 0.05`: true,
		`dropped_share <= noise`:                      true,
		`dropped_share < noise`:                       false,
		`dropped_share > 0`:                           true,
		`injected == 45 && requests == 200`:           true,
		`timeouts >= 12.5`:                            false,
		`exchanges > requests`:                        true,
		`double(exchanges) / double(requests) < 1.06`: true,
	} {
		r, p := textNode(in)
		o, ok := r.demand(p).(oracle.Condition)
		if !ok || o.Text != in {
			t.Errorf("demand(%s) = %+v, %v", in, o, sorted(r.problems))
			continue
		}
		if got, err := o.Holds(figures, 0.05); got != want || err != nil {
			t.Errorf("%s = %v, %v, want %v", in, got, err, want)
		}
	}
}

func TestExpression_abort(t *testing.T) {
	t.Parallel()
	shares := experiment.Shares{Full: 0.4, Degraded: 0.1, Dropped: 0.5, Requests: 100, Injected: 20}
	for in, want := range map[string]bool{
		`dropped_share >= 0.5`:                      true,
		`dropped_share > 0.5`:                       false,
		`full_share < 0.5 && degraded_share <= 0.1`: true,
		`requests > 50 && injected == 20`:           true,
	} {
		r, p := textNode(in)
		a := r.abort(p)
		if a == nil || a.Text != in {
			t.Errorf("abort(%s) = %+v, %v", in, a, sorted(r.problems))
			continue
		}
		if got, err := a.Holds(shares); got != want || err != nil {
			t.Errorf("%s = %v, %v, want %v", in, got, err, want)
		}
	}
}

// Compiling is bounded too, in time and depth.
func TestExpression_compileBounded(t *testing.T) {
	t.Parallel()
	for _, unit := range []string{"(", "[", "{", "-", "!", "a.", "a[", "a?", "f(", "'", "1+", "a||", "[1]."} {
		r, p := textNode(strings.Repeat(unit, 4096/len(unit)))
		start := time.Now()
		if _, ok := r.compile(p, answerVariables()); ok {
			t.Errorf("%s...: compiles", unit)
		}
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%s...: took %v", unit, took)
		}
		if len(r.problems) == 0 {
			t.Errorf("%s...: no problem is reported", unit)
		}
	}
}

// Every name an expression sees has a value.
func TestAnswer_names(t *testing.T) {
	t.Parallel()
	a := &answer{}
	for _, v := range answerVariables() {
		if _, ok := a.ResolveName(v.name); !ok {
			t.Errorf("%s has no value", v.name)
		}
	}
	if v, ok := a.ResolveName("cookies"); ok || v != nil {
		t.Errorf("ResolveName(cookies) = %v, %v", v, ok)
	}
	if a.Parent() != nil {
		t.Error("an answer has a parent")
	}
}

func TestPlainIssue(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"undeclared reference to 'stat' (in container '')":                 "nothing is named stat here, did you mean `status`? want json or status",
		"found no matching overload for '_==_' applied to '(double, int)'": "CEL: `==` does not take (double, int): write the whole number as 0.0",
		"found no matching overload for 'size' applied to '(int)'":         "CEL: `size` does not take (int)",
		"Syntax error: mismatched input '<EOF>' expecting {'[', '{'}":      "CEL syntax: the expression ends too early",
		"Syntax error: extraneous input 'x' expecting <EOF>":               "CEL syntax: unexpected 'x'",
		"Syntax error: token recognition error at: '& '":                   "CEL syntax: unexpected '&'",
		"type 'int' does not support field selection":                      "CEL: type 'int' does not support field selection",
	} {
		if got, _ := plainIssue(in, []string{"json", "status"}); got != want {
			t.Errorf("plainIssue(%s) = %s, want %s", in, got, want)
		}
	}
}

// A type the checker cannot see is refused with the way out.
func TestCompile_dynamic(t *testing.T) {
	t.Parallel()
	r, p := textNode("json.ok")
	if _, ok := r.compile(p, []variable{{"json", cel.DynType}}); ok {
		t.Fatal("compiles")
	}
	const want = "plan.yaml:1:1: \"json.ok\" is of type dyn, want a condition: compare it with something, as in `… == true`"
	if got := fmt.Sprint(sorted(r.problems)); got != want {
		t.Errorf("compile(json.ok): %s, want %s", got, want)
	}
}
