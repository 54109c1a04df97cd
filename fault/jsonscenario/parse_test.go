package jsonscenario_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/brunt-go/brunt/fault/jsonscenario"
	"github.com/brunt-go/brunt/fit"
)

func TestParse(t *testing.T) {
	t.Parallel()
	one := func(r fit.Rule) []fit.Rule { return []fit.Rule{r} }
	rows := []struct {
		name string
		in   string
		want []fit.Rule
	}{
		{"no_rules", `{"rules":[]}`, nil},
		{"nothing", `{}`, nil},
		{"null_rules", `{"rules":null}`, nil},
		{"spaces", " {\t\"rules\" :\r\n[ { \"point\" : \"a\" } ] } ", one(fit.Rule{Point: "a"})},
		// R36, R37, R38: the point is required, the rest has defaults.
		{"point_alone", `{"rules":[{"point":"a"}]}`, one(fit.Rule{Point: "a"})},
		{"defaults", `{"rules":[{"point":"a","delay_ms":0,"abort":false,"lost":false}]}`, one(fit.Rule{Point: "a"})},
		{"null_is_left_out", `{"rules":[{"point":"a","delay_ms":null,"abort":null,"lost":null,"reply":null,"attempts":null,"share":null,"seed":null}]}`, one(fit.Rule{Point: "a"})},
		{"delay", `{"rules":[{"point":"a","delay_ms":250}]}`, one(fit.Rule{Point: "a", Fault: fit.Fault{Delay: 250 * time.Millisecond}})},
		{"longest_delay", `{"rules":[{"point":"a","delay_ms":9223372036854}]}`, one(fit.Rule{Point: "a", Fault: fit.Fault{Delay: math.MaxInt64 / time.Millisecond * time.Millisecond}})},
		{"abort", `{"rules":[{"point":"a","abort":true}]}`, one(fit.Rule{Point: "a", Fault: fit.Fault{Abort: true}})},
		{"order", `{"rules":[{"point":"a"},{"abort":true,"point":"b"}]}`, []fit.Rule{{Point: "a"}, {Point: "b", Fault: fit.Fault{Abort: true}}}},
		{"escaped_text", `{"rules":[{"\u0070oint":"\u0061\"\\\ud83d\ude00"}]}`, one(fit.Rule{Point: "a\"\\😀"})},
		// X1 to X4.
		{"attempts", `{"rules":[{"point":"a","attempts":[1,2]}]}`, one(fit.Rule{Point: "a", Attempts: fit.Attempts{First: 1, Last: 2}})},
		{"attempts_without_end", `{"rules":[{"point":"a","attempts":[3,0]}]}`, one(fit.Rule{Point: "a", Attempts: fit.Attempts{First: 3}})},
		{"share", `{"rules":[{"point":"a","share":5e-2,"seed":18446744073709551615}]}`, one(fit.Rule{Point: "a", Share: 0.05, Seed: math.MaxUint64})},
		{"whole_share", `{"rules":[{"point":"a","share":1}]}`, one(fit.Rule{Point: "a", Share: 1})},
		{"reply", `{"rules":[{"point":"a","reply":{"status":503,"body":"{\"a\":1}","grpc_code":14}}]}`, one(fit.Rule{Point: "a", Fault: fit.Fault{Reply: fit.Reply{Status: 503, Body: `{"a":1}`, GRPCCode: 14}}})},
		{"reply_null", `{"rules":[{"point":"a","reply":{"status":503,"body":null,"grpc_code":null}}]}`, one(fit.Rule{Point: "a", Fault: fit.Fault{Reply: fit.Reply{Status: 503}}})},
		{"lost", `{"rules":[{"point":"a","lost":true}]}`, one(fit.Rule{Point: "a", Fault: fit.Fault{Lost: true}})},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			got, err := jsonscenario.Parse(row.in)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(row.want, got.Rules); diff != "" {
				t.Errorf("Parse(%s) (-want +got):\n%s", row.in, diff)
			}
		})
	}
}

func TestParse_refuses(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name string
		in   string
		want string
	}{
		// R36: no point.
		{"no_point", `{"rules":[{"point":"a"},{"abort":true}]}`, `rules[1].point: missing, must name a point`},
		{"empty_point", `{"rules":[{"point":""}]}`, `rules[0].point: empty, must name a point`},
		{"null_point", `{"rules":[{"point":null}]}`, `rules[0].point: missing, must name a point`},
		{"number_point", `{"rules":[{"point":7}]}`, `rules[0].point: 7, must be text`},
		{"star_first", `{"rules":[{"point":"*x"}]}`, `rules[0].point: "*x", must have a * at its end alone`},
		{"star_in_escapes", `{"rules":[{"point":"a\u002Ab"}]}`, `rules[0].point: "a*b", must have a * at its end alone`},
		// R37: a whole number of milliseconds, 0 or more.
		{"negative_delay", `{"rules":[{"point":"a","delay_ms":-1}]}`, `rules[0].delay_ms: -1, must be a whole number of milliseconds, 0 to 9223372036854`},
		{"minus_nothing", `{"rules":[{"point":"a","delay_ms":-0}]}`, `rules[0].delay_ms: -0, must be a whole number of milliseconds, 0 to 9223372036854`},
		{"fraction", `{"rules":[{"point":"a","delay_ms":1.5}]}`, `rules[0].delay_ms: 1.5, must be a whole number of milliseconds, 0 to 9223372036854`},
		{"huge", `{"rules":[{"point":"a","delay_ms":1e300}]}`, `rules[0].delay_ms: 1e300, must be a whole number of milliseconds, 0 to 9223372036854`},
		{"overflows", `{"rules":[{"point":"a","delay_ms":9223372036854775807}]}`, `rules[0].delay_ms: 9223372036854775807, must be a whole number of milliseconds, 0 to 9223372036854`},
		{"overflows_by_one", `{"rules":[{"point":"a","delay_ms":9223372036855}]}`, `rules[0].delay_ms: 9223372036855, must be a whole number of milliseconds, 0 to 9223372036854`},
		{"overflows_uint64", `{"rules":[{"point":"a","delay_ms":18446744073709551616}]}`, `rules[0].delay_ms: 18446744073709551616, must be a whole number of milliseconds, 0 to 9223372036854`},
		{"text_delay", `{"rules":[{"point":"a","delay_ms":"250"}]}`, `rules[0].delay_ms: "250", must be a whole number of milliseconds, 0 to 9223372036854`},
		{"leading_zero", `{"rules":[{"point":"a","delay_ms":0250}]}`, `rules[0].delay_ms: 0250, must be a whole number of milliseconds, 0 to 9223372036854`},
		{"delay_of_true", `{"rules":[{"point":"a","delay_ms":true}]}`, `rules[0].delay_ms: true, must be a whole number of milliseconds, 0 to 9223372036854`},
		{"delay_object", `{"rules":[{"point":"a","delay_ms":{"s":1}}]}`, `rules[0].delay_ms: an object, must be a whole number of milliseconds, 0 to 9223372036854`},
		{"delay_array", `{"rules":[{"point":"a","delay_ms":[1]}]}`, `rules[0].delay_ms: an array, must be a whole number of milliseconds, 0 to 9223372036854`},
		// R38: true or false.
		{"abort_yes", `{"rules":[{"point":"a","abort":"yes"}]}`, `rules[0].abort: "yes", must be true or false`},
		{"abort_1", `{"rules":[{"point":"a","abort":1}]}`, `rules[0].abort: 1, must be true or false`},
		{"abort_True", `{"rules":[{"point":"a","abort":True}]}`, `rules[0].abort: True, must be true or false`},
		// R39: unknown fields, in whatever case, wherever.
		{"abrot", `{"rules":[{"point":"a"},{"point":"b","abrot":true}]}`, `rules[1].abrot: unknown field`},
		{"null_abrot", `{"rules":[{"point":"a","abrot":null}]}`, `rules[0].abrot: unknown field`},
		{"other_case", `{"rules":[{"point":"a","Abort":true}]}`, `rules[0].Abort: unknown field`},
		{"strange_field", `{"rules":[{"point":"a","\n":true}]}`, `rules[0]."\n": unknown field`},
		{"top_level", `{"rule":[]}`, `"rule": unknown field, there is only rules`},
		{"in_reply", `{"rules":[{"point":"a","reply":{"code":1}}]}`, `rules[0].reply.code: unknown field`},
		{"null_in_reply", `{"rules":[{"point":"a","reply":{"code":null}}]}`, `rules[0].reply.code: unknown field`},
		{"twice", `{"rules":[{"point":"a","abort":true,"abort":false}]}`, `rules[0].abort: comes twice`},
		{"rules_twice", `{"rules":[],"rules":[]}`, `rules: comes twice`},
		// R40: trailing data.
		{"trailing_object", `{"rules":[]}{"rules":[]}`, `byte 12: "{\"rules\":[]}" after the end`},
		{"trailing_text", `{"rules":[]} x`, `byte 13: "x" after the end`},
		// X1 to X4.
		{"attempts_0", `{"rules":[{"point":"a","attempts":[0,2]}]}`, `rules[0].attempts: first is 0, must be >= 1`},
		{"attempts_00", `{"rules":[{"point":"a","attempts":[0,0]}]}`, `rules[0].attempts: first is 0, must be >= 1`},
		{"attempts_backwards", `{"rules":[{"point":"a","attempts":[3,2]}]}`, `rules[0].attempts: last is 2, must be 0 or >= the first, 3`},
		{"attempts_one", `{"rules":[{"point":"a","attempts":[1]}]}`, `rules[0].attempts: fewer than 2 numbers, must be [first, last]`},
		{"attempts_three", `{"rules":[{"point":"a","attempts":[1,2,3]}]}`, `rules[0].attempts: more than 2 numbers, must be [first, last]`},
		{"attempts_number", `{"rules":[{"point":"a","attempts":2}]}`, `rules[0].attempts: 2, must be an array`},
		{"attempts_text", `{"rules":[{"point":"a","attempts":["1",2]}]}`, `rules[0].attempts: "1", must be a whole number, 0 to 2147483647`},
		{"share_0", `{"rules":[{"point":"a","share":0}]}`, `rules[0].share: 0, must be a number above 0 and at most 1`},
		{"share_2", `{"rules":[{"point":"a","share":1.0001}]}`, `rules[0].share: 1.0001, must be a number above 0 and at most 1`},
		{"share_text", `{"rules":[{"point":"a","share":"50%"}]}`, `rules[0].share: "50%", must be a number above 0 and at most 1`},
		{"share_inf", `{"rules":[{"point":"a","share":Inf}]}`, `rules[0].share: Inf, must be a number above 0 and at most 1`},
		{"share_hex", `{"rules":[{"point":"a","share":0x1p-1}]}`, `rules[0].share: 0x1p-1, must be a number above 0 and at most 1`},
		{"share_half", `{"rules":[{"point":"a","share":.5}]}`, `rules[0].share: .5, must be a number above 0 and at most 1`},
		{"seed_alone", `{"rules":[{"point":"a","seed":1}]}`, `rules[0].seed: 1, must come with a share`},
		{"seed_negative", `{"rules":[{"point":"a","share":1,"seed":-1}]}`, `rules[0].seed: -1, must be a whole number, 0 to 18446744073709551615`},
		{"reply_empty", `{"rules":[{"point":"a","reply":{}}]}`, `rules[0].reply: empty, must have a status or a grpc_code`},
		{"reply_zeros", `{"rules":[{"point":"a","reply":{"status":0,"body":""}}]}`, `rules[0].reply: empty, must have a status or a grpc_code`},
		{"reply_number", `{"rules":[{"point":"a","reply":503}]}`, `rules[0].reply: 503, must be an object`},
		{"reply_status", `{"rules":[{"point":"a","reply":{"status":99}}]}`, `rules[0].reply.status: 99, must be 200 to 599`},
		{"reply_status_text", `{"rules":[{"point":"a","reply":{"status":"503"}}]}`, `rules[0].reply.status: "503", must be a whole number, 0 to 2147483647`},
		{"reply_code", `{"rules":[{"point":"a","reply":{"grpc_code":17}}]}`, `rules[0].reply.grpc_code: 17, must be 1 to 16`},
		{"reply_body_alone", `{"rules":[{"point":"a","reply":{"body":"x"}}]}`, `rules[0].reply: has a body alone, must have a status or a grpc_code`},
		{"lost_abort", `{"rules":[{"point":"a","abort":true,"lost":true}]}`, `rules[0].lost: true, must not come with abort: what is never sent has no answer to lose`},
		// No JSON.
		{"empty", ``, `ends early: must go on with an object`},
		{"words", `fail please`, `byte 0: "fail please", must be an object`},
		{"array", `[]`, `byte 0: "[]", must be an object`},
		{"null", `null`, `byte 0: "null", must be an object`},
		{"rules_object", `{"rules":{"point":"a"}}`, `rules: an object, must be an array`},
		{"rule_text", `{"rules":["a"]}`, `rules[0]: byte 10: "\"a\"]}", must be an object`},
		{"cut_off", `{"rules":[{"point":"a"`, `rules[0]: ends early: must go on with a comma or the end of the object`},
		{"cut_in_text", `{"rules":[{"point":"a`, `rules[0]: byte 19: text without an end`},
		{"cut_after_escape", `{"rules":[{"point":"a\`, `rules[0]: byte 19: text without an end`},
		{"cut_before_value", `{"rules":[{"point":`, `rules[0]: ends early: must go on with text`},
		{"no_colon", `{"rules":[{"point" "a"}]}`, `rules[0]: byte 19: "\"a\"}]}", must be a colon`},
		{"no_comma", `{"rules":[{"point":"a" "abort":true}]}`, `rules[0]: byte 23: "\"abort\":true}]}", must be a comma or the end of the object`},
		{"comma_at_the_end", `{"rules":[{"point":"a",}]}`, `rules[0]: byte 23: "}]}", must be text`},
		{"comma_in_rules", `{"rules":[{"point":"a"},]}`, `rules[1]: byte 24: "]}", must be an object`},
		{"bare_field", `{"rules":[{point:"a"}]}`, `rules[0]: byte 11: "point:\"a\"}]}", must be text`},
		{"control_character", "{\"rules\":[{\"point\":\"a\nb\"}]}", `rules[0]: byte 21: '\n' in text, must be escaped`},
		{"bad_escape", `{"rules":[{"point":"a\q"}]}`, `rules[0]: byte 19: "\"a\\q\"" is no JSON text`},
		{"long_nonsense", `{"rules":[{"point":"a","` + strings.Repeat("x", 1<<20) + `":1}]}`, `rules[0]."` + strings.Repeat("x", 48) + `"...: unknown field`},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s, err := jsonscenario.Parse(row.in)
			if want := "jsonscenario: " + row.want; text(err) != want {
				t.Errorf("Parse(%.200s) fails with\n%q, want\n%q", row.in, text(err), want)
			}
			if s.Rules != nil {
				t.Errorf("Parse(%.200s) = %+v beside its error", row.in, s)
			}
		})
	}
}
