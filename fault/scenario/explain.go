package scenario

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/brunt-go/brunt/fit"
)

// Meeting is a rule that a point meets, and when.
type Meeting struct {
	// Index is the rule's place in the scenario, from 0.
	Index int
	// Rule is the rule.
	Rule fit.Rule
	// When says which visits meet it, or is "" for all that are left.
	When string
}

// Explain returns the rules that visits to point meet, in the order they are
// asked. After the last of them the point is spared, unless that has no When.
func Explain(s fit.Scenario, point string) []Meeting {
	var all []Meeting
	for i, r := range s.Rules {
		if !r.Names(point) {
			continue
		}
		m := Meeting{i, r, when(r)}
		all = append(all, m)
		if m.When == "" {
			break
		}
	}
	return all
}

// String says what the visits meet, such as "rule 1 (http:*): wait 250ms, then
// as usual, on attempts 1 to 2".
func (m Meeting) String() string {
	text := fmt.Sprintf("rule %d (%s): %s", m.Index, m.Rule.Point, Describe(m.Rule.Fault))
	if m.When != "" {
		text += ", " + m.When
	}
	return text
}

func when(r fit.Rule) string {
	var parts []string
	switch a := r.Attempts; {
	case a.First <= 1 && a.Last == 0:
	case a.Last == 0:
		parts = append(parts, fmt.Sprintf("from attempt %d on", a.First))
	case a.First == a.Last:
		parts = append(parts, fmt.Sprintf("on attempt %d", a.First))
	default:
		parts = append(parts, fmt.Sprintf("on attempts %d to %d", max(a.First, 1), a.Last))
	}
	if r.Share != 0 && r.Share < 1 { // a share of 1 is everyone
		parts = append(parts, fmt.Sprintf("for %s%% of the traces (seed %d)", strconv.FormatFloat(100*r.Share, 'g', 6, 64), r.Seed))
	}
	return strings.Join(parts, " ")
}

// Describe says what f does, in the order it does it.
func Describe(f fit.Fault) string {
	var parts []string
	if f.Delay > 0 {
		parts = append(parts, fmt.Sprintf("wait %v", f.Delay))
	}
	switch {
	case !f.Reply.IsZero():
		parts = append(parts, "answer "+answer(f.Reply))
	case f.Abort:
		parts = append(parts, "fail without sending")
	case f.Lost:
		parts = append(parts, "send and lose the answer")
	case f.Delay > 0:
		parts = append(parts, "go on")
	default:
		return "spared on purpose"
	}
	return strings.Join(parts, ", then ")
}

func answer(r fit.Reply) string {
	var parts []string
	if r.Status != 0 {
		parts = append(parts, fmt.Sprintf("HTTP %d", r.Status))
	}
	if r.GRPCCode != 0 {
		parts = append(parts, fmt.Sprintf("gRPC code %d", r.GRPCCode))
	}
	text := strings.Join(parts, " or ")
	if r.Body != "" {
		text += fmt.Sprintf(" with %q", r.Body)
	}
	return text
}
