package planfile

import (
	"strings"

	"github.com/google/cel-go/cel"

	"github.com/brunt-go/brunt/judge/experiment"
	"github.com/brunt-go/brunt/judge/oracle"
)

// condition reads a demand that is an expression over the figures of an arm.
func (r *reader) condition(p part) oracle.Oracle {
	x, ok := r.compile(p, figureVariables())
	if !ok {
		return nil
	}
	return oracle.Condition{Text: inOneLine(p.node.text), Holds: func(f oracle.Figures, noise float64) (bool, error) {
		return x.holds(map[string]any{
			"full_share": f.Share(f.Full), "degraded_share": f.Share(f.Degraded), "dropped_share": f.Share(f.Dropped),
			"noise": noise, "requests": f.Requests, "injected": f.Injected, "timeouts": f.Timeouts, "exchanges": f.Exchanges,
		})
	}}
}

func figureVariables() []variable {
	return append(abortVariables(),
		variable{"noise", cel.DoubleType},
		variable{"timeouts", cel.IntType},
		variable{"exchanges", cel.IntType},
	)
}

// inOneLine is an expression as it stands in reports.
func inOneLine(s string) string {
	var lines []string
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, " ")
}

// abort reads limits.abort_when.
func (r *reader) abort(p part) *experiment.Abort {
	x, ok := r.compile(p, abortVariables())
	if !ok {
		return nil
	}
	return &experiment.Abort{Text: inOneLine(p.node.text), Holds: func(s experiment.Shares) (bool, error) {
		return x.holds(map[string]any{
			"full_share": s.Full, "degraded_share": s.Degraded, "dropped_share": s.Dropped,
			"requests": s.Requests, "injected": s.Injected,
		})
	}}
}

func abortVariables() []variable {
	return []variable{
		{"full_share", cel.DoubleType},
		{"degraded_share", cel.DoubleType},
		{"dropped_share", cel.DoubleType},
		{"requests", cel.IntType},
		{"injected", cel.IntType},
	}
}
