package fit_test

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/brunt-go/brunt/fit"
)

func TestCheckScenario(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name string
		in   fit.Rule
		want string
	}{
		{"fine", fit.Rule{Point: "http:*", Share: 0.5, Seed: 7, Attempts: fit.Attempts{First: 1}, Fault: fit.Fault{Delay: time.Second, Reply: fit.Reply{Status: 503, Body: "down", GRPCCode: 14}}}, ""},
		{"lone_star", fit.Rule{Point: "*"}, ""},
		{"no_point", fit.Rule{}, `rules[1].point: empty, must name a point`},
		{"star_first", fit.Rule{Point: "*x"}, `rules[1].point: "*x", must have a * at its end alone`},
		{"two_stars", fit.Rule{Point: "a**"}, `rules[1].point: "a**", must have a * at its end alone`},
		{"not_utf8", fit.Rule{Point: "a\xff"}, `rules[1].point: "a\xff", must be UTF-8`},
		{"long_point", fit.Rule{Point: "*" + strings.Repeat("x", 1<<20)}, `rules[1].point: "*` + strings.Repeat("x", 63) + `"..., must have a * at its end alone`},
		{"negative_delay", fit.Rule{Point: "a", Fault: fit.Fault{Delay: -1}}, `rules[1].delay: -1ns, must be >= 0`},
		{"attempt_0", fit.Rule{Point: "a", Attempts: fit.Attempts{Last: 2}}, `rules[1].attempts: first is 0, must be >= 1`},
		{"attempts_backwards", fit.Rule{Point: "a", Attempts: fit.Attempts{First: 3, Last: 2}}, `rules[1].attempts: last is 2, must be 0 or >= the first, 3`},
		{"share_above_1", fit.Rule{Point: "a", Share: 1.5}, `rules[1].share: 1.5, must be above 0 and at most 1`},
		{"share_below_0", fit.Rule{Point: "a", Share: -1}, `rules[1].share: -1, must be above 0 and at most 1`},
		{"share_nan", fit.Rule{Point: "a", Share: math.NaN()}, `rules[1].share: NaN, must be above 0 and at most 1`},
		{"seed_alone", fit.Rule{Point: "a", Seed: 7}, `rules[1].seed: 7, must come with a share`},
		{"lost_abort", fit.Rule{Point: "a", Fault: fit.Fault{Lost: true, Abort: true}}, `rules[1].lost: true, must not come with abort: what is never sent has no answer to lose`},
		{"lost_reply", fit.Rule{Point: "a", Fault: fit.Fault{Lost: true, Reply: fit.Reply{Status: 503}}}, `rules[1].lost: true, must not come with a reply: it is never sent`},
		{"status", fit.Rule{Point: "a", Fault: fit.Fault{Reply: fit.Reply{Status: 101}}}, `rules[1].reply.status: 101, must be 200 to 599`},
		{"code", fit.Rule{Point: "a", Fault: fit.Fault{Reply: fit.Reply{GRPCCode: 17}}}, `rules[1].reply.grpc_code: 17, must be 1 to 16`},
		{"body_alone", fit.Rule{Point: "a", Fault: fit.Fault{Reply: fit.Reply{Body: "x"}}}, `rules[1].reply: has a body alone, must have a status or a grpc_code`},
		{"body_not_utf8", fit.Rule{Point: "a", Fault: fit.Fault{Reply: fit.Reply{Status: 200, Body: "\xff"}}}, `rules[1].reply.body: "\xff", must be UTF-8`},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			err := fit.CheckScenario(fit.Scenario{Rules: []fit.Rule{abort("fine"), row.in}})
			if got := text(err); got != row.want {
				t.Errorf("CheckScenario(%+v) = %q, want %q", row.in, got, row.want)
			}
			if re := (*fit.RuleError)(nil); err != nil && (!errors.As(err, &re) || re.Index != 1) {
				t.Errorf("CheckScenario(%+v) = %#v, want a RuleError of rule 1", row.in, err)
			}
		})
	}
}

func TestCheckScenario_reportsAll(t *testing.T) {
	t.Parallel()
	got := text(fit.CheckScenario(fit.Scenario{Rules: []fit.Rule{{Share: 2}, {Point: "a", Seed: 1}}}))
	want := "rules[0].point: empty, must name a point\n" +
		"rules[0].share: 2, must be above 0 and at most 1\n" +
		"rules[1].seed: 1, must come with a share"
	if got != want {
		t.Errorf("CheckScenario = %q, want %q", got, want)
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
