package report

import "github.com/brunt-go/brunt/judge/experiment"

// Style says how Text looks. The zero Style is plain.
type Style struct {
	// Color colours verdicts and headings with ANSI escapes: for terminals.
	Color bool
}

type colour string

// The ANSI escapes in use.
const (
	bold   colour = "\x1b[1m"
	faint  colour = "\x1b[2m"
	red    colour = "\x1b[31m"
	green  colour = "\x1b[32m"
	yellow colour = "\x1b[33m"
	reset         = "\x1b[0m"
)

func (s Style) paint(c colour, text string) string {
	if !s.Color || c == "" || text == "" {
		return text
	}
	return string(c) + text + reset
}

// verdict is the colour of a verdict.
func verdictColour(v experiment.Verdict) colour {
	switch v {
	case experiment.Pass:
		return green
	case experiment.Fail:
		return red
	default:
		return yellow
	}
}
