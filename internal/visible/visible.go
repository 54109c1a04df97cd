// Package visible makes text from outside safe to show: what would act on a
// terminal, reorder what stands around it or hide in it is spelt out.
package visible

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
)

// Line makes s one line of text in which everything can be seen.
func Line(s string) string {
	return spell(strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || r == '\r' {
			return ' '
		}
		return r
	}, s))
}

// colours are what programs write to colour their output. Nothing is lost
// without them.
var colours = regexp.MustCompile("\x1b\\[[0-9;]*m")

// Block makes s lines of text in which everything can be seen.
func Block(s string) string {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	return spell(colours.ReplaceAllString(s, ""))
}

// spell spells out what cannot be seen or would act on a terminal, except line
// ends and tabs.
func spell(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\n' || r == '\t' || !Hidden(r):
			b.WriteRune(r)
		case r < 0x80:
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// Hidden reports whether r acts instead of being seen: control characters, marks
// that reorder text or join it invisibly, and what XML refuses. The joiners that
// Persian and Indic scripts are written with stay.
func Hidden(r rune) bool {
	if ' ' <= r && r <= '~' || r == '\u200c' || r == '\u200d' {
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Noncharacter_Code_Point)
}
